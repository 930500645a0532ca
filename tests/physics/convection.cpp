#include <doctest/doctest.h>

#include <cmath>

#include "physics/methods.h"
#include "physics/tank.h"
#include "sim/statistics.h"

using namespace thixo;

namespace {

constexpr double side = 0.8, radius = 0.1, expansion = 0.005, cooler = 20, g = 9.81;

/// A round blob, colder than the liquid at rest around it, in the middle of a closed box.
Simulation cold_blob(const Method& method, double spacing,
                     double density_error = DfsphSettings{}.density_error) {
    Material water = liquid(30, 0.01);
    water.liquid.artificial_viscosity = 0.01;
    water.heat.expansion = expansion;
    Model model = weightless(2, spacing, water);
    model.gravity = {0, -g, 0};
    method.choose(model.solver);
    model.solver.dfsph.density_error = density_error;
    model.obstacles = {
        {.name = "tank", .shape = Box{{-side / 2, -side / 2, -1}, {side / 2, side / 2, 1}}, .inside = true}};
    Object pool = filled(Box{{-side / 2, -side / 2, 0}, {side / 2, side / 2, 0}});
    model.objects = {pool};
    ParticleTable particles = populate(model, model.objects);
    for (Index i = 0; i < particles.size(); ++i)
        if (norm(particles.position[i]) < radius)
            particles.temperature[i] = static_cast<float>(water.heat.reference_temperature - cooler);
    return {model, std::move(particles)};
}

/// Mean downward speed of what is cold (m/s).
double sinking(const Simulation& sim) {
    double sum = 0;
    int count = 0;
    for (Index i = 0; i < sim.particles().size(); ++i) {
        if (sim.particles().temperature[i] > 10) continue;
        sum -= sim.particles().velocity[i].y;
        ++count;
    }
    return sum / count;
}

}  // namespace

TEST_CASE("a cold blob sinks with half of its reduced gravity") {
    for (const Method& method : methods) {
        // A pool that begins without pressure drops and rings; where pressure is solved for, it does not.
        if (!method.incompressible()) continue;
        CAPTURE(std::string(method.name));
        Simulation sim = cold_blob(method, pick(0.02, 0.01));
        // What it pushes aside is as heavy as itself: ½ g β ΔT in a liquid without end; in this box 0.473, by finite differences on a grid of
        // 400 × 400 cells.
        const double expected = 0.473 * g * expansion * cooler;
        const double from = 0.06, to = 0.18;
        REQUIRE(sim.advance_frame(from, never));
        const double first = sinking(sim);
        REQUIRE(sim.advance_frame(to, never));
        const double measured = (sinking(sim) - first) / (to - from);
        INFO("acceleration ", measured, " m/s², expected ", expected);
        CHECK(measured == doctest::Approx(expected).epsilon(0.1));
    }
}

TEST_CASE("the ledger counts the weight that gravity acts on") {
    // A compression ε lowers all of the liquid, by m g d ε/2. The pool begins without pressure: after a twentieth of a second it has it.
    constexpr double compression = 1e-5;
    Simulation sim = cold_blob(methods[4], 0.02, compression);
    REQUIRE(sim.advance_frame(0.05, never));
    const Statistics before = gather_statistics(sim);
    REQUIRE(sim.advance_frame(0.2, never));
    const Statistics now = gather_statistics(sim);
    const double released = before.potential - now.potential, gained = now.kinetic - before.kinetic;
    INFO("released ", released, " J, kinetic energy gained ", gained, " J");
    CHECK(released > 0);
    CHECK(gained > 0);
    CHECK(gained < released + before.mass * g * side * compression / 2);
}
