#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/methods.h"
#include "physics/tank.h"
#include "sim/statistics.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

constexpr double g = 9.81, depth = 0.25, c = 25;

double mean_speed(const ParticleTable& p) {
    double sum = 0;
    for (const Vec3f& v : p.velocity) sum += norm(v);
    return sum / p.size();
}

/// Mean pressure around mid depth over the one that the water above weighs, p = ρ g d.
double relative_pressure(const ParticleTable& p, double spacing) {
    double top = 0, pressure = 0, y = 0;
    int count = 0;
    for (const Vec3f& x : p.position) top = std::max(top, double{x.y} + 0.5 * spacing);
    for (Index i = 0; i < p.size(); ++i) {
        if (std::abs(p.position[i].y - 0.5 * depth) > 0.1 * depth) continue;
        pressure += p.pressure[i];
        y += p.position[i].y;
        ++count;
    }
    return pressure / count / (1000 * g * (top - y / count));
}

/// Water flush with its tank, released with no pressure in it: it sinks by a hair and rings, as a spring
/// loaded at once does, until viscosity has stopped that. The slowest mode, k = π/2d, dies at the rate νk² =
/// 2/s.
void settle(int dimensions, double spacing, const Method& method) {
    Model model = weightless(dimensions, spacing, liquid(c, 50));
    model.gravity = {0, -g, 0};
    method.choose(model.solver);
    model.obstacles = {{.name = "tank", .shape = Box{{0, 0, 0}, {depth, 2 * depth, depth}}, .inside = true}};
    Simulation sim(model, populate(model, {filled(Box{{0, 0, 0}, {depth, depth, depth}})}));

    double early = 0, late = 0, pressure = 0, error = 0;
    constexpr int frames = 200;
    for (int frame = 1; frame <= frames; ++frame) {
        REQUIRE(sim.advance_frame(0.01 * frame, never));
        (frame <= frames / 4 ? early : late) += mean_speed(sim.particles());
        if (frame <= frames / 2) continue;
        pressure += relative_pressure(sim.particles(), spacing) / (frames / 2);
        error += gather_statistics(sim).density_error / (frames / 2);
    }
    early /= frames / 4;
    late /= frames - frames / 4;
    INFO(std::string(method.name), ", ", dimensions, "D: pressure ", pressure, ", speed ", early, " then ",
         late, ", density error ", error);
    CHECK(pressure == near(1, 0.05));
    const bool incompressible = method.pressure == PressureMethod::dfsph;
    CHECK(mean_speed(sim.particles()) < 0.01 * (incompressible ? std::sqrt(g * depth) : c));
    for (const Vec3f& x : sim.particles().position) CHECK(x.y < depth + 0.5 * spacing);
    if (incompressible) {
        CHECK(error < 1e-3);
        return;
    }
    if (method.viscosity == ViscosityMethod::laplacian) CHECK(late < 0.5 * early);
    // Compression grows from nothing to g d/c² at the bottom: half of that on average, and the layers at the
    // surface, whose kernels are not full, have none.
    const double expected = 0.5 * g * depth / (c * c);
    CHECK(error < 1.2 * expected);
    CHECK(error > 0.6 * expected);
}

}  // namespace

TEST_CASE("still water carries its weight in two dimensions") {
    for (const Method& method : methods) settle(2, depth / pick(24, 60), method);
}

TEST_CASE("still water carries its weight in three dimensions") {
    for (const Method& method : covering_methods()) settle(3, depth / pick(12, 25), method);
}

/// Walls that give more than they take keep a pool stirred for good.
TEST_CASE("stirred water comes to rest") {
    constexpr double width = 0.2, spacing = width / 12;
    Model model = weightless(3, spacing, liquid(c, 0.2));
    model.gravity = {0, -g, 0};
    model.particles.support = 2.5;
    model.solver.kernel = KernelName::wendland_c2;
    model.solver.pressure = PressureMethod::dfsph;
    const Box water{{0, 0, 0}, {width, width, 0.5 * width}};
    model.obstacles = {
        {.name = "tank", .shape = Box{water.min, {width, 2 * width, 0.5 * width}}, .inside = true}};
    ParticleTable particles = populate(model, {filled(water)});
    for (Index i = 0; i < particles.size(); ++i) {
        const double x = std::numbers::pi * particles.position[i].x / width,
                     y = std::numbers::pi * particles.position[i].y / width;
        particles.velocity[i] =
            to_float(Vec3d{-0.2 * std::sin(x) * std::cos(y), 0.2 * std::cos(x) * std::sin(y), 0});
    }
    Simulation sim(model, std::move(particles));
    REQUIRE(sim.advance_frame(0.5, never));
    const double early = gather_statistics(sim).kinetic;
    REQUIRE(sim.advance_frame(3, never));
    const double late = gather_statistics(sim).kinetic;
    INFO("kinetic energy ", early, " J, then ", late, " J");
    // Viscosity leaves exp(−2 ν k² t) = 0.6 of the slowest mode, k² = 2 (π/w)²; disorder of the particles,
    // which dies fast, has taken over most of it by then.
    CHECK(late < 0.1 * early);
}
