#include "surface/outline.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "clouds.h"
#include "core/error.h"
#include "geometry/shape.h"

using namespace thixo;

namespace {

constexpr double pi = std::numbers::pi;
constexpr SurfaceMethod flat_methods[] = {SurfaceMethod::density, SurfaceMethod::zhu_bridson,
                                          SurfaceMethod::solenthaler, SurfaceMethod::anisotropic};

template <class Inside>
Cloud flat(double spacing, double extent, const Inside& inside) {
    Cloud cloud;
    const int n = static_cast<int>(extent / spacing) + 1;
    for (int j = -n; j < n; ++j)
        for (int i = -n; i < n; ++i) {
            const Vec3d x = spacing * Vec3d{i + 0.5, j + 0.5, 0};
            if (inside(x)) cloud.add(x, spacing / 2);
        }
    return cloud;
}

Surface outline_of(const Cloud& cloud, const SurfaceSettings& settings, double radius,
                   const std::vector<SurfaceObstacle>& obstacles = {}) {
    return reconstruct_outline({2}, cloud.view(), {}, settings, radius, plenty, obstacles);
}

}  // namespace

TEST_CASE("the outline of a disc is closed, of the right area and length") {
    const Cloud disc = flat(0.05, 1, [](const Vec3d& x) { return norm(x) < 1; });
    for (const SurfaceMethod method : flat_methods) {
        CAPTURE(static_cast<int>(method));
        const Surface s = outline_of(disc, {.method = method, .smooth = 10}, 0.025);
        CHECK(s.report.manifold());
        CHECK(s.report.components == 1);
        CHECK(s.mesh.triangles.empty());
        CHECK(s.report.volume == doctest::Approx(pi).epsilon(0.01));
        CHECK(s.report.area == doctest::Approx(2 * pi).epsilon(0.03));
        for (std::size_t v = 0; v < s.mesh.vertices.size(); ++v) {
            CHECK(s.mesh.vertices[v].z == 0);
            CHECK(std::abs(norm(to_double(s.mesh.vertices[v])) - 1) < 0.05);
            CHECK(dot(s.mesh.normals[v], normalized(s.mesh.vertices[v])) > 0.7f);
        }
    }
}

TEST_CASE("a ring has two outlines, and a speck is dropped on request") {
    Cloud ring = flat(0.05, 1, [](const Vec3d& x) { return norm(x) < 1 && norm(x) > 0.5; });
    const Surface s = outline_of(ring, {}, 0.025);
    CHECK(s.report.components == 2);
    CHECK(s.report.volume == doctest::Approx(0.75 * pi).epsilon(0.01));
    ring.add({3, 0, 0}, 0.025);
    CHECK(outline_of(ring, {}, 0.025).report.components == 3);
    CHECK(outline_of(ring, {.specks = 4}, 0.025).report.components == 2);
}

TEST_CASE("water in a flat tank reaches its walls") {
    const std::vector<SurfaceObstacle> tank{{thixo::Box{{-1, -1, -1}, {1, 1, 1}}, true, {}, 2}};
    const Cloud water =
        flat(0.05, 1, [](const Vec3d& x) { return x.y < 0 && x.y > -1 && std::abs(x.x) < 1; });
    const Surface s = outline_of(water, {}, 0.025, tank);
    CHECK(s.report.manifold());
    CHECK(s.report.volume == doctest::Approx(2).epsilon(0.01));
    double lowest = 1, left = 1;
    for (const Vec3f& v : s.mesh.vertices) {
        lowest = std::min(lowest, double{v.y});
        left = std::min(left, double{v.x});
    }
    CHECK(std::abs(lowest + 1) < 1e-4);
    CHECK(std::abs(left + 1) < 1e-4);
    // Two corners of the tank and two where the surface meets it: the outline is cut off at none of them.
    for (const Vec3d corner : {Vec3d{-1, -1, 0}, Vec3d{1, -1, 0}}) {
        double nearest = 1;
        for (const Vec3f& v : s.mesh.vertices) nearest = std::min(nearest, norm(to_double(v) - corner));
        CHECK(nearest < 1e-4);
    }
    for (const SurfaceMesh::Ends& e : s.mesh.edges) {
        const Vec3f &a = s.mesh.vertices[e[0]], &b = s.mesh.vertices[e[1]];
        if (std::abs(a.y) < 0.1f && std::abs(b.y) < 0.1f && std::abs(a.x) > 0.9f)
            CHECK(std::min(std::abs(a.x - b.x), std::abs(a.y - b.y)) < 0.1f * 0.025f);
    }
}

TEST_CASE("random flat clouds have closed outlines; active ones are refused") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Cloud cloud;
        const int count = 1 + static_cast<int>(30 * uniform(seed));
        for (int i = 0; i < count; ++i) {
            const auto random = [&](std::uint64_t k) {
                return uniform(mix(seed) + 4 * static_cast<std::uint64_t>(i) + k);
            };
            cloud.add({8 * random(0), 8 * random(1), 0}, 0.3 * std::exp2(2 * random(2)));
        }
        const Surface s =
            outline_of(cloud, {.method = flat_methods[seed % 4], .smooth = static_cast<int>(seed % 3)}, 0.3);
        CHECK(s.report.manifold());
        CHECK(s.report.vertices > 0);
    }
    Cloud one;
    one.add({0, 0, 0}, 1);
    CHECK_THROWS_AS(outline_of(one, {.method = SurfaceMethod::active}, 1), InputError);
    CHECK(outline_of({}, {}, 1).mesh.edges.empty());
}
