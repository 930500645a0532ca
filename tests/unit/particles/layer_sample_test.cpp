#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/random.h"
#include "geometry/height_surface.h"
#include "geometry/triangle_tree.h"
#include "particles/layer_sample.h"
#include "unit/core/near.h"
#include "unit/geometry/meshes.h"

using namespace thixo;

namespace {

double nearest(const std::vector<Vec3d>& points, const Vec3d& x, std::size_t but = ~std::size_t{0}) {
    double least2 = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < points.size(); ++j)
        if (j != but) least2 = std::min(least2, norm2(points[j] - x));
    return std::sqrt(least2);
}

/// Checks that particles cover a sheet evenly: none too close to another, no holes, all on the surface.
void check_even(const Shape& shape, double spacing, std::uint64_t seed) {
    const LayerSample sample = sample_layer(shape, Lattice::cubic, spacing, seed);
    const std::vector<Vec3d>& points = sample.points;
    TriangleMesh mesh = std::get<TriangleMesh>(layer_of(shape));
    const double area = measure(mesh);
    CHECK(std::abs(static_cast<double>(points.size()) - area / (spacing * spacing)) <= 0.5);
    CHECK(sample.measure * static_cast<double>(points.size()) == near(area, 1e-12));

    double mean = 0, spread = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double distance = nearest(points, points[i], i) / spacing;
        // Around an edge of a box, two that are half a spacing away from it are as near as this.
        CHECK(distance > 0.7);
        CHECK(distance < 1.25);
        mean += distance / static_cast<double>(points.size());
        spread += distance * distance / static_cast<double>(points.size());
    }
    // Of a square lattice the nearest neighbours are 1 spacing away, of triangles 1.07; disorder makes it
    // less.
    CHECK(mean > 0.94);
    CHECK(mean < 1.07);
    CHECK(std::sqrt(std::max(0.0, spread - mean * mean)) < 0.08);

    for (std::uint32_t k = 0; k < 2000; ++k) {
        const auto words = random_words(7, k, 0, Purpose::test);
        const auto& [a, b, c] = mesh.triangles[words[0] % mesh.triangles.size()];
        const double u = to_unit(words[1]), v = (1 - u) * to_unit(words[2]);
        const Vec3d x = (1 - u - v) * mesh.vertices[a] + u * mesh.vertices[b] + v * mesh.vertices[c];
        // The middle of a square is 0.71 spacings away from its corners.
        CHECK(nearest(points, x) < 0.95 * spacing);
    }
    const TriangleTree tree(mesh);
    for (const Vec3d& x : points) CHECK(tree.nearest(mesh, x).distance2 < 1e-20);
}

Shape surface_of(TriangleMesh mesh) {
    return MeshSurface{"", std::make_shared<const TriangleMesh>(std::move(mesh))};
}

}  // namespace

TEST_CASE("sheets are evenly covered, whatever they are cut into") {
    for (const std::uint64_t seed : {1u, 2u}) {
        check_even(DiscSheet{{0, 1, 0}, 0.5}, 0.03, seed);
        check_even({Sombrero{{0, 0, 0}, 1, 0.3, 3}, {2, Rotation({30, 40, 50}), {1, 0, 0}}}, 0.08, seed);
        check_even(surface_of(icosphere(2)), 0.1, seed);
        // Twelve large triangles, and edges that particles must not heap up at.
        check_even(surface_of(box_mesh({0, 0, 0}, {1, 0.7, 1.3})), 0.07, seed);
    }
    HeightSheet steep;
    steep.min = {-1, -9, -0.5};
    steep.max = {1, 9, 0.5};
    steep.surface =
        std::make_shared<const HeightSurface>(Formula("2*tanh(5*x)", {"x", "z"}), steep.min, steep.max);
    check_even(steep, 0.1, 1);
}

TEST_CASE("triangles of very different size make no difference") {
    // A square: one half of it two triangles, the other half many.
    TriangleMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
    mesh.triangles = {{0, 2, 1}, {0, 3, 2}};
    for (std::uint32_t k = 0; k < 400; ++k) {
        const double x = 1 + (k + 1) / 400.0;
        mesh.vertices.push_back({x, 0, 0});
        mesh.vertices.push_back({x, 0, 1});
        const std::uint32_t c = 4 + 2 * k, d = c + 1, a = k == 0 ? 1 : c - 2, b = k == 0 ? 2 : d - 2;
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({b, d, c});
    }
    const Shape shape = surface_of(mesh);
    check_even(shape, 0.06, 3);
    const LayerSample sample = sample_layer(shape, Lattice::cubic, 0.06, 3);
    const auto left =
        std::count_if(sample.points.begin(), sample.points.end(), [](const Vec3d& x) { return x.x < 1; });
    CHECK(static_cast<double>(left) / static_cast<double>(sample.points.size()) == near(0.5, 0.02));
    // As on a lattice, half a spacing is left at the border.
    double border = 0;
    int beside = 0;
    for (const Vec3d& x : sample.points) {
        if (x.z > 0.06) continue;
        border += x.z;
        ++beside;
    }
    CHECK(border / beside == near(0.03, 0.15));
}

