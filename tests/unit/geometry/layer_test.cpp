#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "geometry/height_surface.h"
#include "geometry/layer.h"
#include "unit/core/near.h"
#include "unit/geometry/meshes.h"
#include "unit/geometry/shapes.h"

using namespace thixo;
using namespace thixo::test;

namespace {

constexpr double pi = std::numbers::pi;

HeightSheet sheet_of(const char* formula, const Vec3d& min, const Vec3d& max) {
    HeightSheet sheet;
    sheet.min = min;
    sheet.max = max;
    sheet.surface = std::make_shared<const HeightSurface>(Formula(formula, {"x", "z"}), min, max);
    return sheet;
}

}  // namespace

TEST_CASE("areas and lengths of layers are those of the formulas") {
    CHECK(measure(layer_of(RectangleSheet{{1, 2, 3}, 2, 0.5, 4})) == near(1));
    // A polygon of 256 sides has 1.0e-4 less area than its circle.
    CHECK(measure(layer_of(DiscSheet{{1, 2, 3}, 2})) == near(4 * pi, 1.1e-4));
    CHECK(measure(layer_of(sheet_of("x + 2*z", {0, -9, 0}, {1, 9, 2}))) == near(2 * std::sqrt(6.0)));
    CHECK(measure(layer_of(Sombrero{{0, 1, 0}, 3, 0, 3})) == near(9));
    CHECK(measure(layer_of(MeshSurface{"", std::make_shared<TriangleMesh>(icosphere(5))})) ==
          near(4 * pi, 1e-3));
    CHECK(measure(layer_of(Curve{{{0, 0, 0}, {3, 4, 0}, {3, 4, 12}}, false, false})) == near(17));
    CHECK(measure(layer_of(Curve{{{0, 0, 0}, {3, 4, 0}, {3, 4, 12}}, false, true})) == near(17 + 13));
    CHECK(measure(layer_of(Helix{{0, 0, 0}, 2, 3, 2.5})) == near(2.5 * std::hypot(4 * pi, 3), 1e-4));
}

TEST_CASE("smooth curves pass through their points without kinks") {
    // Twelve points of a circle make nearly that circle.
    Curve circle{{}, true, true};
    for (int k = 0; k < 12; ++k) circle.points.push_back({std::cos(pi * k / 6), std::sin(pi * k / 6), 0});
    const Layer layer = layer_of(circle);
    CHECK(measure(layer) == near(2 * pi, 0.01));
    const std::vector<Vec3d>& points = points_of(layer);
    for (std::size_t k = 0; k < points.size(); ++k) {
        const Vec3d &a = points[k], &b = points[(k + 1) % points.size()],
                    &c = points[(k + 2) % points.size()];
        CHECK(dot(normalized(b - a), normalized(c - b)) > 0.998);
    }
    for (const Vec3d& x : circle.points)
        CHECK(std::any_of(points.begin(), points.end(), [&](const Vec3d& p) { return norm(p - x) < 1e-12; }));
    // Points in a row, and two points, make a straight rod.
    CHECK(measure(layer_of(Curve{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, true, false})) == near(2));
    CHECK(measure(layer_of(Curve{{{0, 0, 0}, {1, 2, 2}}, true, false})) == near(3));
}

TEST_CASE("a sombrero has its crown in the middle and ripples around its centre") {
    const Layer layer = layer_of(Sombrero{{1, 2, 3}, 4, 0.5, 2});
    double top = -9, trough = 9;
    for (const Vec3d& x : points_of(layer)) {
        const double k = pi, r = std::hypot(x.x - 1, x.z - 3);  // k = 2π · 2 / 4
        CHECK(x.y == near(2 + (r > 0 ? 0.5 * std::sin(k * r) / (k * r) : 0.5), 1e-9));
        top = std::max(top, x.y);
        trough = std::min(trough, x.y);
    }
    CHECK(top == near(2.5));
    // The lowest value of sin(x)/x is −0.2172.
    CHECK(trough == near(2 - 0.5 * 0.21723, 1e-4));
}

TEST_CASE("places along a rod are given by the arc length") {
    const Polyline corner{{{0, 0, 0}, {1, 0, 0}, {1, 2, 0}}, true};
    const auto at = [&](double s) { return points_along(corner, {s}).front(); };
    CHECK(norm(at(0) - Vec3d{0, 0, 0}) < 1e-12);
    CHECK(norm(at(0.5) - Vec3d{0.5, 0, 0}) < 1e-12);
    CHECK(norm(at(2) - Vec3d{1, 1, 0}) < 1e-12);
    CHECK(norm(at(3 + 0.5 * std::sqrt(5.0)) - Vec3d{0.5, 1, 0}) < 1e-12);
    CHECK(norm(at(3 + std::sqrt(5.0)) - Vec3d{0, 0, 0}) < 1e-12);
    CHECK(points_along(corner, {0.2, 0.4, 2.5}).size() == 3);
}

TEST_CASE("layers are placed as other shapes are, and their bounds hold them") {
    const Placement place{2, Rotation({0, 0, 90}), {5, 0, 0}};
    const Shape upright(RectangleSheet{{0, 1, 0}, 2, 3, 1}, place);
    CHECK(measure(layer_of(upright)) == near(24));
    const Bounds box = bounds(upright);
    CHECK(norm(box.min - Vec3d{3, -2, -3}) < 1e-12);
    CHECK(norm(box.max - Vec3d{3, 2, 3}) < 1e-12);
    const Shape rod(Helix{{0, 0, 0}, 1, 0.5, 4}, place);
    CHECK(measure(layer_of(rod)) == near(8 * std::hypot(2 * pi, 0.5), 1e-4));
    CHECK(bounds(rod).size().x == near(4));
    CHECK(bounds(rod).size().y == near(4));
}

TEST_CASE("layers are distinguished from bodies, and have no inside") {
    CHECK(is_sheet(Shape(DiscSheet{})));
    CHECK(!is_rod(Shape(DiscSheet{})));
    CHECK(is_rod(Shape(Helix{})));
    CHECK(!is_layer(Shape(HeightField{})));
    CHECK(is_layer(Shape(HeightSheet{})));
    CHECK(signed_distance(Shape(DiscSheet{}), {0, 0, 0}, 3).distance > 1e9);
}
