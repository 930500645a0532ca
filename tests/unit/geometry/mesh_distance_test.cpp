#include "geometry/mesh_distance.h"

#include <doctest/doctest.h>

#include <cmath>

#include "geometry/shape.h"
#include "unit/core/generators.h"
#include "unit/core/near.h"
#include "unit/geometry/meshes.h"

using namespace thixo;

namespace {

/// Distance to a triangle by a fine grid of its points.
double brute_distance(const TriangleMesh& mesh, const Vec3d& x, int n) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto& t : mesh.triangles) {
        const Vec3d a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
        for (int i = 0; i <= n; ++i)
            for (int j = 0; i + j <= n; ++j)
                nearest =
                    std::min(nearest, norm(x - (a + (double(i) / n) * (b - a) + (double(j) / n) * (c - a))));
    }
    return nearest;
}

/// How often the surface goes around x: 1 inside, 0 outside. [van Oosterom & Strackee 1983]
double winding_number(const TriangleMesh& mesh, const Vec3d& x) {
    double sum = 0;
    for (const auto& t : mesh.triangles) {
        const Vec3d a = mesh.vertices[t[0]] - x, b = mesh.vertices[t[1]] - x, c = mesh.vertices[t[2]] - x;
        const double la = norm(a), lb = norm(b), lc = norm(c);
        sum += 2 * std::atan2(dot(a, cross(b, c)),
                              la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return sum / (4 * std::numbers::pi);
}

/// A star with spikes: sharp vertices and edges, concave and convex.
TriangleMesh star(std::uint64_t seed) {
    TriangleMesh mesh = icosphere(1);
    Stream stream(seed);
    for (Vec3d& x : mesh.vertices) x = x * double{stream.real(0.15f, 1.5f)};
    return closed_mesh(mesh);
}

}  // namespace

TEST_CASE("the distance to the mesh of a box is the one to the box") {
    CHECK(rc::check([] {
        const Vec3d min = any_point(-1, 0), max = min + any_point(0.05, 1.5);
        const MeshDistance mesh(closed_mesh(box_mesh(min, max)));
        const Vec3d x = any_point(-2, 2);
        const auto [d, g] = mesh.at(x, 3);
        RC_ASSERT(std::abs(d - signed_distance(Box{min, max}, x, 3).distance) < 1e-12);
        RC_ASSERT(std::abs(norm(g) - 1) < 1e-12);
        RC_ASSERT(std::abs(mesh.at(x - d * g, 3).distance) < 1e-12);
        RC_ASSERT(mesh.bounds().min == min);
        RC_ASSERT(mesh.bounds().max == max);
        const Vec3d size = max - min;
        RC_ASSERT(std::abs(mesh.volume() - size.x * size.y * size.z) < 1e-12);
    }));
}

TEST_CASE("finer spheres come closer to the sphere by the square of the edge") {
    double last = 0;
    for (const int levels : {1, 2, 3, 4}) {
        const MeshDistance mesh(closed_mesh(icosphere(levels)));
        double worst = 0;
        Stream stream(7);
        for (int i = 0; i < 2000; ++i) {
            const Vec3d x = to_double(stream.point(-1.5f, 1.5f));
            worst = std::max(worst, std::abs(mesh.at(x, 3).distance - (norm(x) - 1)));
        }
        if (last > 0) CHECK(last / worst == doctest::Approx(4).epsilon(0.15));
        last = worst;
    }
    CHECK(last < 0.083 * 0.083 / 6);  // an equilateral triangle with the longest edge L lies L²/6 deep
}

TEST_CASE("a torus has a hole") {
    const MeshDistance mesh(torus_mesh(1, 0.3, 96));
    Stream stream(3);
    for (int i = 0; i < 1000; ++i) {
        const Vec3d x = to_double(stream.point(-1.5f, 1.5f));
        const double exact = std::hypot(std::hypot(x.x, x.z) - 1, x.y) - 0.3;
        // The sagittas of chords of the outer circle and of the tube, r (1 − cos(π/n)) each.
        CHECK(std::abs(mesh.at(x, 3).distance - exact) < 1.6 * (1 - std::cos(std::numbers::pi / 96)));
    }
    CHECK(mesh.at({0, 0, 0}, 3).distance == near(0.7, 1e-3));
}

TEST_CASE("distance and sign agree with a search and the winding number, at spikes and notches too") {
    constexpr int n = 40;
    CHECK(rc::check([] {
        const TriangleMesh mesh = star(*rc::gen::inRange<std::uint64_t>(0, 50));
        const MeshDistance distance(mesh);
        // Half of the points lie right beside a vertex: there a face normal alone would give the wrong sign.
        Vec3d x = any_point(-1.5, 1.5);
        if (*rc::gen::arbitrary<bool>())
            x = mesh.vertices[*rc::gen::inRange<std::size_t>(0, mesh.vertices.size())] + 0.02 * x;
        const auto [d, g] = distance.at(x, 3);
        const double found = brute_distance(mesh, x, n);
        RC_ASSERT(std::abs(d) <= found + 1e-12);
        RC_ASSERT(std::abs(d) >= found - 3.0 / n);
        RC_ASSERT(std::abs(norm(g) - 1) < 1e-9);
        if (std::abs(d) > 1e-9) RC_ASSERT((d < 0) == (winding_number(mesh, x) > 0.5));
    }));
}

TEST_CASE("on the surface the gradient is the normal") {
    const MeshDistance mesh(closed_mesh(box_mesh({0, 0, 0}, {1, 1, 1})));
    CHECK(mesh.at({0.25, 1, 0.5}, 3).gradient.y == near(1));
    CHECK(mesh.at({0.25, 1, 0.5}, 3).distance == doctest::Approx(0));
    const double r2 = std::sqrt(0.5), r3 = std::sqrt(1 / 3.0);
    CHECK(norm(mesh.at({0.25, 1, 1}, 3).gradient - Vec3d{0, r2, r2}) < 1e-12);
    CHECK(norm(mesh.at({1, 1, 1}, 3).gradient - Vec3d{r3, r3, r3}) < 1e-12);
}

TEST_CASE("a plate a thousandth thick has an inside") {
    const MeshDistance mesh(closed_mesh(box_mesh({-1, 0, -1}, {1, 1e-3, 1})));
    Stream stream(5);
    for (int i = 0; i < 1000; ++i) {
        const Vec3d foot = {stream.real(-0.9f, 0.9f), 0, stream.real(-0.9f, 0.9f)};
        CHECK(mesh.at(foot + Vec3d{0, 5e-4, 0}, 3).distance == near(-5e-4));
        CHECK(mesh.at(foot - Vec3d{0, 1e-4, 0}, 3).distance == near(1e-4));
        CHECK(mesh.at(foot + Vec3d{0, 1.1e-3, 0}, 3).distance == near(1e-4));
    }
}

TEST_CASE("a shell is hollow") {
    TriangleMesh shell = icosphere(2), inner = icosphere(2);
    for (auto [a, b, c] : inner.triangles)
        shell.triangles.push_back({a + static_cast<std::uint32_t>(shell.vertices.size()),
                                   c + static_cast<std::uint32_t>(shell.vertices.size()),
                                   b + static_cast<std::uint32_t>(shell.vertices.size())});
    for (const Vec3d& x : inner.vertices) shell.vertices.push_back(0.5 * x);
    const MeshDistance mesh(closed_mesh(shell));
    CHECK(mesh.at({0, 0, 0}, 3).distance > 0.45);
    CHECK(mesh.at({0.75, 0, 0}, 3).distance < -0.2);
    CHECK(mesh.at({2, 0, 0}, 3).distance > 0.9);
}

TEST_CASE("in 2D the distance is the one to the outline") {
    CHECK(rc::check([] {
        const Vec3d min = any_point(-1, -0.1), max = any_point(0.1, 1);
        const MeshDistance mesh(closed_mesh(box_mesh(min, max)));
        RC_ASSERT(mesh.has_outline());
        Vec3d x = any_point(-2, 2);
        x.z = 0;
        const auto [d, g] = mesh.at(x, 2);
        const SignedDistance exact = signed_distance(Box{min, max}, x, 2);
        RC_ASSERT(std::abs(d - exact.distance) < 1e-12);
        RC_ASSERT(g.z == 0);
        RC_ASSERT(std::abs(mesh.at(x - d * g, 2).distance) < 1e-12);
    }));
    CHECK_FALSE(MeshDistance(closed_mesh(box_mesh({0, 0, 1}, {1, 1, 2}))).has_outline());
    // A face that lies in the plane, a mesh with vertices there.
    CHECK(MeshDistance(closed_mesh(box_mesh({0, 0, -1}, {1, 1, 0}))).has_outline());
    const MeshDistance ring(torus_mesh(1, 0.3, 64));
    CHECK(ring.at({1, 0, 0}, 2).distance == near(-0.3, 0.02));
    CHECK(ring.at({0, 0, 0}, 2).distance == near(0.7, 0.02));
}
