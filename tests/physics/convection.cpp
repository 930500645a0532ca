#include <doctest/doctest.h>

#include <cmath>

#include "physics/methods.h"
#include "physics/tank.h"
#include "sim/statistics.h"

using namespace thixo;

namespace {

constexpr double side = 0.8, radius = 0.1, expansion = 0.005, cooler = 20, g = 9.81;

/// A round blob, colder than the liquid at rest around it, in the middle of a closed box.
Simulation cold_blob(const Method& method, double spacing) {
    Material water = liquid(30, 0.01);
    water.liquid.artificial_viscosity = 0.01;
    water.heat.expansion = expansion;
    Model model = weightless(2, spacing, water);
    model.gravity = {0, -g, 0};
    method.choose(model.solver);
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
    Simulation sim = cold_blob(methods[4], 0.02);
    const double before = gather_statistics(sim).potential;
    REQUIRE(sim.advance_frame(0.1, never));
    const Statistics now = gather_statistics(sim);
    INFO("potential ", before, " J, then ", now.potential, ", kinetic ", now.kinetic);
    CHECK(now.potential < before);
    CHECK(now.kinetic > 0);
    CHECK(now.kinetic < 1.02 * (before - now.potential));
}
