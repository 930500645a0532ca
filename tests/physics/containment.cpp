#include <doctest/doctest.h>

#include <cmath>

#include "physics/tank.h"

using namespace thixo;

namespace {

/// How far the particles stay from the walls, at the least, over the whole of a violent run.
double closest_to_walls(int dimensions, const Shape& tank, const Object& body, double spacing, double end) {
    Model model = weightless(dimensions, spacing, liquid(40, 0.05));
    model.gravity = {0, -9.81, 0};
    model.obstacles = {{.name = "tank", .shape = tank, .inside = true}};
    Simulation sim(model, populate(model, {body}));
    const Index count = sim.particles().size();
    double closest = 1e9;
    while (sim.clock().time < end) {
        sim.step(end);
        bool finite = true;
        for (const Vec3f& x : sim.particles().position) {
            finite = finite && is_finite(x);
            closest = std::min(closest, -signed_distance(tank, to_double(x), dimensions).distance);
        }
        REQUIRE(finite);
    }
    CHECK(sim.particles().size() == count);
    return closest;
}

}  // namespace

TEST_CASE("nothing leaves a box, thrown at its walls, edges and corners") {
    for (const int d : {2, 3}) {
        const double spacing = d == 2 ? pick(0.025, 0.01) : pick(0.06, 0.025);
        Object body = filled(Box{{0.2, 0.2, 0.2}, {0.7, 0.7, 0.7}});
        for (const Vec3d& v : {Vec3d{10, 0, 0}, Vec3d{-8, -8, 0}, Vec3d{8, 7, 6}}) {
            body.velocity = v;
            // A fifth of the spacing is what contacts keep free; positions are rounded.
            CHECK(closest_to_walls(d, Box{{0, 0, 0}, {1, 1, 1}}, body, spacing, pick(0.15, 0.6)) >
                  0.2 * spacing - 1e-6);
        }
    }
}

TEST_CASE("nothing leaves a ball") {
    for (const int d : {2, 3}) {
        const double spacing = d == 2 ? pick(0.025, 0.01) : pick(0.06, 0.025);
        Object body = filled(Sphere{{0.1, 0.1, 0}, 0.3});
        body.velocity = {7, -7, d == 2 ? 0. : 3.};
        CHECK(closest_to_walls(d, Sphere{{0, 0, 0}, 0.6}, body, spacing, pick(0.15, 0.6)) >
              0.2 * spacing - 1e-6);
    }
}

TEST_CASE("nothing leaves a container of another shape, tilted, with an edge, or with a hole in it") {
    for (const int d : {2, 3}) {
        const double spacing = d == 2 ? pick(0.025, 0.01) : pick(0.06, 0.025);
        const Rotation tilt(d == 2 ? Vec3d{0, 0, 25} : Vec3d{20, 10, 25});
        const Shape tanks[] = {{Box{{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}}, {1, tilt, {0.1, 0, 0}}},
                               {Cylinder{{0, -0.6, 0}, {0, 0.6, 0}, 0.5}, {1, tilt, {0, 0, 0}}},
                               {Capsule{{-0.3, 0, 0}, {0.3, 0, 0}, 0.45}, {1, tilt, {0, 0, 0}}},
                               {Union{{Sphere{{0, 0, 0}, 0.45}, Box{{0, -0.3, -0.3}, {0.8, 0.3, 0.3}}}}},
                               {Difference{{Sphere{{0, 0, 0}, 0.7}, Sphere{{0.5, -0.3, 0}, 0.3}}}},
                               {Duck{1.6}, {1, Rotation{}, {0, -0.45, 0}}}};
        for (const Shape& tank : tanks) {
            CAPTURE(d);
            CAPTURE(tank.kind.index());
            Object body = filled(Sphere{{0, 0, 0}, 0.25});
            body.velocity = {7, -7, d == 2 ? 0. : 3.};
            // In a concave edge the two sides take turns, a contact each: half of what they keep free may be
            // lost.
            CHECK(closest_to_walls(d, tank, body, spacing, pick(0.15, 0.6)) > 0.1 * spacing);
        }
    }
}
