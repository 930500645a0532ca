#include <doctest/doctest.h>

#include <cmath>

#include "geometry/shape.h"
#include "unit/core/generators.h"

using namespace thixo;

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
