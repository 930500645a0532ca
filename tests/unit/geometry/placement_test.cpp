#include <doctest/doctest.h>

#include <cmath>

#include "shapes.h"
#include "unit/core/near.h"

using namespace thixo;
using namespace thixo::test;

TEST_CASE("a rotation turns about x, then y, then z, by the right hand") {
    CHECK(Rotation({90, 0, 0}).apply({0, 1, 0}) == Vec3d{0, 0, 1});
    CHECK(Rotation({0, 90, 0}).apply({0, 0, 1}) == Vec3d{1, 0, 0});
    CHECK(Rotation({0, 0, 90}).apply({1, 0, 0}) == Vec3d{0, 1, 0});
    CHECK(Rotation({90, 90, 0}).apply({0, 1, 0}) == Vec3d{1, 0, 0});
    CHECK(Rotation({-90, 180, 270}).apply({0, 1, 0}) == Rotation({270, -180, -90}).apply({0, 1, 0}));
    CHECK(norm(Rotation({0, 0, 30}).apply({2, 0, 0}) - Vec3d{std::sqrt(3.0), 1, 0}) < 1e-15);
    CHECK(rc::check([] {
        const Vec3d degrees = any_point(-800, 800), a = any_point(-1, 1), b = any_point(-1, 1);
        const Rotation all(degrees), x({degrees.x, 0, 0}), y({0, degrees.y, 0}), z({0, 0, degrees.z});
        RC_ASSERT(norm(all.apply(a) - z.apply(y.apply(x.apply(a)))) < 1e-14);
        RC_ASSERT(norm(all.undo(all.apply(a)) - a) < 1e-14);
        RC_ASSERT(norm(cross(all.apply(a), all.apply(b)) - all.apply(cross(a, b))) < 1e-14);
    }));
}

TEST_CASE("a placement scales, turns, then moves, and back") {
    const Placement place{2, Rotation({0, 0, 90}), {10, 0, 0}};
    CHECK(place.to_world({1, 0, 0}) == Vec3d{10, 2, 0});
    CHECK(place.to_local({10, 2, 0}) == Vec3d{1, 0, 0});
    CHECK_FALSE(place.is_identity());
    CHECK(Placement{}.is_identity());
}

TEST_CASE("a placed shape is as far away as the shape from the point brought back, times the scale") {
    for (const int dimensions : {2, 3}) {
        CHECK(rc::check([=] {
            const Shape inner = any_body(dimensions);
            const Placement place = any_placement(dimensions);
            // The shape's own placement is inside the union, the other around it.
            const Shape outer(Union{{inner}}, place);
            const Vec3d x = any_position(dimensions, 3);
            const auto [d, g] = signed_distance(outer, x, dimensions);
            const SignedDistance own = signed_distance(inner, place.to_local(x), dimensions);
            RC_ASSERT(std::abs(d - place.scale * own.distance) < 1e-12);
            RC_ASSERT(norm(g - place.rotate.apply(own.gradient)) < 1e-12);
            RC_ASSERT(std::abs(norm(g) - 1) < 1e-12);
            if (dimensions == 2) RC_ASSERT(std::abs(g.z) < 1e-15);
        }));
    }
}

TEST_CASE("a placed plane is a plane") {
    CHECK(rc::check([] {
        const Plane plane{any_point(-1, 1), any_direction(3)};
        const Placement place = any_placement(3);
        const Vec3d x = any_point(-3, 3);
        const SignedDistance a = signed_distance(Shape(plane, place), x, 3),
                             b = signed_distance(placed(plane, place), x, 3);
        RC_ASSERT(std::abs(a.distance - b.distance) < 1e-12);
        RC_ASSERT(norm(a.gradient - b.gradient) < 1e-12);
    }));
}
