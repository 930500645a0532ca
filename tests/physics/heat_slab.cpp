#include <doctest/doctest.h>

#include <cmath>

#include "physics/heat.h"

using namespace thixo;

namespace {

constexpr double diffusivity = 1e-4, cold = 20, hot = 100, time = 0.5;
constexpr double length = 0.05;  ///< m; heat comes √(4αt) = 1.4 cm far

/// A slab whose end at x = 0 is put to a hot wall.
Model hot_wall(int dimensions, double spacing) {
    Model model = weightless(dimensions, spacing, conductor("wax", diffusivity * 1e6));
    model.obstacles = {{.name = "wall", .shape = Plane{{0, 0, 0}, {1, 0, 0}}, .temperature = hot}};
    return model;
}

/// L2 error of the temperatures after some time, relative to hot − cold: T = hot + (cold − hot)
/// erf(x/√(4αt)).
double error_of_slab(const Model& model, const ParticleTable& particles) {
    Simulation sim(model, particles);
    constexpr int frames = 100;
    for (int frame = 1; frame <= frames; ++frame) REQUIRE(sim.advance_frame(time / frames * frame, never));
    const ParticleTable& p = sim.particles();
    double sum = 0, mass = 0;
    for (Index i = 0; i < p.size(); ++i) {
        const double x = p.position[i].x;
        const double theory = hot + (cold - hot) * std::erf(x / std::sqrt(4 * diffusivity * time));
        sum += p.mass[i] * (p.temperature[i] - theory) * (p.temperature[i] - theory);
        mass += p.mass[i];
    }
    return std::sqrt(sum / mass) / (hot - cold);
}

double error_of_slab(int dimensions, double spacing, Phase phase, Lattice lattice) {
    const Model model = hot_wall(dimensions, spacing);
    // Free on all other sides: heat must run along surfaces as it does inside.
    const double side = 6 * spacing;
    Object slab = at_temperature(Box{{0, 0, 0}, {length, side, side}}, "wax", cold, phase);
    slab.lattice = lattice;
    return error_of_slab(model, populate(model, {slab}));
}

/// Particles twice as large as the others from one x to another (m), in the midst of the steepest
/// temperatures.
double error_of_mixed_slab(int dimensions, double spacing, double from, double to) {
    Model model = hot_wall(dimensions, spacing);
    // Where sizes meet, density sums are some percent off: too soft a liquid to be moved by that.
    model.materials[0].liquid.sound_speed = 0.003;
    const double side = 8 * spacing;
    ParticleTable all;
    const auto add = [&](double begin, double end, double size) {
        if (!(end > begin)) return;
        Model scaled = model;
        scaled.particles.spacing = size * spacing;
        const ParticleTable part = populate(
            scaled, {at_temperature(Box{{begin, 0, 0}, {end, side, side}}, "wax", cold, Phase::liquid)});
        const Index first = all.size();
        all.resize(first + part.size());
        for (Index i = 0; i < part.size(); ++i) {
            const Index row = first + i;
            all.id[row] = row;
            all.position[row] = part.position[i];
            all.mass[row] = part.mass[i];
            all.radius[row] = part.radius[i];
            all.density[row] = part.density[i];
            all.temperature[row] = part.temperature[i];
        }
    };
    add(0, from, 1);
    add(from, to, 2);
    add(to, length, 1);
    return error_of_slab(model, all);
}

}  // namespace

TEST_CASE("heat enters a slab by the error function") {
    for (const Phase phase : {Phase::liquid, Phase::elastic}) {
        for (const int d : {2, 3}) {
            CAPTURE(d);
            CAPTURE(phase);
            const double spacing = pick(0.002, 0.001);
            const double coarse = error_of_slab(d, 2 * spacing, phase, Lattice::cubic),
                         fine = error_of_slab(d, spacing, phase, Lattice::cubic);
            INFO("error ", coarse, " and ", fine);
            CHECK(fine < 0.02);
            CHECK(fine < 0.6 * coarse);
        }
    }
}

TEST_CASE("in other lattices too") {
    for (const int d : {2, 3}) {
        const double error = error_of_slab(d, 0.002, Phase::elastic, Lattice::closest);
        CAPTURE(d);
        CHECK(error < 0.02);
    }
}

TEST_CASE("particles of different size conduct as those of one do") {
    const double middle = 0.008;
    struct Coarse {
        double from, to;
    };
    for (const int d : {2, 3}) {
        for (const auto [from, to] : {Coarse{0, middle}, Coarse{middle, length - 0.002}}) {
            CAPTURE(d);
            CAPTURE(from);
            const double spacing = pick(0.001, 0.0005);
            const double coarse = error_of_mixed_slab(d, 2 * spacing, from, to),
                         fine = error_of_mixed_slab(d, spacing, from, to);
            INFO("error ", coarse, " and ", fine);
            CHECK(fine < 0.01);
            // Where sizes meet the error is of first order.
            CHECK(fine < 0.7 * coarse);
        }
    }
}
