#include <doctest/doctest.h>

#include <cmath>

#include "physics/methods.h"
#include "physics/tank.h"
#include "sim/statistics.h"

using namespace thixo;

namespace {

constexpr double side = 0.8, radius = 0.1, expansion = 0.005, cooler = 20, g = 9.81;

/// A square of liquid with a cold round blob in its middle.
Simulation square_with_cold_blob(const Method& method, double spacing, double width,
                                 std::vector<Obstacle> obstacles) {
    Material water = liquid(30, 0.01);
    water.liquid.artificial_viscosity = 0.01;
    water.heat.expansion = expansion;
    Model model = weightless(2, spacing, water);
    model.gravity = {0, -g, 0};
    method.choose(model.solver);
    model.obstacles = std::move(obstacles);
    model.objects = {filled(Box{{-width / 2, -width / 2, 0}, {width / 2, width / 2, 0}})};
    ParticleTable particles = populate(model, model.objects);
    for (Index i = 0; i < particles.size(); ++i)
        if (norm(particles.position[i]) < radius)
            particles.temperature[i] = static_cast<float>(water.heat.reference_temperature - cooler);
    return {model, std::move(particles)};
}

/// In a closed box that the liquid fills.
Simulation cold_blob(const Method& method, double spacing) {
    return square_with_cold_blob(method, spacing, side,
                                 {{.name = "tank",
                                   .shape = Box{{-side / 2, -side / 2, -1}, {side / 2, side / 2, 1}},
                                   .inside = true}});
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

double mean_height(const Simulation& sim) {
    double sum = 0;
    for (const Vec3f& x : sim.particles().position) sum += x.y;
    return sum / sim.particles().size();
}

}  // namespace

TEST_CASE("a cold blob sinks with half of its reduced gravity") {
    for (const Method& method : methods) {
        // A pool that begins without pressure drops and rings; where pressure is solved for, it does not.
        if (!method.incompressible()) continue;
        CAPTURE(std::string(method.name));
        Simulation sim = cold_blob(method, pick(0.02, 0.01));
        // What it pushes aside is as heavy as itself: ½ g β ΔT in a liquid without end; in this box 0.473, by
        // finite differences on a grid of 400 × 400 cells.
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
    for (const Method& method : methods) {
        if (!method.incompressible()) continue;
        CAPTURE(std::string(method.name));
        // Nothing but the cold square itself, which fits into the blob: it falls freely, with its own weight
        // and no pressure.
        Simulation sim = square_with_cold_blob(method, 0.02, radius, {});
        const Statistics before = gather_statistics(sim);
        const double height = mean_height(sim), time = 0.2;
        REQUIRE(sim.advance_frame(time, never));
        const Statistics now = gather_statistics(sim);
        const double weight = before.mass * g * (1 + expansion * cooler), speed = weight / before.mass * time;
        CHECK(now.kinetic == doctest::Approx(0.5 * before.mass * speed * speed).epsilon(1e-3));
        CHECK(before.potential - now.potential ==
              doctest::Approx(weight * (height - mean_height(sim))).epsilon(1e-4));
    }
}
