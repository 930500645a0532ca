#include "geometry/triangle_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <numeric>
#include <span>
#include <string>
#include <tuple>

#include "core/error.h"

namespace thixo {

namespace {

/// Exporters that write a vertex once for each face (all of STL, PLY with normals) write it with the same
/// digits, so only equal vertices are joined: a tolerance would close gaps that are meant.
/// Of several meshes with the same triangles, vertices that are equal in all of them.
void join_equal_vertices(std::span<TriangleMesh> meshes) {
    const auto compare = [&](std::uint32_t a, std::uint32_t b) {
        for (const TriangleMesh& mesh : meshes) {
            const Vec3d &x = mesh.vertices[a], &y = mesh.vertices[b];
            if (const auto order = std::tuple(x.x, x.y, x.z) <=> std::tuple(y.x, y.y, y.z); order != 0)
                return order;
        }
        return std::partial_ordering::equivalent;
    };
    std::vector<std::uint32_t> order(meshes.front().vertices.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const auto c = compare(a, b);
        return c != 0 ? c < 0 : a < b;
    });
    std::vector<std::uint32_t> first(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        first[order[k]] = k > 0 && compare(order[k], order[k - 1]) == 0 ? first[order[k - 1]] : order[k];
    for (TriangleMesh& mesh : meshes)
        for (TriangleMesh::Corners& corners : mesh.triangles)
            for (std::uint32_t& corner : corners) corner = first[corner];
}

/// Without its degenerate triangles a closed mesh stays closed: their two remaining sides are each other's
/// partners.
void drop_degenerate_triangles(TriangleMesh& mesh) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const TriangleMesh::Corners t = mesh.triangles[i];
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
        if (!mesh.texture.empty()) mesh.texture[kept] = mesh.texture[i];
        mesh.triangles[kept++] = t;
    }
    mesh.triangles.resize(kept);
    if (!mesh.texture.empty()) mesh.texture.resize(kept);
}

void drop_unused_vertices(TriangleMesh& mesh) {
    constexpr std::uint32_t unused = ~0u;
    std::vector<std::uint32_t> number(mesh.vertices.size(), unused);
    std::vector<Vec3d> used;
    for (TriangleMesh::Corners& corners : mesh.triangles) {
        for (std::uint32_t& corner : corners) {
            if (number[corner] == unused) {
                number[corner] = static_cast<std::uint32_t>(used.size());
                used.push_back(mesh.vertices[corner]);
            }
            corner = number[corner];
        }
    }
    mesh.vertices = std::move(used);
}

/// A side of a triangle; `forward` if the triangle runs from the lower to the higher vertex.
struct Side {
    std::uint32_t low, high;
    bool forward;
};

std::vector<Side> sorted_sides(const TriangleMesh& mesh) {
    std::vector<Side> sides;
    sides.reserve(3 * mesh.triangles.size());
    for (const TriangleMesh::Corners& t : mesh.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t from = t[k], to = t[(k + 1) % 3];
            sides.push_back({std::min(from, to), std::max(from, to), from < to});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::tuple(a.low, a.high, a.forward) < std::tuple(b.low, b.high, b.forward);
    });
    return sides;
}

/// How many edges have a fault, and the first of them.
struct Faults {
    std::size_t count = 0;
    Side first{};

    void add(const Side& side) {
        if (count++ == 0) first = side;
    }
    std::string text(const TriangleMesh& mesh) const {
        const auto place = [](const Vec3d& x) {
            return fmt::format("({:.6g}, {:.6g}, {:.6g})", x.x, x.y, x.z);
        };
        return fmt::format("{} {}, the first from {} to {}", count, count == 1 ? "edge" : "edges",
                           place(mesh.vertices[first.low]), place(mesh.vertices[first.high]));
    }
};

void check_edges(const TriangleMesh& mesh) {
    Faults open, crowded, opposed;
    const std::vector<Side> sides = sorted_sides(mesh);
    for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
        while (end < sides.size() && sides[end].low == sides[begin].low &&
               sides[end].high == sides[begin].high)
            ++end;
        if (end - begin == 1) open.add(sides[begin]);
        if (end - begin > 2) crowded.add(sides[begin]);
        if (end - begin == 2 && sides[begin].forward == sides[begin + 1].forward) opposed.add(sides[begin]);
    }
    if (open.count > 0)
        throw InputError("the surface is not closed: only one triangle has " + open.text(mesh) +
                         "; fill its holes");
    if (crowded.count > 0)
        throw InputError("more than two triangles share " + crowded.text(mesh) +
                         "; separate the parts that meet there, or join them to one surface");
    if (opposed.count > 0)
        throw InputError("neighbouring triangles face opposite ways at " + opposed.text(mesh) +
                         "; make the normals consistent");
}

}  // namespace

TriangleMesh open_mesh(TriangleMesh mesh) {
    join_equal_vertices({&mesh, 1});
    drop_degenerate_triangles(mesh);
    drop_unused_vertices(mesh);
    if (mesh.triangles.empty()) throw InputError("has no faces");
    return mesh;
}

TriangleMesh closed_mesh(TriangleMesh mesh) {
    std::vector<TriangleMesh> one;
    one.push_back(std::move(mesh));
    return std::move(closed_meshes(std::move(one)).front());
}

std::vector<TriangleMesh> closed_meshes(std::vector<TriangleMesh> meshes) {
    join_equal_vertices(meshes);
    for (TriangleMesh& mesh : meshes) {
        drop_degenerate_triangles(mesh);
        drop_unused_vertices(mesh);
    }
    const TriangleMesh& first = meshes.front();
    if (first.triangles.empty()) throw InputError("has no faces");
    check_edges(first);
    const double v = volume(first);
    const Vec3d size = bounds(first).size();
    // The volume of a flat surface is rounding noise.
    if (std::abs(v) <= 1e-12 * std::pow(std::max({size.x, size.y, size.z}), 3))
        throw InputError("the surface encloses no volume");
    for (TriangleMesh& mesh : meshes) {
        if (v > 0) break;
        for (TriangleMesh::Corners& t : mesh.triangles) std::swap(t[1], t[2]);
        for (TriangleMesh::TextureCorners& t : mesh.texture) std::swap(t[1], t[2]);
    }
    return meshes;
}

double area(const TriangleMesh& mesh, const TriangleMesh::Corners& triangle) {
    const Vec3d& a = mesh.vertices[triangle[0]];
    return 0.5 * norm(cross(mesh.vertices[triangle[1]] - a, mesh.vertices[triangle[2]] - a));
}

double volume(const TriangleMesh& mesh) {
    // Tetrahedra from a point close by: from the origin, a small mesh far away would be lost in rounding.
    const Vec3d apex = mesh.vertices.empty() ? Vec3d{} : mesh.vertices.front();
    double six_times = 0;
    for (const TriangleMesh::Corners& t : mesh.triangles) {
        const Vec3d a = mesh.vertices[t[0]] - apex, b = mesh.vertices[t[1]] - apex,
                    c = mesh.vertices[t[2]] - apex;
        six_times += dot(a, cross(b, c));
    }
    return six_times / 6;
}

Bounds bounds(const TriangleMesh& mesh) {
    Bounds box;
    for (const Vec3d& x : mesh.vertices) box.include(x);
    return box;
}

}  // namespace thixo
