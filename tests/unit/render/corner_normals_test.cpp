#include "render/corner_normals.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "surface/reconstruct.h"

using namespace thixo;

namespace {

Vec3f flat_normal(const SurfaceMesh& mesh, const SurfaceMesh::Corners& t) {
    const Vec3f& a = mesh.vertices[t[0]];
    return normalized(cross(mesh.vertices[t[1]] - a, mesh.vertices[t[2]] - a));
}

SurfaceMesh surface_at(const std::vector<Vec3f>& position, double resolution,
                       const std::vector<SurfaceObstacle>& obstacles) {
    const std::vector<float> radius(position.size(), 0.05f);
    return reconstruct({1}, {position, radius, {}}, {}, {.resolution = resolution}, 0.05, 4e9, obstacles)
        .mesh;
}

}  // namespace

TEST_CASE("water in a tank: its faces at the walls are shaded flat up to the rim, its free surface is not") {
    std::vector<Vec3f> water;
    for (int k = 0; k < 10; ++k)
        for (int j = 0; j < 5; ++j)
            for (int i = 0; i < 10; ++i)
                water.push_back({0.1f * (static_cast<float>(i) + 0.5f), 0.1f * (static_cast<float>(j) + 0.5f),
                                 0.1f * (static_cast<float>(k) + 0.5f)});
    const SurfaceMesh mesh = surface_at(water, 1, {{Box{{0, 0, 0}, {1, 1, 1}}, true}});
    std::size_t on_walls = 0, beside_rims = 0, free = 0, blended = 0;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const Vec3f flat = flat_normal(mesh, mesh.triangles[t]);
        const auto normals = corner_normals(mesh, t, flat);
        if (std::max(std::abs(flat.x), std::abs(flat.z)) > 0.999f) {
            ++on_walls;
            for (const Vec3f& n : normals) CHECK(dot(n, flat) > 0.99f);
            for (const std::uint32_t v : mesh.triangles[t]) beside_rims += dot(mesh.normals[v], flat) < 0.5f;
        } else if (flat.y > 0.5f) {
            ++free;
            for (std::size_t c = 0; c < 3; ++c) blended += normals[c] == mesh.normals[mesh.triangles[t][c]];
        }
    }
    CHECK(on_walls > 1000);
    CHECK(beside_rims > 50);  // which were shaded as the free surface
    CHECK(free > 500);
    CHECK(blended == 3 * free);
}

TEST_CASE("single drops are round, whatever cells they are made in") {
    std::size_t corners = 0, kept = 0;
    for (const double resolution : {0.5, 1.0, 1.5})
        for (int place = 0; place < 10; ++place) {
            const float x = 0.013f * static_cast<float>(place);
            const SurfaceMesh mesh = surface_at({{x, 2 * x, 0.7f * x}}, resolution, {});
            for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
                const auto normals = corner_normals(mesh, t, flat_normal(mesh, mesh.triangles[t]));
                for (std::size_t c = 0; c < 3; ++c) {
                    ++corners;
                    kept += normals[c] == mesh.normals[mesh.triangles[t][c]];
                }
            }
        }
    CHECK(corners > 1000);
    CHECK(kept == corners);
}
