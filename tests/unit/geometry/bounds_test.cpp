#include <doctest/doctest.h>

#include <cmath>

#include "shapes.h"

using namespace thixo;
using namespace thixo::test;

TEST_CASE("bounds hold the shape and touch it on all sides") {
    CHECK(rc::check([] {
        const Vec3d min = any_point(-1, 0);
        const Box box{min, min + any_point(0.1, 2)};
        RC_ASSERT(bounds(box).min == box.min);
        RC_ASSERT(bounds(box).max == box.max);

        const Sphere sphere{any_point(-1, 1), any_real(0.1, 2)};
        const Bounds b = bounds(sphere);
        RC_ASSERT(norm(b.center() - sphere.center) < 1e-12);
        RC_ASSERT(norm(b.size() - 2 * sphere.radius * Vec3d{1, 1, 1}) < 1e-12);
    }));
    const Bounds plane = bounds(Plane{});
    for (const double side : {plane.min.x, plane.min.y, plane.min.z, plane.max.x, plane.max.y, plane.max.z})
        CHECK(std::isinf(side));
    CHECK(plane.min.y < plane.max.y);
}

TEST_CASE("bounds of a placed kind with a formula touch it on all sides") {
    CHECK(rc::check([] {
        Shape shape = any_primitive(3);
        RC_PRE(!std::holds_alternative<Plane>(shape.kind));
        if (*rc::gen::inRange(0, 6) == 0) shape = Ellipsoid{any_point(-1, 1), any_point(0.2, 1)};
        shape.placement = any_placement(3);
        const Bounds b = bounds(shape);
        // Walking up to each face from outside, the shape is met there: on the face, some distance of it is
        // 0.
        for (int axis = 0; axis < 3; ++axis) {
            const auto pick = [&](const Vec3d& v) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; };
            for (const bool high : {false, true}) {
                Vec3d x = b.center();
                double& side = axis == 0 ? x.x : axis == 1 ? x.y : x.z;
                double least = 1e9;
                // From the middle of the face down to the shape, back to the face, and so on: alternating
                // projections onto two convex sets find where they touch; a torus is met at its rim.
                for (int i = 0; i < 400; ++i) {
                    side = high ? pick(b.max) : pick(b.min);
                    const auto [d, g] = signed_distance(shape, x, 3);
                    least = std::min(least, d);
                    x -= d * g;
                }
                RC_ASSERT(least > -1e-9);
                RC_ASSERT(least < 0.02 * norm(b.size()));
            }
        }
    }));
}

TEST_CASE("whatever a shape is made of, it lies in its bounds") {
    for (const int dimensions : {2, 3}) {
        CHECK(rc::check([=] {
            const Shape shape = any_body(dimensions);
            const Bounds b = bounds(shape);
            Vec3d x = b.center() + 0.7 * norm(b.size()) * any_position(dimensions, 1);
            if (dimensions == 2) x.z = 0;
            const bool inside_bounds = x.x >= b.min.x && x.y >= b.min.y && x.x <= b.max.x && x.y <= b.max.y &&
                                       (dimensions == 2 || (x.z >= b.min.z && x.z <= b.max.z));
            if (signed_distance(shape, x, dimensions).distance < 0) RC_ASSERT(inside_bounds);
        }));
    }
}

TEST_CASE("bounds grow by what they include, and by nothing else") {
    Bounds b;
    CHECK(b.empty());
    b.include(Bounds{});
    CHECK(b.empty());
    b.include(Vec3d{1, -2, 3});
    CHECK_FALSE(b.empty());
    CHECK(b.size() == Vec3d{0, 0, 0});
    b.include(Bounds{{0, 0, 0}, {1, 1, 1}});
    CHECK(b.min == Vec3d{0, -2, 0});
    CHECK(b.max == Vec3d{1, 1, 3});
    b.include(Bounds{});
    CHECK(b.min == Vec3d{0, -2, 0});
    CHECK(b.center() == Vec3d{0.5, -0.5, 1.5});
}
