#include <doctest/doctest.h>

#include <cmath>

#include "shapes.h"
#include "unit/core/near.h"

using namespace thixo;
using namespace thixo::test;

TEST_CASE(
    "a union holds what any part holds, a difference what the first part alone holds, an intersection what "
    "all hold") {
    for (const int d : {2, 3}) {
        CHECK(rc::check([=] {
            const std::vector<Shape> parts{any_primitive(d), any_primitive(d), any_primitive(d)};
            const Vec3d x = any_position(d);
            bool any = false, others = false;
            for (std::size_t i = 0; i < parts.size(); ++i) {
                const bool in = signed_distance(parts[i], x, d).distance < 0;
                any = any || in;
                others = others || (in && i > 0);
            }
            RC_ASSERT((signed_distance(Union{parts}, x, d).distance < 0) == any);
            const bool first = signed_distance(parts[0], x, d).distance < 0;
            const double rest = signed_distance(Difference{parts}, x, d).distance;
            if (std::abs(rest) > 1e-12) RC_ASSERT((rest < 0) == (first && !others));
            bool all = true;
            for (const Shape& part : parts) all = all && signed_distance(part, x, d).distance < 0;
            RC_ASSERT((signed_distance(Intersection{parts}, x, d).distance < 0) == all);
            const Bounds box = bounds(Intersection{parts});
            if (all) RC_ASSERT(box.holds(x, 1e-9));
        }));
    }
}

TEST_CASE("no surface is nearer than the distance of unions, differences and intersections") {
    for (const int d : {2, 3}) {
        CHECK(rc::check([=] {
            const std::vector<Shape> parts{any_primitive(d), any_primitive(d)};
            for (const Shape& shape :
                 {Shape(Union{parts}), Shape(Difference{parts}), Shape(Intersection{parts})}) {
                const Vec3d x = any_position(d), y = x + any_real(0, 1) * any_direction(d);
                const SignedDistance a = signed_distance(shape, x, d), b = signed_distance(shape, y, d);
                RC_ASSERT(std::abs(a.distance - b.distance) <= norm(x - y) + 1e-12);
                RC_ASSERT(std::abs(norm(a.gradient) - 1) < 1e-12);
            }
        }));
    }
}

TEST_CASE("a smooth union holds the union, and no more than a quarter of its blend beside two shapes") {
    for (const int d : {2, 3}) {
        CHECK(rc::check([=] {
            const std::vector<Shape> parts{any_primitive(d), any_primitive(d)};
            const double blend = any_real(0.01, 0.5);
            const Vec3d x = any_position(d);
            const double sharp = signed_distance(Union{parts}, x, d).distance,
                         smooth = signed_distance(SmoothUnion{blend, parts}, x, d).distance;
            if (sharp < 0) RC_ASSERT(smooth < 0);
            if (smooth < 0) RC_ASSERT(sharp <= blend / 4 + 1e-12);
        }));
    }
    // Far from the seam it is one of its parts.
    const SmoothUnion two{0.2, {Sphere{{0, 0, 0}, 1}, Sphere{{1.5, 0, 0}, 1}}};
    CHECK(signed_distance(two, {-1.3, 0.2, 0}, 3).distance ==
          near(signed_distance(Sphere{{0, 0, 0}, 1}, {-1.3, 0.2, 0}, 3).distance));
}

TEST_CASE("near the surface of a smooth union the distance grows as it should") {
    // Two walls that meet at a right angle: the fillet between them is where the smooth minimum is flattest.
    const SmoothUnion corner{0.4, {Plane{{0, 0, 0}, {1, 0, 0}}, Plane{{0, 0, 0}, {0, 1, 0}}}};
    CHECK(rc::check([&] {
        Vec3d x{any_real(0, 0.3), any_real(0, 0.3), 0};
        for (int i = 0; i < 20; ++i) {
            const auto [d, g] = signed_distance(corner, x, 2);
            x -= d * g;
        }
        const Vec3d n = signed_distance(corner, x, 2).gradient;
        const double h = 1e-4;
        RC_ASSERT(std::abs(signed_distance(corner, x, 2).distance) < 1e-9);
        RC_ASSERT(std::abs(signed_distance(corner, x + h * n, 2).distance - h) < 0.01 * h);
        RC_ASSERT(std::abs(signed_distance(corner, x - h * n, 2).distance + h) < 0.01 * h);
    }));
}
