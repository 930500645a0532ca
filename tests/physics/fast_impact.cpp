#include <doctest/doctest.h>

#include <cmath>

#include "physics/bodies.h"

using namespace thixo;

namespace {

constexpr double spacing = 0.05;

/// Runs until `end`, and returns the smallest distance of objects 0 and 1 on the way, in spacings.
double nearest_until(Simulation& sim, double end) {
    double nearest = 1e30;
    while (sim.clock().time < end) {
        sim.step(end);
        nearest = std::min(nearest, distance_between(sim.particles(), 0, 1));
    }
    return nearest / spacing;
}

Model without_weight(double young_modulus) { return weightless(3, spacing, rubber(young_modulus)); }

}  // namespace

TEST_CASE("blocks that meet head-on at any speed stay on their sides") {
    for (const double young_modulus : {1e4, 1e6}) {
        for (const double speed : {5.0, 20.0, 100.0}) {
            const Model model = without_weight(young_modulus);
            const double a = pick(0.3, 0.6);
            // Half a spacing aside, so that particles meet gaps.
            const double aside = 0.5 * spacing;
            Simulation sim(
                model,
                populate(model, {body("left", Box{{-a - 0.06, 0, 0}, {-0.06, a, a}}, {speed / 2, 0, 0}),
                                 body("right", Box{{0.06, aside, aside}, {a + 0.06, a + aside, a + aside}},
                                      {-speed / 2, 0, 0})}));
            const Census before = census(sim.particles(), 0);
            const double nearest = nearest_until(sim, std::max(1.0 / speed, 1.0));
            const Census left = census(sim.particles(), 0), right = census(sim.particles(), 1);
            INFO("E ", young_modulus, ", ", speed, " m/s: nearest ", nearest, " spacings, ends ", left.high.x,
                 " | ", right.low.x, ", speeds ", left.momentum.x / left.mass, " ",
                 right.momentum.x / right.mass, " steps ", sim.clock().step);
            MESSAGE("E ", young_modulus, ", ", speed, " m/s: nearest ", nearest, " spacings, ends ",
                    left.high.x, " | ", right.low.x, ", speeds ", left.momentum.x / left.mass, " ",
                    right.momentum.x / right.mass, " steps ", sim.clock().step);
            CHECK(nearest > 1 / std::sqrt(2));
            CHECK(left.center.x < right.center.x);
            CHECK(norm(left.momentum + right.momentum) < 1e-5 * before.motion);
        }
    }
}

namespace {

/// Particles of object `ball` that have the sheet above them and not below: they came from above, and are through.
int passed(const ParticleTable& p, int ball, int sheet) {
    int count = 0;
    for (Index i = 0; i < p.size(); ++i) {
        if (p.object[i] != ball) continue;
        bool above = false, below = false;
        for (Index j = 0; j < p.size(); ++j) {
            const Vec3f x = p.position[j] - p.position[i];
            if (p.object[j] != sheet || x.x * x.x + x.z * x.z > spacing * spacing) continue;
            (x.y > 0 ? above : below) = true;
        }
        count += above && !below;
    }
    return count;
}

}  // namespace

TEST_CASE("no part of a fast ball gets through a sheet") {
    for (const double speed : {5.0, 20.0, 100.0}) {
        const Model model = without_weight(1e6);
        const double a = pick(0.5, 0.8), thick = 2 * spacing, r = 0.13;
        // Between the columns of the sheet's lattice.
        const Object ball = body("ball", Sphere{{0, r + 0.06, 0}, r}, {0, -speed, 0});
        Simulation sim(model, populate(model, {ball, body("sheet", Box{{-a, -thick, -a}, {a, 0, a}})}));
        const Census start = census(sim.particles(), 0);
        const double end = 2 / speed;
        const double nearest = nearest_until(sim, end);
        const Census up = census(sim.particles(), 0), down = census(sim.particles(), 1);
        MESSAGE(speed, " m/s: nearest ", nearest, " spacings; ball ", up.center.y, ", speeds ",
                up.momentum.y / up.mass, " ", down.momentum.y / down.mass, " passed ",
                passed(sim.particles(), 0, 1), " sheet ", down.low.y, " ", down.high.y, " steps ",
                sim.clock().step);
        CHECK(nearest > 1 / std::sqrt(2));
        CHECK(passed(sim.particles(), 0, 1) == 0);
        CHECK(norm(up.momentum + down.momentum - start.momentum) < 1e-5 * start.motion);
    }
}
