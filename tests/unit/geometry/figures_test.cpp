#include <doctest/doctest.h>

#include <cmath>

#include "geometry/figures.h"
#include "shapes.h"
#include "unit/core/near.h"

using namespace thixo;
using namespace thixo::test;

namespace {

/// Bounds of many points of the surface: those of a grid, led there along the gradient.
Bounds seen_bounds(const Shape& shape, int dimensions) {
    constexpr double cell = 0.015;
    Bounds seen;
    const Box room{{-0.8, -0.2, -0.6}, {0.8, 1.2, 0.6}};
    for (double z = dimensions == 2 ? 0 : room.min.z; z <= (dimensions == 2 ? 0 : room.max.z); z += cell) {
        for (double y = room.min.y; y <= room.max.y; y += cell) {
            for (double x = room.min.x; x <= room.max.x; x += cell) {
                Vec3d p{x, y, z};
                SignedDistance s = signed_distance(shape, p, dimensions);
                for (int i = 0; i < 6 && std::abs(s.distance) < cell; ++i) {
                    p -= s.distance * s.gradient;
                    s = signed_distance(shape, p, dimensions);
                }
                if (std::abs(s.distance) < 1e-9) seen.include(p);
            }
        }
    }
    return seen;
}

}  // namespace

TEST_CASE("bunny and duck stand on the ground, are as tall as they say, and fill their bounds") {
    for (const Shape& shape : {Shape(Bunny{1}), Shape(Duck{1})}) {
        const Bounds stated = bounds(shape);
        CHECK(stated.min.y == 0);
        CHECK(stated.max.y == 1);
        for (const int d : {2, 3}) {
            const Bounds seen = seen_bounds(shape, d);
            const Vec3d below = seen.min - stated.min, above = stated.max - seen.max;
            for (const double gap : {below.x, below.y, above.x, above.y}) {
                CHECK(gap > -1e-8);
                CHECK(gap < 0.005);
            }
            if (d == 2) continue;
            for (const double gap : {below.z, above.z}) {
                CHECK(gap > -1e-8);
                CHECK(gap < 0.005);
            }
        }
        CHECK(signed_distance(shape, {0, -0.01, 0}, 3).distance > 0.0099);
        // The tip is where it should be.
        double tip = 1;
        for (double x = -0.5; x < 0.5; x += 0.004)
            for (double z = 0; z < 0.3; z += 0.004)
                tip = std::min(tip, signed_distance(shape, {x, 1, z}, 3).distance);
        CHECK(std::abs(tip) < 0.001);
    }
}

TEST_CASE("both halves of bunny and duck are alike") {
    CHECK(rc::check([] {
        const Vec3d x = any_point(-1, 1), mirrored{x.x, x.y, -x.z};
        for (const Shape& shape : {Shape(Bunny{0.8}), Shape(Duck{0.8})})
            // Where three parts meet, the order of the smooth minima shows, but by less than half a blend.
            RC_ASSERT(std::abs(signed_distance(shape, x, 3).distance -
                               signed_distance(shape, mirrored, 3).distance) < 0.5 * 0.03 * 0.8);
    }));
}

TEST_CASE("the profile is the shadow of the solid") {
    // Ears, legs and wings are beside the plane z = 0; in 2D they are seen all the same.
    for (const Shape& shape : {Shape(Bunny{1}), Shape(Duck{1})}) {
        int wrong = 0, all = 0;
        for (double y = 0.01; y < 1; y += 0.02) {
            for (double x = -0.6; x < 0.65; x += 0.02) {
                bool behind = false;
                for (double z = 0; z < 0.4; z += 0.01)
                    behind = behind || signed_distance(shape, {x, y, z}, 3).distance < 0;
                all += behind;
                wrong += behind != (signed_distance(shape, {x, y, 0}, 2).distance < 0);
            }
        }
        CHECK(all > 500);
        CHECK(wrong < 0.06 * all);
    }
}
