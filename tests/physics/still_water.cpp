#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fluid/dfsph.h"
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

/// A pool of so many layers under its weight, ten spacings wide.
Simulation pool(int dimensions, int layers, double spacing, double viscosity, ViscosityMethod method) {
    Model model = weightless(dimensions, spacing, liquid(c, viscosity));
    model.gravity = {0, -g, 0};
    model.solver.pressure = PressureMethod::dfsph;
    model.solver.viscosity = method;
    const double width = 10 * spacing, height = layers * spacing;
    model.obstacles = {{.name = "tank", .shape = Box{{0, 0, 0}, {width, 2 * height, width}}, .inside = true}};
    return {model, populate(model, {filled(Box{{0, 0, 0}, {width, height, width}})})};
}

int density_iterations(const Simulation& sim) {
    int found = 0;
    sim.visit_parts([&](const auto& part) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(part)>, Forces>)
            found = dynamic_cast<const Dfsph&>(part.pressure()).density_iterations();
    });
    return found;
}

}  // namespace

TEST_CASE("still water carries its weight in two dimensions") {
    for (const Method& method : methods) settle(2, depth / pick(24, 60), method);
}

TEST_CASE("still water carries its weight in three dimensions") {
    for (const Method& method : covering_methods()) settle(3, depth / pick(12, 25), method);
}

/// Pressure crosses a pool through the coarse level, at once. Before, sweeps carried it from layer to layer.
TEST_CASE("a deep pool takes about as many iterations as a shallow one") {
    double last = 0;
    for (const int layers : {10, 20, 40, 80}) {
        Simulation sim = pool(2, layers, 0.01, 0.5, ViscosityMethod::laplacian);
        double mean = 0;
        constexpr int first = 60, steps = 160;
        for (int k = 0; k < steps; ++k) {
            sim.step(1e30);
            if (k >= first) mean += density_iterations(sim) / double{steps - first};
        }
        INFO(layers, " layers: ", mean, " iterations, half as deep ", last);
        if (last > 0) CHECK(mean < 1.5 * last);
        last = mean;
    }
}

/// What an iteration leaves of smooth errors is small for the mean compression, but not for the pressure.
/// Steps that started from the pressure of the last without a coarse correction each left it between 0 and
/// 2.3 ρ g d.
TEST_CASE("the pressure of a viscous pool does not ring, neither in long steps nor in short ones") {
    for (const ViscosityMethod method : {ViscosityMethod::implicit, ViscosityMethod::laplacian}) {
        constexpr int layers = 40;
        Simulation sim = pool(2, layers, depth / layers, 50, method);
        double low = 1e30, high = 0;
        for (int frame = 1; frame <= 60; ++frame) {
            REQUIRE(sim.advance_frame(0.01 * frame, never));
            if (frame <= 30) continue;
            const double p = relative_pressure(sim.particles(), depth / layers);
            low = std::min(low, p);
            high = std::max(high, p);
        }
        INFO("pressure ", low, " to ", high, " ρ g d");
        CHECK(high - low < 0.02);
        CHECK(low > 0.95);  // as in still water
        CHECK(high < 1.05);
    }
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
