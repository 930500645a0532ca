#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "physics/bodies.h"
#include "sim/statistics.h"

using namespace thixo;

// Where pressure is solved for, also that between solids and walls, sound does not limit the step.

namespace {

constexpr double spacing = 0.05, g = 9.81;

SolverSettings long_steps(ElasticIntegrator elasticity) {
    SolverSettings solver;
    solver.pressure = PressureMethod::dfsph;
    solver.viscosity = ViscosityMethod::implicit;
    solver.elasticity = elasticity;
    return solver;
}

double energy(const Simulation& sim) {
    const Statistics now = gather_statistics(sim);
    return now.kinetic + now.potential + now.elastic_energy;
}

/// A cube 0.4 m wide, its lower face at a height, over a floor.
Simulation block_above_floor(double young_modulus, double height, ElasticIntegrator elasticity = {}) {
    Model model = weightless(3, spacing, rubber(young_modulus));
    model.gravity = {0, -g, 0};
    model.solver = long_steps(elasticity);
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
        // Velocities end with the step here: a fall through h in steps of Δt gives ½ g Δt √(2 g h) more, 2 %
        // at 8 ms.
        CHECK(highest < start + 0.03 * mass * g * 0.5);
        CHECK(lowest > 0.2 * spacing);
    }
}

TEST_CASE("with implicit elasticity bodies of any stiffness bounce and come to rest in steps of 8 ms") {
    for (const double e : {1e4, 1e5, 1e6}) {
        Simulation sim = block_above_floor(e, 0.5, ElasticIntegrator::implicit);
        const double start = energy(sim), end = pick(3.0, 6.0);
        double highest = start, rest_motion = 0, resting = 0;
        int steps = 0;
        while (sim.clock().time < end) {
            sim.step(sim.clock().time + 0.008);
            ++steps;
            const Census block = census(sim.particles(), 0);
            highest = std::max(highest, energy(sim));
            if (sim.clock().time < 0.8 * end) continue;
            rest_motion = std::max(rest_motion, block.motion / block.mass);
            resting = block.center.y;
        }
        const double mass = census(sim.particles(), 0).mass, mean_step = end / steps;
        // Its weight bends it by ρ g L²/2E, the centre by two thirds of it; the lowest layer lies where the
        // wall's pressure carries it.
        const double sag = 1000 * g * 0.4 * 0.4 / (3 * e);
        INFO("E = ", e, " Pa: steps of ", mean_step, " s; energy ", start, " to at most ", highest,
             " J; at the end moves at ", rest_motion, " m/s, centre ", resting, " m, sag ", sag);
        CHECK(mean_step > 0.003);
        CHECK(highest < start + 0.03 * mass * g * 0.5);
        if (e < 1e5) continue;  // still swings: its damping, that of the steps, grows with E
        CHECK(rest_motion < 0.1);
        CHECK(resting == doctest::Approx(0.2 - sag).epsilon(0.05));
    }
}

TEST_CASE("bodies that collide in long steps keep their momentum and gain no energy") {
    for (const double e : {1e4, 1e5, 1e6}) {
        Model model = weightless(3, spacing, rubber(e));
        model.solver = long_steps(ElasticIntegrator::implicit);
        // Off centre: they spin afterwards.
        Simulation sim(model,
                       populate(model, {body("left", Box{{-0.4, 0, -0.1}, {-0.1, 0.3, 0.2}}, {1, 0, 0}),
                                        body("right", Box{{0.1, 0.1, -0.1}, {0.4, 0.4, 0.2}}, {-1, 0, 0})}));
        const Statistics before = gather_statistics(sim);
        const double start = energy(sim), mass = census(sim.particles(), 0).mass;
        double highest = start;
        while (sim.clock().time < 0.6) {
            sim.step(sim.clock().time + 0.008);
            highest = std::max(highest, energy(sim));
        }
        const Statistics after = gather_statistics(sim);
        const Census left = census(sim.particles(), 0);
        INFO("E = ", e, " Pa: energy ", start, " to at most ", highest, " J; momentum ",
             norm(after.momentum - before.momentum) / mass, ", spin ",
             norm(after.angular_momentum - before.angular_momentum) / norm(before.angular_momentum),
             "; left ", left.momentum.x / mass, " m/s");
        CHECK(left.momentum.x < 0);
        CHECK(highest < 1.001 * start);
        CHECK(norm(after.momentum - before.momentum) < 1e-5 * mass);
        CHECK(norm(after.angular_momentum - before.angular_momentum) < 1e-3 * norm(before.angular_momentum));
    }
}
