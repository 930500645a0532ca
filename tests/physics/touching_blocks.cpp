#include <doctest/doctest.h>

#include <cmath>

#include "physics/bodies.h"
#include "physics/methods.h"

using namespace thixo;

namespace {

constexpr double spacing = 0.05;

Obstacle plane(std::string name, Vec3d point, Vec3d normal, std::vector<Keyframe> keyframes = {}) {
    Obstacle out{.name = std::move(name), .shape = Plane{point, normal}};
    out.friction = 0.5;
    out.motion.keyframes = std::move(keyframes);
    return out;
}

}  // namespace

TEST_CASE("blocks that touch at the start feel nothing of each other") {
    for (const Method& method : methods_of_solids()) {
        Model model = weightless(3, spacing, rubber(1e5));
        method.choose(model.solver);
        Simulation sim(model, populate(model, {body("left", Box{{-0.3, 0, 0}, {0, 0.3, 0.3}}),
                                               body("right", Box{{0, 0, 0}, {0.3, 0.3, 0.3}})}));
        const double gap = distance_between(sim.particles(), 0, 1);
        sim.advance_frame(0.2, never);
        INFO(std::string(method.name));
        CHECK(std::abs(distance_between(sim.particles(), 0, 1) - gap) < 0.01 * spacing);
        CHECK(census(sim.particles(), 0).motion < 1e-3 * census(sim.particles(), 0).mass);
    }
}

TEST_CASE("blocks pressed together for two seconds come apart when they are released") {
    for (const Method& method : methods_of_solids()) {
        // Two plates close by a tenth of the pair's width, stay for two seconds, and open again. They hold
        // the blocks by friction: between slippery plates a pressed pair is in a balance that it loses
        // sideways.
        const double a = 0.3, closing = 0.06, hold = 2;
        Material material = rubber(1e5);
        material.solid.damping = 1e-3;
        Model model = weightless(3, spacing, material);
        method.choose(model.solver);
        const auto press = [&](double way) {
            return std::vector<Keyframe>{{.time = 0},
                                         {.time = 0.2, .translate = {way * closing / 2, 0, 0}},
                                         {.time = 0.2 + hold, .translate = {way * closing / 2, 0, 0}},
                                         {.time = 0.3 + hold, .translate = {-way * 10 * a, 0, 0}}};
        };
        model.obstacles = {plane("left", {-a, 0, 0}, {1, 0, 0}, press(1)),
                           plane("right", {a, 0, 0}, {-1, 0, 0}, press(-1))};
        Simulation sim(model, populate(model, {body("a", Box{{-a, 0, 0}, {0, a, a}}),
                                               body("b", Box{{0, 0, 0}, {a, a, a}})}));
        double nearest = 1e30;
        while (sim.clock().time < 0.2 + hold) {
            sim.step(0.2 + hold);
            nearest = std::min(nearest, distance_between(sim.particles(), 0, 1) / spacing);
        }
        const Census pressed = census(sim.particles(), 0);
        while (sim.clock().time < 0.7 + hold) sim.step(0.7 + hold);
        const Census left = census(sim.particles(), 0), right = census(sim.particles(), 1);
        INFO(std::string(method.name), ": nearest ", nearest, " spacings, pressed ", pressed.low.x,
             ", released ", left.high.x, " | ", right.low.x, ", speeds ", left.momentum.x / left.mass, " ",
             right.momentum.x / right.mass);
        CHECK(nearest < 0.97);  // they were pressed
        CHECK(nearest > 1 / std::sqrt(2));
        CHECK(right.low.x - left.high.x > 2 * spacing);
        CHECK(right.momentum.x > 0);
    }
}

TEST_CASE("a block that falls on another comes to lie on it") {
    Model model = weightless(3, spacing, rubber(3e5));
    model.gravity = {0, -9.81, 0};
    model.obstacles = {plane("floor", {0, 0, 0}, {0, 1, 0})};
    // The upper one a quarter turn and half a spacing aside, with room to fall.
    Simulation sim(model,
                   populate(model, {body("lower", Box{{-0.25, 0, -0.25}, {0.25, 0.3, 0.25}}),
                                    body("upper", Box{{-0.125, 0.45, -0.125}, {0.175, 0.65, 0.175}})}));
    double nearest = 1e30;
    const auto run_until = [&](double end) {
        while (sim.clock().time < end) {
            sim.step(end);
            nearest = std::min(nearest, distance_between(sim.particles(), 0, 1) / spacing);
        }
        return census(sim.particles(), 1).center - census(sim.particles(), 0).center;
    };
    // It bounces, and finds a place among the bumps of the other; there friction keeps it.
    const Vec3d landed = run_until(1.5), way = run_until(5.5) - landed;
    const Census lower = census(sim.particles(), 0), upper = census(sim.particles(), 1);
    INFO("nearest ", nearest, " spacings; slid by ", way.x, " ", way.z, " m; upper ", upper.center.y,
         " from ", upper.low.y, ", lower ", lower.low.y, " to ", lower.high.y, ", motion ",
         upper.motion / upper.mass, " ", lower.motion / lower.mass);
    CHECK(nearest > 1 / std::sqrt(2));
    CHECK(upper.low.y > lower.high.y);
    CHECK(norm(Vec3d{way.x, 0, way.z}) < 0.1 * spacing);
}
