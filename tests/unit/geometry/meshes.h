#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <utility>

#include "geometry/triangle_mesh.h"

namespace thixo {

inline TriangleMesh box_mesh(const Vec3d& min, const Vec3d& max) {
    TriangleMesh mesh;
    for (unsigned k = 0; k < 8; ++k)
        mesh.vertices.push_back({k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z});
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh;
}

/// An icosahedron whose triangles are cut in four `levels` times, on the unit sphere.
inline TriangleMesh icosphere(int levels) {
    const double p = std::numbers::phi;
    TriangleMesh mesh;
    mesh.vertices = {{-1, p, 0},  {1, p, 0},  {-1, -p, 0}, {1, -p, 0}, {0, -1, p},  {0, 1, p},
                     {0, -1, -p}, {0, 1, -p}, {p, 0, -1},  {p, 0, 1},  {-p, 0, -1}, {-p, 0, 1}};
    mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    for (Vec3d& x : mesh.vertices) x = normalized(x);
    for (int level = 0; level < levels; ++level) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
        const auto middle = [&](std::uint32_t a, std::uint32_t b) {
            const auto [at, fresh] =
                middles.emplace(std::minmax(a, b), static_cast<std::uint32_t>(mesh.vertices.size()));
            if (fresh) mesh.vertices.push_back(normalized(mesh.vertices[a] + mesh.vertices[b]));
            return at->second;
        };
        std::vector<TriangleMesh::Corners> finer;
        for (const auto& [a, b, c] : mesh.triangles) {
            const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
        }
        mesh.triangles = std::move(finer);
    }
    return mesh;
}

/// A grid of rows × columns that closes upon itself both ways.
inline TriangleMesh closed_grid(std::uint32_t rows, std::uint32_t columns,
                                const std::function<Vec3d(double u, double v)>& place) {
    TriangleMesh mesh;
    for (std::uint32_t i = 0; i < rows; ++i)
        for (std::uint32_t j = 0; j < columns; ++j)
            mesh.vertices.push_back(
                place(2 * std::numbers::pi * i / rows, 2 * std::numbers::pi * j / columns));
    for (std::uint32_t i = 0; i < rows; ++i) {
        for (std::uint32_t j = 0; j < columns; ++j) {
            const std::uint32_t a = i * columns + j, b = i * columns + (j + 1) % columns,
                                c = (i + 1) % rows * columns + (j + 1) % columns,
                                d = (i + 1) % rows * columns + j;
            mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {a, c, d}});
        }
    }
    return mesh;
}

/// Around the y axis.
inline TriangleMesh torus_mesh(double major, double minor, std::uint32_t n) {
    return closed_mesh(closed_grid(n, n, [=](double u, double v) {
        const double r = major + minor * std::cos(v);
        return Vec3d{r * std::cos(u), minor * std::sin(v), r * std::sin(u)};
    }));
}

}  // namespace thixo
