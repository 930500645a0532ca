#include <doctest/doctest.h>

#include <cmath>

#include "unit/core/near.h"
#include "unit/sim/splash.h"

using namespace thixo;

TEST_CASE("a piston one spacing thick takes all the water along") {
    // A piston in a channel, as thin as it may be, pushed at 4 m/s into water.
    for (const int d : {2, 3}) {
        const double s = 0.05;
        Model model;
        model.dimensions = d;
        model.particles.spacing = s;
        model.materials = {water(40)};
        model.obstacles = {{.name = "channel", .shape = Box{{-1, 0, 0}, {3, 1.5, 0.3}}, .inside = true},
                           {.name = "piston", .shape = Box{{-s, -0.2, -0.2}, {0, 1.7, 0.5}}}};
        model.obstacles[1].motion.keyframes = {{.time = 0}, {.time = 0.25, .translate = {1, 0, 0}}};
        Simulation sim(
            model,
            populate(model, {{.name = "", .material = "water", .shape = Box{{0, 0, 0}, {2, 0.5, 0.3}}}}),
            Device{1});
        const Index count = sim.particles().size();
        for (int frame = 1; frame <= 5; ++frame) REQUIRE(sim.advance_frame(0.05 * frame, never));
        CHECK(sim.particles().size() == count);
        double carried = 0, near_piston = 0;
        for (Index i = 0; i < count; ++i) {
            CHECK(sim.particles().position[i].x > 1);
            if (sim.particles().position[i].x > 1.1f) continue;
            carried += sim.particles().velocity[i].x;
            ++near_piston;
        }
        // What lies before the piston goes with it.
        CHECK(near_piston > 10);
        CHECK(carried / near_piston == near(4, 0.25));
    }
}

TEST_CASE("no particle passes through a paddle one spacing thick at a tip speed of 5 m/s") {
    const double s = 0.03, length = 0.4, spin = 5 / length;
    Model model;
    model.dimensions = 2;
    model.particles.spacing = s;
    model.materials = {water(50)};
    const Box tank{{-0.6, -0.6, 0}, {0.6, 0.9, 0}};
    model.obstacles = {
        {.name = "tank", .shape = tank, .inside = true},
        {.name = "paddle", .shape = Box{{-length, -s / 2, 0}, {length, s / 2, 0}}, .friction = 0.2}};
    Motion& motion = model.obstacles[1].motion;
    motion.keyframes = {{.time = 0}, {.time = 1, .rotate = {0, 0, spin * 180 / std::acos(-1.0)}}};
    Simulation sim(
        model,
        populate(model, {{.name = "", .material = "water", .shape = Box{{-0.6, -0.6, 0}, {0.6, 0.3, 0}}}}),
        Device{1});
    const Index count = sim.particles().size();
    // Places in the paddle's own frame, by id: rows change places.
    const auto own_places = [&] {
        std::vector<Vec3d> places(count);
        for (Index i = 0; i < count; ++i)
            places[sim.particles().id[i]] =
                motion.at(sim.clock().time).from_world(to_double(sim.particles().position[i]));
        return places;
    };
    std::vector<Vec3d> before = own_places();
    int crossings = 0, beside = 0;
    while (sim.clock().time < 0.6) {
        sim.step(0.6);
        CHECK(sim.clock().last_step * spin * length <= 0.1 * sim.support() * 1.001);
        const std::vector<Vec3d> after = own_places();
        for (Index id = 0; id < count; ++id) {
            if (std::max(std::abs(before[id].x), std::abs(after[id].x)) > length - s) continue;
            beside += std::abs(after[id].y) < s;
            crossings += before[id].y * after[id].y < 0;
        }
        before = after;
    }
    CHECK(beside > 1000);
    CHECK(crossings == 0);
    for (const Vec3f& x : sim.particles().position)
        CHECK(signed_distance(tank, to_double(x), 2).distance < 0);
    double spun = 0;
    for (Index i = 0; i < count; ++i)
        spun += cross(to_double(sim.particles().position[i]), to_double(sim.particles().velocity[i])).z;
    CHECK(spun / count > 0.1);
}
