#include "foam_picture.h"

#include <array>

namespace thixo {

namespace {

/// A regular icosahedron: at the size of a few pixels it looks like a ball.
constexpr float golden_ratio = 1.618034f, ball_unit = 0.5257311f;  // 1/√(1 + golden_ratio²)
constexpr std::array<Vec3f, 12> ball_corners{{{-1, golden_ratio, 0},
                                              {1, golden_ratio, 0},
                                              {-1, -golden_ratio, 0},
                                              {1, -golden_ratio, 0},
                                              {0, -1, golden_ratio},
                                              {0, 1, golden_ratio},
                                              {0, -1, -golden_ratio},
                                              {0, 1, -golden_ratio},
                                              {golden_ratio, 0, -1},
                                              {golden_ratio, 0, 1},
                                              {-golden_ratio, 0, -1},
                                              {-golden_ratio, 0, 1}}};
constexpr std::array<SurfaceMesh::Corners, 20> ball_faces{
    {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
     {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
     {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};

}  // namespace

TracedSurface foam_surface(const DiffuseParticles& particles) {
    TracedSurface surface;
    SurfaceMesh& mesh = surface.mesh;
    mesh.vertices.reserve(ball_corners.size() * particles.size());
    mesh.normals.reserve(ball_corners.size() * particles.size());
    mesh.triangles.reserve(ball_faces.size() * particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
        for (const Vec3f& corner : ball_corners) {
            const Vec3f n = ball_unit * corner;
            mesh.vertices.push_back(particles.position[i] + particles.radius[i] * n);
            mesh.normals.push_back(n);
        }
        for (const auto& [a, b, c] : ball_faces) mesh.triangles.push_back({first + a, first + b, first + c});
    }
    surface.optics = {Optics{.colour = foam_colour, .roughness = 0.9f}};
    return surface;
}

}  // namespace thixo
