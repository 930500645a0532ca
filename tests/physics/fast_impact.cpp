#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <map>

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

/// Slippery, so that nothing but the constraint stops them.
Model without_weight(double young_modulus) {
    Material material = rubber(young_modulus);
    material.solid.friction = 0;
    return weightless(3, spacing, material);
}

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

/// A sheet of one layer in the plane y = const, as triangles between the particles of its lattice.
class Surface {
public:
    Surface(const ParticleTable& p, int sheet) {
        std::map<std::pair<int, int>, std::uint32_t> place;
        const auto step = [](float x) { return static_cast<int>(std::floor(x / spacing)); };
        for (Index i = 0; i < p.size(); ++i) {
            if (p.object[i] == sheet) place[{step(p.position[i].x), step(p.position[i].z)}] = p.id[i];
        }
        for (const auto& [at, id] : place) {
            const auto b = place.find({at.first + 1, at.second}), c = place.find({at.first, at.second + 1}),
                       d = place.find({at.first + 1, at.second + 1});
            if (b == place.end() || c == place.end() || d == place.end()) continue;
            triangles_.push_back({id, b->second, d->second});
            triangles_.push_back({id, d->second, c->second});
        }
    }

    /// Particles of object `ball` below which the sheet is crossed an even number of times: they came from
    /// above, and are through.
    int passed(const ParticleTable& p, int ball) const {
        std::vector<Vec3d> x(p.size());
        for (Index i = 0; i < p.size(); ++i) x[p.id[i]] = to_double(p.position[i]);
        int count = 0;
        for (Index i = 0; i < p.size(); ++i) {
            if (p.object[i] != ball) continue;
            int crossings = 0;
            // A little aside, where no edge of the lattice is straight below.
            const Vec3d q = x[p.id[i]] + Vec3d{0.013, 0, 0.007} * spacing;
            for (const auto& [a, b, c] : triangles_) crossings += is_below(q, x[a], x[b], x[c]);
            count += crossings % 2 == 0;
        }
        return count;
    }

private:
    /// Whether the way straight down from q leads through the triangle.
    static bool is_below(const Vec3d& q, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
        const auto area = [](const Vec3d& u, const Vec3d& v) { return u.x * v.z - u.z * v.x; };
        const double whole = area(b - a, c - a), second = area(q - a, c - a) / whole,
                     third = area(b - a, q - a) / whole;
        return second >= 0 && third >= 0 && second + third < 1 &&
               a.y + second * (b.y - a.y) + third * (c.y - a.y) < q.y;
    }

    std::vector<std::array<std::uint32_t, 3>> triangles_;
};

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
        const Surface surface(sim.particles(), 1);
        REQUIRE(surface.passed(sim.particles(), 0) == 0);
        const double end = 2 / speed;
        const double nearest = nearest_until(sim, end);
        const Census up = census(sim.particles(), 0), down = census(sim.particles(), 1);
        INFO("E ", young_modulus, ", ", speed, " m/s: nearest ", nearest, " spacings; ball ", up.center.y,
             ", speeds ", up.momentum.y / up.mass, " ", down.momentum.y / down.mass, " passed ",
             surface.passed(sim.particles(), 0), " sheet ", down.low.y, " ", down.high.y, " steps ",
             sim.clock().step);
        CHECK(nearest > 1 / std::sqrt(2));
        CHECK(surface.passed(sim.particles(), 0) == 0);
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
