// Lattice solids whose steps do not follow their elastic wave.

#include <doctest/doctest.h>

#include <algorithm>

#include "physics/lattice.h"
#include "physics/methods.h"
#include "sim/statistics.h"

using namespace thixo;

namespace {

constexpr double density = 1000;

double energy(const Simulation& sim) {
    const Statistics now = gather_statistics(sim);
    return now.kinetic + now.potential + now.elastic_energy;
}

/// How long an explicit step of this model may be, s.
double explicit_step(Model model, const Object& object) {
    model.solver.elasticity = ElasticIntegrator::leapfrog;
    return Simulation(model, populate(model, {object})).time_step_limit().seconds;
}

/// An undamped block that hits a floor, with so much of its wave speed.
struct Impact {
    int dimensions;
    double speed;       ///< in √(E/ρ)
    double turned = 0;  ///< degrees, about z
    double modulus = 1e6;
};

}  // namespace

TEST_CASE(
    "a lattice solid that bounces in long steps has no more energy than before, and keeps its momentum in "
    "flight") {
    for (const Impact& impact :
         {Impact{2, 0.02}, Impact{2, 0.06, 12}, Impact{2, 0.25, 45}, Impact{2, 0.5}, Impact{3, 0.02, 20},
          Impact{3, 0.1}, Impact{3, 0.25, 45}, Impact{3, 0.45}, Impact{3, 0.01, 50, 1e7}}) {
        const double wave = std::sqrt(impact.modulus / density);
        Model model = weightless(impact.dimensions, 0.05, clay(impact.modulus, 0, density));
        fast_preset.choose(model.solver);
        model.obstacles = {{.name = "floor", .shape = Plane{}, .friction = 0}};
        const double half = impact.dimensions == 2 ? 0.25 : 0.15, z = impact.dimensions == 2 ? 0 : half;
        Shape box = Box{{-half, -half, -z}, {half, half, z}};
        box.placement.rotate = Rotation({0, 0, impact.turned});
        box.placement.translate = {0, 1.5 * half, 0};
        Object object = lattice_solid(box);
        object.velocity = {0, -impact.speed * wave, 0};
        Simulation sim(model, populate(model, {object}));
        const Statistics start = gather_statistics(sim);
        // Where a shape is turned against its lattice, that is stretched to it.
        const double all = start.kinetic + start.elastic_energy;
        double most = 0, least = start.kinetic;
        const double end = pick(10, 40) * half / (impact.speed * wave);
        while (sim.clock().time < end) {
            sim.step(end);
            const Statistics now = gather_statistics(sim);
            most = std::max(most, now.kinetic + now.elastic_energy);
            least = std::min(least, now.kinetic);
        }
        const Statistics after = gather_statistics(sim);
        const double mean_step = end / static_cast<double>(sim.clock().step),
                     by_wave = explicit_step(model, object);
        INFO(impact.dimensions, "D, ", impact.modulus, " Pa, at ", impact.speed,
             " of the wave speed, turned by ", impact.turned, ": energy ", most / all,
             " of that before, kinetic ", least / start.kinetic, ", later ", after.kinetic / start.kinetic,
             ", ", mean_step / by_wave, " explicit steps long");
        CHECK(most < 1.005 * all);
        CHECK(least < 0.6 * start.kinetic);  // it did meet the floor
        CHECK(after.momentum.y > -1e-3 * norm(start.momentum));
        if (impact.speed < 0.05) CHECK(mean_step > 4 * by_wave);
    }
}

