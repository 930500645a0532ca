#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "physics/methods.h"
#include "physics/tank.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

constexpr double width = 0.1, rho = 1000, mu = 20;
constexpr double force = 1;  ///< along the channel, m/s²

/// Steady profile between walls that hold the fluid, u(y) = ρ f y (w − y)/(2μ).
double theory(double y) { return rho * force * y * (width - y) / (2 * mu); }

/// A channel with ends: a long one, whose fluid is pulled along for a while that is short beside the time its
/// ends need to be felt, and long beside the time in which the profile forms, w²ρ/(π²μ).
void flow(double spacing, const Method& method) {
    const double length = 6 * width;
    Model model = weightless(2, spacing, liquid(10, mu));
    model.gravity = {force, 0, 0};
    method.choose(model.solver);
    for (const double y : {0., width}) {
        model.obstacles.push_back({.name = y == 0 ? "floor" : "ceiling",
                                   .shape = Plane{{0, y, 0}, {0, y == 0 ? 1. : -1., 0}},
                                   .no_slip = true});
    }
    Simulation sim(model, populate(model, {filled(Box{{0, 0, 0}, {length, width, 0}})}));
    REQUIRE(sim.advance_frame(6 * width * width * rho / (std::numbers::pi * std::numbers::pi * mu), never));

    // Mean over the middle of the channel, layer by layer.
    const ParticleTable& p = sim.particles();
    const int layers = static_cast<int>(std::lround(width / spacing));
    std::vector<double> sum(layers), y(layers), count(layers);
    for (Index i = 0; i < p.size(); ++i) {
        const int k = std::clamp(static_cast<int>(p.position[i].y / spacing), 0, layers - 1);
        sum[k] += p.velocity[i].x;
        y[k] += p.position[i].y;
        ++count[k];
    }
    double error = 0;
    for (int k = 0; k < layers; ++k) {
        REQUIRE(count[k] > 0);
        error = std::max(error, std::abs(sum[k] / count[k] - theory(y[k] / count[k])) / theory(0.5 * width));
    }
    INFO(std::string(method.name), ": off by ", error, " of the fastest");
    CHECK(error < 0.05);
}

}  // namespace

TEST_CASE("fluid in a channel takes Poiseuille's profile") {
    for (const Method& method : methods) {
        if (method.viscosity != ViscosityMethod::artificial) flow(width / pick(12, 25), method);
    }
}
