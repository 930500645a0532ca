#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "physics/bodies.h"
#include "physics/methods.h"
#include "sim/statistics.h"

using namespace thixo;

namespace {

constexpr double spacing = 0.05, angle = 20 * std::numbers::pi / 180;

constexpr Method tried[] = {methods[0], fast_preset};

/// A block on a slope of 20° that is held. Both lie as if it were level; gravity is inclined instead.
struct Slope {
    Model model;
    std::vector<Object> objects;

    Slope(const Method& method, double friction) {
        Material material = rubber(1e6);
        material.solid.friction = friction;
        material.solid.damping = 1e-3;
        material.liquid.viscosity = 0;
        model.particles.spacing = spacing;
        model.gravity = 9.81 * Vec3d{std::sin(angle), -std::cos(angle), 0};
        model.materials = {material};
        method.choose(model.solver);
        Object ground = body("ground", Box{{-0.25, -0.15, -0.2}, {pick(1.0, 2.0), 0, 0.2}});
        ground.held = {{.region = Box{{-9, -9, -9}, {9, 9, 9}}}};
        objects = {ground, body("block", Box{{-0.15, 0, -0.1}, {0.15, 0.2, 0.1}})};
        model.objects = objects;
    }
    Simulation simulation() const { return {model, populate(model, objects)}; }
};

}  // namespace

TEST_CASE("friction above the tangent of a slope holds a block") {
    for (const Method& method : tried) {
        Simulation sim = Slope(method, 0.5).simulation();
        const Vec3d start = census(sim.particles(), 1).center;
        sim.advance_frame(2, never);
        const Census end = census(sim.particles(), 1);
        INFO(std::string(method.name), ": moved by ", (end.center - start).x / spacing,
             " spacings, still at ", end.motion / end.mass, " m/s");
        // It bends under its weight and settles, by less than a tenth of a spacing; then it rests.
        CHECK(std::abs(end.center.x - start.x) < 0.1 * spacing * method.leeway());
        // With fast it is not quite still: its elasticity and its friction swing by what their tolerances
        // leave.
        if (!method.fast) CHECK(end.motion / end.mass < 1e-3);
    }
}

TEST_CASE("friction below it slows a block that slides") {
    for (const Method& method : tried) {
        for (const double mu : {0.0, 0.1, 0.2}) {
            Simulation sim = Slope(method, mu).simulation();
            // The block falls to its place and calms down first.
            const double first = 0.3, second = 0.7;
            sim.advance_frame(first, never);
            const Census before = census(sim.particles(), 1);
            sim.advance_frame(second, never);
            const Census after = census(sim.particles(), 1);
            const double a = (after.momentum.x - before.momentum.x) / after.mass / (second - first),
                         exact = 9.81 * (std::sin(angle) - mu * std::cos(angle));
            INFO(std::string(method.name), ", friction ", mu, ": ", a, " m/s², by Coulomb ", exact);
            // Over the bumps of the lattices its weight swings by some per cent.
            CHECK(a == doctest::Approx(exact).epsilon(0.05 * method.leeway()));
        }
    }
}

TEST_CASE("a block that is thrown on another takes it along, and both momenta stay") {
    Material material = rubber(1e5);
    material.solid.friction = 0.5;
    const Model model = weightless(3, spacing, material);
    Simulation sim(model,
                   populate(model, {body("lower", Box{{-0.3, -0.15, -0.15}, {0.3, 0, 0.15}}),
                                    body("upper", Box{{-0.1, 0.02, -0.1}, {0.1, 0.2, 0.1}}, {1, -2, 0})}));
    const Statistics before = gather_statistics(sim);
    sim.advance_frame(0.2, never);
    const Statistics after = gather_statistics(sim);
    const Census lower = census(sim.particles(), 0), upper = census(sim.particles(), 1);
    const double motion = norm(before.momentum);
    INFO("momentum ", norm(after.momentum - before.momentum) / motion, ", angular momentum ",
         norm(after.angular_momentum - before.angular_momentum) / motion, " m; speeds ",
         lower.momentum.x / lower.mass, " ", upper.momentum.x / upper.mass);
    CHECK(lower.momentum.x > 0.1 * motion);
    CHECK(norm(after.momentum - before.momentum) < 1e-5 * motion);
    CHECK(norm(after.angular_momentum - before.angular_momentum) < 1e-3 * spacing * motion);
}
