#include "render/polygons.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "geometry/extent.h"

using namespace thixo;

namespace {

const Bounds stage{{-1, -1, -1}, {1, 1, 1}};

double volume(const Polygons& surface) {
    double sum = 0;
    for (const auto& t : surface.triangles) {
        const auto corner = [&](int k) {
            return to_double(surface.vertices[t[static_cast<std::size_t>(k)]]);
        };
        sum += dot(corner(0), cross(corner(1), corner(2))) / 6;
    }
    return sum;
}

/// Every edge is passed as often in one direction as in the other.
bool is_closed(const Polygons& surface) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> passes;
    for (const auto& t : surface.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const auto a = t[k], b = t[(k + 1) % 3];
            passes[std::minmax(a, b)] += a < b ? 1 : -1;
        }
    return std::all_of(passes.begin(), passes.end(), [](const auto& edge) { return edge.second == 0; });
}

}  // namespace

TEST_CASE("the polygons of a shape are closed, turned outward, and lie on its surface") {
    const Placement place{0.5, Rotation({20, 30, 40}), {0.3, -0.1, 0.2}};
    const Shape shapes[] = {
        {Box{{0, 0, 0}, {1, 2, 0.5}}, place},
        {Ellipsoid{{0, 0, 0}, {1, 0.5, 0.3}}, place},
        {Cylinder{{0, 0, 0}, {1, 1, 0}, 0.3}, place},
        {Capsule{{0, 0, 0}, {1, 1, 0}, 0.3}, place},
        {Torus{{0, 0, 0}, {0, 0, 1}, 1, 0.3}, place},
        {Union{{Sphere{{0, 0, 0}, 1}, Sphere{{1, 0, 0}, 1}}}, place},
        {Difference{{Sphere{{0, 0, 0}, 1}, Sphere{{0, 1, 0}, 0.8}}}, place},
        {SmoothUnion{0.3, {Sphere{{0, 0, 0}, 1}, Sphere{{1, 0, 0}, 1}}}, place},
        {Bunny{1}, place},
        {Duck{1}, place},
    };
    for (const Shape& shape : shapes) {
        CAPTURE(shape.kind.index());
        const Polygons surface = polygons_of(shape, stage);
        CHECK(is_closed(surface));
        CHECK(volume(surface) == doctest::Approx(extent(shape, 3).volume).epsilon(0.02));
        const double cell = norm(bounds(shape).size()) / 96;
        double farthest = 0;
        for (const Vec3f& x : surface.vertices)
            farthest = std::max(farthest, std::abs(signed_distance(shape, to_double(x), 3).distance));
        CHECK(farthest < 0.5 * cell);
    }
}

TEST_CASE("edges stay sharp") {
    // A ring of vertices lies on the rim of a cylinder: chamfered ones would miss it by a good part of a
    // cell.
    const Cylinder can{{0, -0.5, 0}, {0, 0.5, 0}, 0.3};
    const Polygons surface = polygons_of(can, stage);
    int on_rim = 0;
    for (const Vec3f& x : surface.vertices)
        on_rim += std::abs(std::abs(x.y) - 0.5f) < 0.001f && std::abs(std::hypot(x.x, x.z) - 0.3f) < 0.001f;
    const double cells_around = 2 * std::numbers::pi * 0.3 * 96;
    CHECK(on_rim > cells_around);
}

TEST_CASE("of a shape without an end the part around the stage is made") {
    const Polygons surface =
        polygons_of(Union{{Plane{{0, -0.2, 0}, {0, 1, 0}}, Sphere{{0, 0, 0}, 0.5}}}, stage);
    CHECK(surface.triangles.size() > 1000);
    for (const Vec3f& x : surface.vertices) CHECK(std::max(std::abs(x.x), std::abs(x.z)) < 3.2f);
}
