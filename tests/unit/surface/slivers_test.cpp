#include "surface/slivers.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "clouds.h"

using namespace thixo;

namespace {

constexpr double degree = std::numbers::pi / 180;

/// The part of the triangles that have an angle below ten degrees.
double thin_part(const SurfaceMesh& mesh) {
    std::size_t thin = 0;
    for (const SurfaceMesh::Corners& t : mesh.triangles) {
        double smallest = 1e9;
        for (int c = 0; c < 3; ++c) {
            const Vec3d a = to_double(mesh.vertices[t[c]]);
            const Vec3d u = to_double(mesh.vertices[t[(c + 1) % 3]]) - a,
                        v = to_double(mesh.vertices[t[(c + 2) % 3]]) - a;
            smallest = std::min(smallest, std::atan2(norm(cross(u, v)), dot(u, v)));
        }
        thin += smallest < 10 * degree;
    }
    return static_cast<double>(thin) / static_cast<double>(mesh.triangles.size());
}

Cloud torus() {
    return lattice(0.1, 1.5, [](const Vec3d& x) { return std::hypot(std::hypot(x.x, x.z) - 1, x.y) < 0.4; });
}

}  // namespace

TEST_CASE("slivers are collapsed: thin triangles go, shape and topology stay") {
    for (const SurfaceMethod method : every_method) {
        CAPTURE(static_cast<int>(method));
        const SurfaceSettings raw{.method = method};
        SurfaceSettings clean = raw;
        clean.slivers = 0.3;
        const Surface before = reconstruct({2}, torus().view(), {}, raw, 0.05, plenty),
                      after = reconstruct({2}, torus().view(), {}, clean, 0.05, plenty);
        CHECK(after.report.manifold());
        CHECK(after.report.components == 1);
        CHECK(after.report.genus == 1);
        CHECK(after.report.triangles < 0.85 * static_cast<double>(before.report.triangles));
        CHECK(thin_part(after.mesh) < 0.2 * thin_part(before.mesh));
        CHECK(after.report.volume == doctest::Approx(before.report.volume).epsilon(5e-3));
        CHECK(after.report.area == doctest::Approx(before.report.area).epsilon(1e-2));
        CHECK(after.mesh.normals.size() == after.mesh.vertices.size());
        // The same for any number of threads.
        const Surface one = reconstruct({1}, torus().view(), {}, clean, 0.05, plenty);
        CHECK(one.mesh.vertices == after.mesh.vertices);
        CHECK(one.mesh.triangles == after.mesh.triangles);
    }
}

TEST_CASE("vertices on a flat wall stay on it") {
    const Cloud block = lattice(0.1, 0.5, [](const Vec3d& x) {
        return x.y > 0 && x.y < 0.5 && std::max(std::abs(x.x), std::abs(x.z)) < 0.5;
    });
    const SurfaceObstacle box{.shape = Box{{-0.5, 0, -0.5}, {0.5, 2, 0.5}}, .inside = true};
    const Surface s = reconstruct({1}, block.view(), {}, {.slivers = 0.4}, 0.05, plenty, {box});
    CHECK(s.report.manifold());
    std::size_t floor = 0;
    for (const Vec3f& v : s.mesh.vertices) {
        CHECK(v.y > -1e-5f);
        CHECK(std::max(std::abs(v.x), std::abs(v.z)) < 0.5f + 1e-5f);
        floor += v.y < 1e-4f;
    }
    CHECK(floor > 100);
    CHECK(s.report.volume == doctest::Approx(s.volume).epsilon(0.01));
}

TEST_CASE("whatever is collapsed, meshes stay closed manifolds with their handles") {
    CHECK(rc::check([](std::uint64_t seed) {
        Cloud cloud;
        const int count = 2 + static_cast<int>(uniform(seed) * 40);
        for (int i = 0; i < count; ++i) {
            const auto random = [&](std::uint64_t k) {
                return uniform(mix(seed) + 8 * static_cast<std::uint64_t>(i) + k);
            };
            cloud.add(5 * Vec3d{random(0), random(1), random(2)}, 0.5 * std::exp2(random(3)));
        }
        const SurfaceMethod method = every_method[seed % 5];
        const double resolution = 0.7 + uniform(seed + 1);
        SurfaceSettings settings{.method = method, .resolution = resolution};
        const Surface raw = reconstruct({1}, cloud.view(), {}, settings, 0.5, plenty);
        settings.slivers = 0.1 + 0.4 * uniform(seed + 2);
        const Surface s = reconstruct({1}, cloud.view(), {}, settings, 0.5, plenty);
        RC_ASSERT(s.report.manifold());
        RC_ASSERT(s.report.components == raw.report.components);
        RC_ASSERT(s.report.genus == raw.report.genus);
    }));
}
