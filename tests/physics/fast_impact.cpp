#include <doctest/doctest.h>

#include <cmath>

#include "physics/bodies.h"

using namespace thixo;

namespace {

constexpr double spacing = 0.05;

struct Impact {
    double young_modulus, speed;  ///< Pa, m/s
};

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

TEST_CASE("blocks that meet head-on at any speed bounce, and do not pass or hold each other") {
    for (const auto [young_modulus, speed] : {Impact{1e4, 5}, Impact{1e4, 20}, Impact{1e6, 5},
                                              Impact{1e6, 20}, Impact{1e6, 100}, Impact{1e4, 100}}) {
        const Model model = without_weight(young_modulus);
        // Half a spacing aside, so that particles meet gaps.
        const double a = pick(0.3, 0.6), gap = 0.06, aside = 0.5 * spacing;
        const Vec3d v{speed / 2, 0, 0}, shift{a + gap, aside, aside};
        const Box left_box{{-a, 0, 0}, {0, a, a}}, right_box{left_box.min + shift, left_box.max + shift};
        Simulation sim(model, populate(model, {body("left", left_box, v), body("right", right_box, -v)}));
        const double motion = census(sim.particles(), 0).motion;
        const double nearest = nearest_until(sim, young_modulus < 1e5 ? 0.5 : std::max(0.06, 1.5 / speed));
        const Census left = census(sim.particles(), 0), right = census(sim.particles(), 1);
        INFO("E ", young_modulus, ", ", speed, " m/s: nearest ", nearest, " spacings, ends ", left.high.x,
             " | ", right.low.x, ", speeds ", left.momentum.x / left.mass, " ",
             right.momentum.x / right.mass);
        CHECK(nearest > 1 / std::sqrt(2));
        CHECK(right.low.x - left.high.x > spacing);
        CHECK(left.momentum.x < 0);
        CHECK(norm(left.momentum + right.momentum) < 1e-5 * motion);
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

TEST_CASE("discs in the plane bounce too, and turn when they do not meet head-on") {
    for (const double speed : {5.0, 20.0, 100.0}) {
        const Model model = weightless(2, spacing, rubber(1e6));
        const Vec3d v{speed / 2, 0, 0};
        Simulation sim(model, populate(model, {body("left", Sphere{{-0.35, 0, 0}, 0.3}, v),
                                               body("right", Sphere{{0.35, 0.3, 0}, 0.3}, -v)}));
        const double motion = census(sim.particles(), 0).motion, nearest = nearest_until(sim, 2.0 / speed);
        const Census left = census(sim.particles(), 0), right = census(sim.particles(), 1);
        INFO(speed, " m/s: nearest ", nearest, " spacings, speeds ", left.momentum.x / left.mass, " ",
             right.momentum.x / right.mass, ", middles ", left.center.y, " ", right.center.y);
        CHECK(nearest > 1 / std::sqrt(2));
        CHECK(left.momentum.y < 0);
        CHECK(right.center.y - left.center.y > 0.4);
        CHECK(norm(left.momentum + right.momentum) < 1e-5 * motion);
    }
}

TEST_CASE("no part of a fast ball gets through a sheet") {
    for (const auto [young_modulus, speed] :
         {Impact{1e6, 5}, Impact{1e6, 20}, Impact{1e7, 100}, Impact{1e4, 20}, Impact{1e4, 100}}) {
        const Model model = without_weight(young_modulus);
        const double a = pick(0.5, 0.8), thick = spacing, r = 0.13;
        // Between the columns of the sheet's lattice.
        const Object ball = body("ball", Sphere{{0, r + 0.06, 0}, r}, {0, -speed, 0});
        Simulation sim(model, populate(model, {ball, body("sheet", Box{{-a, -thick, -a}, {a, 0, a}})}));
        const Census start = census(sim.particles(), 0);
        const double end = 2 / speed;
        const double nearest = nearest_until(sim, end);
        const Census up = census(sim.particles(), 0), down = census(sim.particles(), 1);
        INFO("E ", young_modulus, ", ", speed, " m/s: nearest ", nearest, " spacings; ball ", up.center.y,
             ", speeds ", up.momentum.y / up.mass, " ", down.momentum.y / down.mass, " passed ",
             passed(sim.particles(), 0, 1), " sheet ", down.low.y, " ", down.high.y, " steps ",
             sim.clock().step);
        CHECK(nearest > 1 / std::sqrt(2));
        CHECK(passed(sim.particles(), 0, 1) == 0);
        CHECK(norm(up.momentum + down.momentum - start.momentum) < 1e-5 * start.motion);
    }
}

TEST_CASE("the arms of a bow that snaps shut stay on their sides") {
    for (const double speed : {5.0, 20.0}) {
        const Model model = without_weight(1e6);
        const double length = 0.8, thick = 0.15, gap = 0.3;
        const Box whole{{0, 0, 0}, {length, 2 * thick + gap, 2 * thick}},
            hollow{{thick, thick, -1}, {length + 1, thick + gap, 1}};
        ParticleTable particles = populate(model, {body("bow", Difference{{whole, hollow}})});
        std::vector<Index> upper(particles.size()), free(particles.size());
        for (Index i = 0; i < particles.size(); ++i) {
            const Vec3f x = particles.position[i];
            upper[i] = x.y > thick + gap / 2;
            free[i] = x.x > thick + 4 * spacing;
            if (free[i]) particles.velocity[i] = {0, static_cast<float>(upper[i] ? -speed : speed), 0};
        }
        Simulation sim(model, std::move(particles));
        double nearest = 1e30, touched = 0;
        for (const double end = 3 * gap / speed; sim.clock().time < end;) {
            sim.step(end);
            const ParticleTable& p = sim.particles();
            for (Index i = 0; i < p.size(); ++i) {
                for (Index j = 0; j < p.size(); ++j) {
                    if (!free[p.id[i]] || !free[p.id[j]] || !upper[p.id[i]] || upper[p.id[j]]) continue;
                    nearest = std::min<double>(nearest, norm(p.position[i] - p.position[j]) / spacing);
                }
            }
            touched = std::max<double>(touched, sim.contact().iterations());
        }
        double lowest = 1e30, highest = -1e30;
        const ParticleTable& p = sim.particles();
        for (Index i = 0; i < p.size(); ++i) {
            if (!free[p.id[i]]) continue;
            if (upper[p.id[i]])
                lowest = std::min<double>(lowest, p.position[i].y);
            else
                highest = std::max<double>(highest, p.position[i].y);
        }
        INFO(speed, " m/s: nearest ", nearest, " spacings, arms end at ", highest, " | ", lowest);
        CHECK(nearest > 1 / std::sqrt(2));
        CHECK(nearest < 1.1);
        CHECK(highest < lowest);
        if (speed > 10) CHECK(touched > 0);
    }
}
