#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "physics/methods.h"
#include "physics/rigid.h"

using namespace thixo;

namespace {

constexpr double spacing = 0.05, g = 9.81, degree = std::numbers::pi / 180;

/// Gravity on a slope of so many degrees that goes down along x.
Vec3d tilted(double degrees) { return {g * std::sin(degrees * degree), -g * std::cos(degrees * degree), 0}; }

void run(Simulation& sim, double end) {
    while (sim.clock().time < end) sim.step(end);
}

}  // namespace

TEST_CASE("a block on a slope of 20° holds with friction 0.5, and slides with 0.2 as it should") {
    for (const Method& method : {methods[0], fast_preset}) {
        for (const int dimensions : {2, 3}) {
            for (const double friction : {0.5, 0.2}) {
                for (const bool on_block : {false, true}) {
                    Model model = weightless(dimensions, spacing, wood(600, friction));
                    model.gravity = tilted(20);
                    method.choose(model.solver);
                    model.obstacles = {{.name = "floor", .shape = Plane{}, .friction = friction}};
                    const double z = dimensions == 2 ? 0 : 0.15, y = on_block ? 0.1 : 0;
                    // The board is held: a slope made of particles.
                    Object board = rigid("board", Box{{-0.2, 0, -z}, {1.2, 0.1, z}});
                    board.held = {{.region = Box{{-9, -9, -9}, {9, 9, 9}}}};
                    std::vector<Object> objects{rigid("block", Box{{-0.15, y, -z}, {0.15, y + 0.2, z}})};
                    if (on_block) objects.push_back(board);
                    model.objects = objects;
                    Simulation sim(model, populate(model, objects));
                    const double end = 0.5;
                    run(sim, end);
                    const double excess = g * (std::sin(20 * degree) - friction * std::cos(20 * degree));
                    const Vec3d moved = census(sim.particles(), 0).center - Vec3d{0, y + 0.1, 0};
                    INFO(std::string(method.name), ", ", dimensions, "D, friction ", friction,
                         on_block ? ", on a board" : ", on a wall", ": ", moved.x, " m");
                    if (excess < 0) CHECK(std::abs(moved.x) < 1e-4 * spacing * method.leeway());
                    if (excess > 0)
                        CHECK(moved.x ==
                              doctest::Approx(0.5 * excess * end * end).epsilon(0.01 * method.leeway()));
                    CHECK(std::abs(moved.y) < 0.01 * spacing * method.leeway());
                }
            }
        }
    }
}

TEST_CASE("a ball rolls down a slope slower than a block slides without friction") {
    Model model = weightless(3, spacing, wood());
    model.gravity = tilted(20);
    model.obstacles = {{.name = "floor", .shape = Plane{}, .friction = 1}};
    const double end = 0.6, slide = 0.5 * g * std::sin(20 * degree) * end * end;
    Simulation sim(model, populate(model, {rigid("ball", Sphere{{0, 0.3, 0}, 0.3})}));
    run(sim, end);
    // 5/7 for a ball; this one has a surface of particles, and little flat places where it starts.
    const double rolled = census(sim.particles(), 0).center.x / slide;
    INFO("fraction ", rolled);
    CHECK(rolled > 0.3);
    CHECK(rolled < 0.8);
    CHECK(sim.rigid().bodies()[0].angular_velocity().z < -1);
}

TEST_CASE("a body that falls bounces as high as its restitution says") {
    for (const double restitution : {0.0, 0.5, 0.8}) {
        Model model = weightless(3, spacing, wood());
        model.materials[0].solid.restitution = restitution;
        model.gravity = {0, -g, 0};
        model.obstacles = {{.name = "floor", .shape = Plane{}}};
        Simulation sim(model, populate(model, {rigid("block", Box{{-0.1, 1, -0.1}, {0.1, 1.2, 0.1}})}));
        const double fall = std::sqrt(2 / g), end = 2 * fall;
        double highest = 0;
        while (sim.clock().time < end) {
            sim.step(end);
            if (sim.clock().time > 1.05 * fall)
                highest = std::max(highest, sim.rigid().bodies()[0].center.y - 0.1);
        }
        INFO("restitution ", restitution, ": ", highest, " m");
        CHECK(std::abs(highest - restitution * restitution) < 0.03);
    }
}

TEST_CASE("a kinematic body goes on as it was moved, one that was paused starts as its object says") {
    Model model = weightless(3, spacing, wood());
    Object led = rigid("led", Box{{-0.1, 0, -0.1}, {0.1, 0.2, 0.1}});
    Motion motion;
    motion.keyframes = {{.time = 0}, {.time = 1, .translate = {1, 0, 0}, .rotate = {0, 0, 90}}};
    motion.pivot = {0, 0.1, 0};
    led.held = {{.region = Box{{-1, -1, -1}, {1, 1, 1}}, .motion = motion, .until = 0.5}};
    Object paused = rigid("paused", Box{{-0.1, 2, -0.1}, {0.1, 2.2, 0.1}}, {0, 3, 0});
    paused.angular_velocity = {0, 0, 2};
    paused.release = 0.5;
    const std::vector<Object> objects{led, paused};
    model.objects = objects;
    Simulation sim(model, populate(model, objects));
    run(sim, 0.4);
    CHECK(norm(sim.rigid().bodies()[0].center - Vec3d{0.4, 0.1, 0}) < 1e-6);
    CHECK(norm(census(sim.particles(), 1).momentum) == 0);
    run(sim, 1);
    CHECK(norm(sim.rigid().bodies()[0].center - Vec3d{1, 0.1, 0}) < 1e-3);
    CHECK(sim.rigid().bodies()[0].angular_velocity().z == doctest::Approx(90 * degree).epsilon(1e-3));
    CHECK(norm(sim.rigid().bodies()[1].center - Vec3d{0, 3.6, 0}) < 1e-2);
    CHECK(sim.rigid().bodies()[1].angular_velocity().z == doctest::Approx(2).epsilon(1e-4));
}
