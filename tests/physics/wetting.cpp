#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "physics/methods.h"
#include "physics/tank.h"

using namespace thixo;

namespace {

constexpr double sigma = 1, rho = 1000, area = 0.016;  // a half disc of 0.1 m

Material wetting_liquid() {
    Material water = liquid(6, 8);
    water.liquid.surface_tension = sigma;
    water.liquid.artificial_viscosity = 0.5;
    return water;
}

/// Height of the centroid of a circular segment with the contact angle t (rad) and that area.
double centroid(double t) {
    const double s = t - std::sin(t) * std::cos(t), r = std::sqrt(area / s);
    return r * (2 * std::pow(std::sin(t), 3) / (3 * s) - std::cos(t));
}

/// Contact angle (degrees) of the segment whose centroid is that high.
double angle_of(double height) {
    double low = 0.02, high = std::numbers::pi;
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        (centroid(middle) < height ? low : high) = middle;
    }
    return low * 180 / std::numbers::pi;
}

double mean_height(const ParticleTable& p) {
    double sum = 0, mass = 0;
    for (Index i = 0; i < p.size(); ++i) {
        if (p.phase[i] != Phase::liquid) continue;
        sum += p.mass[i] * p.position[i].y;
        mass += p.mass[i];
    }
    return sum / mass;
}

/// A block of liquid without weight on a wall becomes a drop; its contact angle in the end.
double drop_on_wall(double angle, double spacing, const Method& method) {
    Model model = weightless(2, spacing, wetting_liquid());
    method.choose(model.solver);
    model.obstacles = {{.name = "floor", .shape = Plane{{0, 0, 0}, {0, 1, 0}}}};
    model.contact_angles = {{.liquid = "water", .solid = "floor", .angle = angle}};
    model.objects = {filled(Box{{-0.1, 0, 0}, {0.1, area / 0.2, 0}})};
    Simulation sim{model, populate(model, model.objects)};
    double height = 0;
    for (int frame = 1; frame <= 60; ++frame) {
        REQUIRE(sim.advance_frame(0.1 * frame, never));
        if (frame > 50) height += 0.1 * mean_height(sim.particles());
    }
    return angle_of(height);
}

}  // namespace

TEST_CASE("a drop on a wall has its contact angle") {
    for (const double angle : pick<std::vector<double>>({60., 90.}, {45., 60., 75., 90.})) {
        const double found = drop_on_wall(angle, pick(0.01, 0.08 / 12), methods[1]);
        INFO(angle, " degrees: ", found);
        // One layer of particles more or less on a drop of ten changes the angle by 9 degrees.
        CHECK(std::abs(found - angle) < 9);
    }
}
