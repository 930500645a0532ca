#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "physics/heat.h"
#include "physics/methods.h"

using namespace thixo;

namespace {

/// Heat of all particles, J.
double heat_of(const Simulation& sim) { return gather_statistics(sim).heat; }

/// Hot and warm wax, sloshing in a box that keeps its heat, around a cold elastic block on which it freezes.
/// `diffusivity` m²/s.
void slosh(const Method& method, double diffusivity, double duration) {
    const double spacing = pick(0.025, 0.0125);
    Model model = weightless(2, spacing, conductor("wax", diffusivity * 1e6));
    model.gravity = {0, -9.81, 0};
    method.choose(model.solver);
    model.materials.push_back(conductor("brass", 5 * diffusivity * 1e6, 400));
    model.materials[1].density = 1300;
    model.materials[0].heat.melting_point = 60;
    model.materials[0].heat.freezing_point = 50;
    model.materials[0].heat.latent_heat = 2e4;
    model.obstacles = {{.name = "box", .shape = Box{{0, 0, -1}, {1, 1, 1}}, .inside = true}};
    Simulation sim(
        model,
        populate(model, {at_temperature(Box{{0, 0, 0}, {0.3, 0.6, 0}}, "wax", 90),
                         at_temperature(Box{{0.3, 0, 0}, {0.5, 0.5, 0}}, "wax", 62),
                         at_temperature(Box{{0.7, 0.1, 0}, {0.9, 0.3, 0}}, "brass", -50, Phase::elastic)}));
    const double before = heat_of(sim);
    REQUIRE(sim.advance_frame(duration, never));
    const Statistics after = gather_statistics(sim);
    INFO(std::string(method.name), ", diffusivity ", diffusivity, ", ", sim.clock().step,
         " steps, relative change ", after.heat / before - 1, ", ", after.t_min, " to ", after.t_max, " °C");
    CHECK(std::abs(after.heat / before - 1) < 1e-5 * method.leeway());
    // All temperatures stay within the initial range.
    CHECK(after.t_min > -50 - 1e-3);
    CHECK(after.t_max < 90 + 1e-3);
    // And the outside of the block is no longer cold.
    double warmest = -50;
    for (Index i = 0; i < sim.particles().size(); ++i) {
        if (sim.particles().material[i] == 1)
            warmest = std::max(warmest, double{sim.particles().temperature[i]});
    }
    CHECK(warmest > -20);
}

}  // namespace

TEST_CASE("an insulated box keeps its heat while its contents slosh") {
    for (const Method& method : {methods[0], fast_preset})
        for (const double diffusivity : {1e-4, 1e-2, 10.}) slosh(method, diffusivity, pick(1., 5.));
}