TEST_CASE("a lattice solid spins freely in long steps with its momentum, its spin and its energy") {
    for (const int d : {2, 3}) {
        const double spacing = 0.05, half = (d == 2 ? 5 : 3) * spacing;
        Model model = weightless(d, spacing, clay(1e7, 1e-3));
        fast_preset.choose(model.solver);
        Object object = lattice_solid(Box{{-half, -half, -half}, {half, half, d == 2 ? 0 : half}});
        object.velocity = {1, 0.5, 0};
        object.angular_velocity = {d == 2 ? 0. : 2., 0, 6};
        Simulation sim(model, populate(model, {object}));
        const Statistics before = gather_statistics(sim);
        const double end = pick(3., 20.);
        double most = 0;
        while (sim.clock().time < end) {
            sim.step(end);
            most = std::max(most, energy(sim));
        }
        const Statistics after = gather_statistics(sim);
        INFO(d, "D: momentum off by ", norm(after.momentum - before.momentum) / norm(before.momentum),
             ", spin by ",
             norm(after.angular_momentum - before.angular_momentum) / norm(before.angular_momentum),
             "; energy at most ", most / before.kinetic, ", at the end ", energy(sim) / before.kinetic, ", ",
             end / static_cast<double>(sim.clock().step) / explicit_step(model, object),
             " explicit steps long");
        CHECK(norm(after.momentum - before.momentum) < 1e-5 * norm(before.momentum));
        CHECK(norm(after.angular_momentum - before.angular_momentum) < 1e-5 * norm(before.angular_momentum));
        CHECK(most < 1.001 * before.kinetic);
        CHECK(energy(sim) > 0.98 * before.kinetic);
        CHECK(end / static_cast<double>(sim.clock().step) > 10 * explicit_step(model, object));
    }
}

TEST_CASE("a lattice beam bends under its weight in long steps as in short ones") {
    for (const int d : {2, 3}) {
        double short_steps = 0;
        for (const bool fast : {false, true}) {
            const double spacing = 0.05;
            Model model = weightless(d, spacing, clay(5e5, 1e-2));
            model.gravity = {0, -9.81, 0};
            if (fast) fast_preset.choose(model.solver);
            Object object = lattice_solid(Box{{0, 0, 0}, {0.5, 0.2, d == 2 ? 0 : 0.15}});
            object.held = {{.region = Box{{-1, -1, -1}, {0.12, 1, 1}}}};
            const std::vector<Object> objects{object};
            model.objects = objects;
            Simulation sim(model, populate(model, objects));
            const std::vector<Vec3d> start = places(sim.particles());
            double sum = 0;
            int count = 0;
            for (const double end = pick(1.0, 4.0); sim.clock().time < end;) {
                sim.step(end);
                if (sim.clock().time < 0.6 * end) continue;
                const std::vector<Vec3d> now = places(sim.particles());
                double tip = 0, tips = 0;
                for (std::size_t k = 0; k < now.size(); ++k) {
                    if (start[k].x < 0.4) continue;
                    tip += start[k].y - now[k].y;
                    ++tips;
                }
                sum += tip / tips;
                ++count;
            }
            const double sag = sum / count;
            if (!fast) short_steps = sag;
            INFO(d, "D: bends by ", sag, " m, in short steps ", short_steps, ", ", sim.clock().step,
                 " steps");
            CHECK(sag > 0.002);
            CHECK(sag == doctest::Approx(short_steps).epsilon(0.03));
        }
    }
}

TEST_CASE("a lattice block lies on a floor, and holds on a slope, in long steps") {
    for (const double degrees : {0., 20.}) {
        const double spacing = 0.05, g = 9.81, angle = degrees * 3.14159265358979 / 180;
        Model model = weightless(3, spacing, clay(1e6, 1e-3));
        fast_preset.choose(model.solver);
        model.gravity = {g * std::sin(angle), -g * std::cos(angle), 0};
        model.obstacles = {{.name = "floor", .shape = Plane{}, .friction = 0.5}};
        Simulation sim(model, populate(model, {lattice_solid(Box{{-0.2, 0, -0.15}, {0.2, 0.2, 0.15}})}));
        const std::vector<Vec3d> start = places(sim.particles());
        const double end = pick(0.5, 2.0);
        const double start_energy = energy(sim);
        double most = start_energy;
        while (sim.clock().time < end) {
            sim.step(end);
            most = std::max(most, energy(sim));
        }
        const Vec3d moved = middle(places(sim.particles())) - middle(start);
        INFO(degrees, "°: moved by ", moved.x / spacing, " and ", moved.y / spacing, " spacings, fastest ",
             fastest(sim.particles()), " m/s, ", sim.clock().step, " steps");
        CHECK(std::abs(moved.x) < spacing);
        CHECK(std::abs(moved.y) < 0.3 * spacing);
        CHECK(fastest(sim.particles()) < 0.2);
        CHECK(most < start_energy + 1e-3);
    }
}
