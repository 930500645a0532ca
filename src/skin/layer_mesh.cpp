#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "geometry/layer.h"
#include "skin/shape_mesh.h"

namespace thixo {

namespace {

std::vector<Vec3d> normals_of(const TriangleMesh& mesh) {
    std::vector<Vec3d> normals(mesh.vertices.size());
    for (const TriangleMesh::Corners& t : mesh.triangles) {
        const Vec3d& a = mesh.vertices[t[0]];
        const Vec3d n = cross(mesh.vertices[t[1]] - a, mesh.vertices[t[2]] - a);
        for (const std::uint32_t corner : t) normals[corner] += n;
    }
    for (Vec3d& n : normals) n = norm(n) > 0 ? normalized(n) : Vec3d{0, 1, 0};
    return normals;
}

/// Sides of triangles that no other triangle has.
std::vector<std::array<std::uint32_t, 2>> border(const TriangleMesh& mesh) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;
    for (const TriangleMesh::Corners& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) ++sides[{t[k], t[(k + 1) % 3]}];
    std::vector<std::array<std::uint32_t, 2>> out;
    for (const auto& [side, count] : sides)
        if (!sides.contains({side.second, side.first})) out.push_back({side.first, side.second});
    return out;
}

}  // namespace

TriangleMesh thick_sheet(const TriangleMesh& sheet, double thickness) {
    const std::vector<Vec3d> normals = normals_of(sheet);
    const auto n = static_cast<std::uint32_t>(sheet.vertices.size());
    const Bounds box = bounds(sheet);
    const Vec3d size = box.size();
    // Texture coordinates of the file, or the place in the plane the sheet was laid out in.
    const auto planar = [&](std::uint32_t v) -> std::array<float, 2> {
        const Vec3d x = sheet.vertices[v] - box.min;
        return {static_cast<float>(size.x > 0 ? x.x / size.x : 0),
                static_cast<float>(size.z > 0 ? 1 - x.z / size.z : 0)};
    };
    TriangleMesh mesh;
    for (const double side : {0.5, -0.5})
        for (std::uint32_t v = 0; v < n; ++v)
            mesh.vertices.push_back(sheet.vertices[v] + side * thickness * normals[v]);
    for (std::size_t t = 0; t < sheet.triangles.size(); ++t) {
        const TriangleMesh::Corners& c = sheet.triangles[t];
        TriangleMesh::TextureCorners w{planar(c[0]), planar(c[1]), planar(c[2])};
        if (!sheet.texture.empty()) w = sheet.texture[t];
        mesh.triangles.push_back(c);
        mesh.texture.push_back(w);
        mesh.triangles.push_back({c[0] + n, c[2] + n, c[1] + n});
        mesh.texture.push_back({w[0], w[2], w[1]});
    }
    for (const auto& [a, b] : border(sheet)) {
        mesh.triangles.push_back({b, a, a + n});
        mesh.texture.push_back({planar(b), planar(a), planar(a)});
        mesh.triangles.push_back({b, a + n, b + n});
        mesh.texture.push_back({planar(b), planar(a), planar(b)});
    }
    return closed_mesh(std::move(mesh));
}

TriangleMesh tube(const Polyline& rod, double radius) {
    constexpr std::uint32_t sides = 12;
    const std::vector<Vec3d>& x = rod.points;
    const std::size_t count = x.size();
    const auto direction = [&](std::size_t k) {
        const Vec3d before = k > 0 || rod.closed ? x[(k + count - 1) % count] : x[0];
        const Vec3d after = k + 1 < count || rod.closed ? x[(k + 1) % count] : x[count - 1];
        return normalized(after - before);
    };
    TriangleMesh mesh;
    const Vec3d first = direction(0);
    // The frame is carried along without turning about the rod.
    Vec3d across = normalized(cross(first, std::abs(first.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 0, 1}));
    for (std::size_t k = 0; k < count; ++k) {
        const Vec3d along = direction(k);
        across = normalized(across - dot(across, along) * along);
        const Vec3d other = cross(along, across);
        for (std::uint32_t s = 0; s < sides; ++s) {
            const double angle = 2 * std::numbers::pi * s / sides;
            mesh.vertices.push_back(x[k] + radius * (std::cos(angle) * across + std::sin(angle) * other));
        }
    }
    const auto vertex = [&](std::size_t k, std::uint32_t s) {
        return static_cast<std::uint32_t>((k % count) * sides + s % sides);
    };
    const std::size_t spans = rod.closed ? count : count - 1;
    const auto at = [&](std::uint32_t s, std::size_t k) -> std::array<float, 2> {
        return {static_cast<float>(s) / sides, static_cast<float>(k) / static_cast<float>(spans)};
    };
    for (std::size_t k = 0; k < spans; ++k)
        for (std::uint32_t s = 0; s < sides; ++s) {
            mesh.triangles.push_back({vertex(k, s), vertex(k, s + 1), vertex(k + 1, s + 1)});
            mesh.texture.push_back({at(s, k), at(s + 1, k), at(s + 1, k + 1)});
            mesh.triangles.push_back({vertex(k, s), vertex(k + 1, s + 1), vertex(k + 1, s)});
            mesh.texture.push_back({at(s, k), at(s + 1, k + 1), at(s, k + 1)});
        }
    for (const bool end : {false, true}) {
        if (rod.closed) break;
        const std::size_t k = end ? count - 1 : 0;
        const auto center = static_cast<std::uint32_t>(mesh.vertices.size());
        mesh.vertices.push_back(x[k]);
        for (std::uint32_t s = 0; s < sides; ++s) {
            const std::uint32_t a = vertex(k, end ? s : s + 1), b = vertex(k, end ? s + 1 : s);
            mesh.triangles.push_back({center, a, b});
            mesh.texture.push_back({at(s, k), at(s, k), at(s, k)});
        }
    }
    return closed_mesh(std::move(mesh));
}

}  // namespace thixo