TEST_CASE("a scattered sheet depends on the seed, and on nothing else") {
    const Shape hat = Sombrero{{0, 0, 0}, 1, 0.3, 3};
    const LayerSample one = sample_layer(hat, Lattice::cubic, 0.05, 5, Device{1});
    CHECK(one.points == sample_layer(hat, Lattice::cubic, 0.05, 5, Device{3}).points);
    CHECK(one.points != sample_layer(hat, Lattice::cubic, 0.05, 6, Device{1}).points);
    CHECK(one.points.size() == sample_layer(hat, Lattice::cubic, 0.05, 6, Device{1}).points.size());
}

TEST_CASE("sheets of a few particles have them too") {
    for (const double spacing : {0.3, 0.5, 0.9, 3.0}) {
        const LayerSample sample = sample_layer(DiscSheet{{0, 0, 0}, 0.5}, Lattice::cubic, spacing, 1);
        CHECK(sample.points.size() ==
              std::max(1L, std::lround(0.25 * std::numbers::pi / (spacing * spacing))));
        for (const Vec3d& x : sample.points) CHECK(norm(x) < 0.5);
    }
}

TEST_CASE("rectangles are covered by squares or triangles, layer by layer") {
    const Placement place{2, Rotation({0, 0, 90}), {1, 0, 0}};
    const LayerSample squares =
        sample_layer({RectangleSheet{{0, 0, 0}, 0.5, 0.25, 3}, place}, Lattice::cubic, 0.1, 1);
    CHECK(squares.points.size() == 10 * 5 * 3);
    CHECK(squares.measure == near(0.01));
    for (std::size_t i = 0; i < squares.points.size(); ++i) {
        const Vec3d& x = squares.points[i];
        CHECK(nearest(squares.points, x, i) == near(0.1, 1e-9));
        // Stood on end: the layers are in front of each other along x.
        CHECK(std::abs(x.x - 1) < 0.1001);
        CHECK(std::abs(x.y) < 0.4501);
        CHECK(std::abs(x.z) < 0.2001);
    }
    const double s = 0.02, apart = s * std::sqrt(2 / std::sqrt(3.0));
    const LayerSample triangles = sample_layer(RectangleSheet{{0, 0, 0}, 1, 1, 1}, Lattice::closest, s, 1);
    CHECK(static_cast<double>(triangles.points.size()) == near(2500, 0.02));
    CHECK(triangles.measure * static_cast<double>(triangles.points.size()) == near(1));
    for (std::size_t i = 0; i < triangles.points.size(); ++i)
        CHECK(nearest(triangles.points, triangles.points[i], i) == near(apart, 0.03));
}

TEST_CASE("rods have their particles at even steps of their length") {
    const double length = 2.5 * std::hypot(2 * std::numbers::pi * 0.3, 0.2), s = 0.017;
    const LayerSample helix = sample_layer(Helix{{0, 0, 0}, 0.3, 0.2, 2.5}, Lattice::cubic, s, 1);
    const auto count = static_cast<double>(helix.points.size());
    CHECK(count == std::lround(length / s));
    CHECK(helix.measure * count == near(length, 1e-4));
    // A chord is shorter than its arc by the fraction of (arc / radius)² / 24.
    for (std::size_t i = 1; i < helix.points.size(); ++i)
        CHECK(norm(helix.points[i] - helix.points[i - 1]) == near(helix.measure, 3e-4));
    CHECK(helix.points.front().y == near(0.2 * 2.5 * 0.5 / count, 1e-3));

    // Around corners too, and back to where a closed one began.
    const Curve square{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, false, true};
    const LayerSample ring = sample_layer(square, Lattice::cubic, 0.1, 1);
    CHECK(ring.points.size() == 40);
    for (std::size_t i = 0; i < 40; ++i) {
        const Vec3d step = ring.points[(i + 1) % 40] - ring.points[i];
        CHECK(std::abs(step.x) + std::abs(step.y) == near(0.1, 1e-9));
    }
    CHECK(sample_layer(Curve{{{0, 0, 0}, {0, 0.01, 0}}}, Lattice::cubic, 0.1, 1).points.size() == 1);
}

TEST_CASE("particles of layers are estimated before they are made") {
    CHECK(estimated_layer_particles(RectangleSheet{{0, 0, 0}, 2, 1, 3}, 0.1) == near(600));
    CHECK(estimated_layer_particles({DiscSheet{{0, 0, 0}, 1}, {3, {}, {}}}, 0.1) ==
          near(900 * std::numbers::pi, 1e-3));
    CHECK(estimated_layer_particles(Curve{{{0, 0, 0}, {2, 0, 0}}}, 0.1) == near(20));
}
