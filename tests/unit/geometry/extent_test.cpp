#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "geometry/extent.h"
#include "shapes.h"
#include "unit/core/near.h"

using namespace thixo;
using namespace thixo::test;

namespace {

/// Fraction of random points of the bounds that lie inside, times the bounds: the volume, and its standard
/// error.
struct Estimate {
    double volume, error;
};

Estimate throw_darts(const Shape& shape, int dimensions) {
    const Bounds box = bounds(shape);
    const Vec3d size = box.size();
    constexpr int count = 20000;
    Stream stream(1);
    int inside = 0;
    for (int i = 0; i < count; ++i) {
        const Vec3f u = stream.point(0, 1);
        const Vec3d x{box.min.x + u.x * size.x, box.min.y + u.y * size.y,
                      dimensions == 2 ? 0 : box.min.z + u.z * size.z};
        inside += signed_distance(shape, x, dimensions).distance < 0;
    }
    const double room = size.x * size.y * (dimensions == 2 ? 1 : size.z), p = double(inside) / count;
    return {p * room, room * std::sqrt(p * (1 - p) / count)};
}

}  // namespace

TEST_CASE("volumes are those of random points inside") {
    constexpr double pi = std::numbers::pi;
    const Placement place{1.5, Rotation({0, 0, 30}), {1, 2, 0}};
    const Shape shapes[] = {
        {Box{{0, 0, -1}, {1, 2, 2}}, place},
        {Sphere{{1, 0, 0}, 0.7}, place},
        {Ellipsoid{{0, 0, 0}, {1, 0.5, 0.3}}, place},
        {Cylinder{{0, 0, 0}, {1, 1, 0}, 0.3}, place},
        {Capsule{{0, 0, 0}, {1, 1, 0}, 0.3}, place},
        {Torus{{0, 0, 0}, {0, 0, 1}, 1, 0.3}, place},
        {Union{{Sphere{{0, 0, 0}, 1}, Sphere{{1, 0, 0}, 1}}}, place},
        {Difference{{Sphere{{0, 0, 0}, 1}, Plane{}}}, place},
        {SmoothUnion{0.3, {Sphere{{0, 0, 0}, 1}, Sphere{{1, 0, 0}, 1}}}, place},
        {Bunny{1}, place},
        {Duck{1}, place},
    };
    for (const Shape& shape : shapes) {
        for (const int d : {2, 3}) {
            const Extent found = extent(shape, d);
            const Estimate darts = throw_darts(shape, d);
            CHECK(std::abs(found.volume - darts.volume) < 4 * darts.error + 0.02 * darts.volume);
            CHECK(found.smallest > 0);
            CHECK(smallest_extent(shape, d) == found.smallest);
            const Vec3d size = bounds(shape).size();
            CHECK(found.smallest <= std::max({size.x, size.y, size.z}));
        }
    }
    CHECK(extent(Cylinder{{0, 0, 0}, {0, 2, 0}, 0.5}, 3).volume == near(pi / 2));
    CHECK(extent(Cylinder{{0, 0, 0}, {0, 2, 0}, 0.5}, 2).volume == near(2));
    CHECK(extent(Shape(Torus{{0, 0, 0}, {0, 1, 0}, 1, 0.25}, {.scale = 2}), 3).volume == near(pi * pi));
    CHECK(extent(Shape(Torus{{0, 0, 0}, {0, 1, 0}, 1, 0.25}, {.scale = 2}), 3).smallest == near(1));
}
