#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "physics/bodies.h"
#include "sim/statistics.h"

using namespace thixo;

// Where pressure is solved for, also that between solids and walls, sound does not limit the step.

namespace {

constexpr double spacing = 0.05, g = 9.81;

SolverSettings long_steps() {
    SolverSettings solver;
    solver.pressure = PressureMethod::dfsph;
    solver.viscosity = ViscosityMethod::implicit;
    return solver;
}

double energy(const Simulation& sim) {
    const Statistics now = gather_statistics(sim);
    return now.kinetic + now.potential + now.elastic_energy;
}

/// A cube 0.4 m wide, its lower face at a height, over a floor.
Simulation block_above_floor(double young_modulus, double height) {
    Model model = weightless(3, spacing, rubber(young_modulus));
    model.gravity = {0, -g, 0};
    model.solver = long_steps();
    model.obstacles = {{.name = "floor", .shape = Plane{}, .friction = 0.5}};
    return {model, populate(model, {body("block", Box{{-0.2, height, -0.2}, {0.2, height + 0.4, 0.2}})})};
}

}  // namespace

TEST_CASE("a block bounces in steps that sound would not allow, and gains no energy") {
    for (const double e : {1e4, 1e5}) {
        Simulation sim = block_above_floor(e, 0.5);
        const double start = energy(sim), mass = census(sim.particles(), 0).mass;
        double highest = start, lowest = 1e30, longest = 0;
        for (int frame = 1; frame <= 45; ++frame) {
            REQUIRE(sim.advance_frame(frame / 30., never));
            highest = std::max(highest, energy(sim));
            const double low = census(sim.particles(), 0).low.y;
            lowest = std::min(lowest, low);
            if (low < spacing) longest = std::max(longest, sim.clock().frame_step_max);
        }
        const double by_sound = 0.4 * 0.5 * sim.support() / sim.model().materials[0].liquid.sound_speed;
        INFO("E = ", e, " Pa: steps of ", longest, " s on the floor, by sound ", by_sound, " s; energy ",
             start, " to at most ", highest, " J; lowest particle at ", lowest / spacing, " spacings");
        CHECK(longest > by_sound);
        // Velocities end with the step here: a fall through h in steps of Δt gives ½ g Δt √(2 g h) more, 2 % at 8 ms.
        CHECK(highest < start + 0.03 * mass * g * 0.5);
        CHECK(lowest > 0.2 * spacing);
    }
}
