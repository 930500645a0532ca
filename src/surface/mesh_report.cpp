#include "surface/mesh_report.h"

#include <algorithm>

#include "core/disjoint_sets.h"

namespace thixo {

namespace {

/// Whether the triangles around a vertex are one ring: their far sides, each from `next` to `last`, form a
/// single cycle.
bool is_ring(const SurfaceMesh& mesh, View<const Index> corners) {
    constexpr std::size_t usual = 16;
    const std::size_t n = corners.size();
    if (n < 3) return false;
    // Copied beside each other: every one is compared with every other.
    Index near_next[usual], near_last[usual];
    std::vector<Index> many(n > usual ? 2 * n : 0);
    Index *next = n > usual ? many.data() : near_next, *last = n > usual ? many.data() + n : near_last;
    for (std::size_t k = 0; k < n; ++k) {
        const SurfaceMesh::Corners& t = mesh.triangles[corners[k] / 3];
        const Index c = corners[k] % 3;
        next[k] = t[c == 2 ? 0 : c + 1];
        last[k] = t[c == 0 ? 2 : c - 1];
    }
    std::size_t at = 0;
    for (std::size_t steps = 1; steps <= n; ++steps) {
        std::size_t following = n, found = 0;
        for (std::size_t k = 0; k < n; ++k)
            if (next[k] == last[at]) {
                following = k;
                ++found;
            }
        if (found != 1) return false;  // an open side, or an edge with several triangles on one side
        at = following;
        if (at == 0) return steps == n;
    }
    return false;
}

}  // namespace

VertexTriangles triangles_of_vertices(const SurfaceMesh& mesh) {
    VertexTriangles out;
    out.first.assign(mesh.vertices.size() + 1, 0);
    for (const SurfaceMesh::Corners& t : mesh.triangles)
        for (const Index v : t) ++out.first[v + 1];
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) out.first[v + 1] += out.first[v];
    out.corners.resize(3 * mesh.triangles.size());
    std::vector<Index> place(out.first.begin(), out.first.end() - 1);
    for (Index t = 0; t < mesh.triangles.size(); ++t)
        for (Index c = 0; c < 3; ++c) out.corners[place[mesh.triangles[t][c]]++] = 3 * t + c;
    return out;
}

Extents extents(const Device& device, const SurfaceMesh& mesh) {
    if (mesh.vertices.empty()) return {};
    // Tetrahedra from a point close by: from the origin, a small mesh far away would be lost in rounding.
    const Vec3d apex = to_double(mesh.vertices.front());
    const Extents sum = reduce(
        device, static_cast<Index>(mesh.triangles.size()), Extents{},
        [&mesh, apex](Index t) {
            const SurfaceMesh::Corners& corners = mesh.triangles[t];
            const Vec3d a = to_double(mesh.vertices[corners[0]]) - apex;
            const Vec3d b = to_double(mesh.vertices[corners[1]]) - apex,
                        c = to_double(mesh.vertices[corners[2]]) - apex;
            return Extents{dot(a, cross(b, c)), norm(cross(b - a, c - a))};
        },
        [](const Extents& a, const Extents& b) {
            return Extents{a.volume + b.volume, a.area + b.area};
        });
    return {sum.volume / 6, sum.area / 2};
}

std::vector<Index> components(const SurfaceMesh& mesh) {
    DisjointSets sets(mesh.vertices.size());
    for (const SurfaceMesh::Corners& t : mesh.triangles) {
        sets.join(t[0], t[1]);
        sets.join(t[0], t[2]);
    }
    std::vector<Index> lowest(mesh.vertices.size());
    for (Index v = 0; v < lowest.size(); ++v) lowest[v] = sets.find(v);
    return lowest;
}

MeshReport examine(const Device& device, const SurfaceMesh& mesh) {
    return examine(device, mesh, triangles_of_vertices(mesh));
}

MeshReport examine(const Device& device, const SurfaceMesh& mesh, const VertexTriangles& around) {
    MeshReport report;
    report.vertices = mesh.vertices.size();
    report.triangles = mesh.triangles.size();
    const Extents size = extents(device, mesh);
    report.volume = size.volume;
    report.area = size.area;

    const auto count = [&](std::size_t n, const auto& test) {
        return static_cast<std::size_t>(
            reduce_sum(device, static_cast<Index>(n), [&](Index i) { return test(i) ? 1.0 : 0.0; }));
    };
    report.not_finite = count(report.vertices, [&](Index v) { return !is_finite(mesh.vertices[v]); });
    report.open = count(report.vertices, [&](Index v) {
        return !is_ring(mesh,
                        {around.corners.data() + around.first[v], around.first[v + 1] - around.first[v]});
    });
    report.degenerate = count(report.triangles, [&](Index t) {
        const SurfaceMesh::Corners& c = mesh.triangles[t];
        const Vec3d a = to_double(mesh.vertices[c[0]]);
        return !(norm2(cross(to_double(mesh.vertices[c[1]]) - a, to_double(mesh.vertices[c[2]]) - a)) > 0);
    });

    const std::vector<Index> lowest = components(mesh);
    for (Index v = 0; v < lowest.size(); ++v) report.components += lowest[v] == v ? 1 : 0;
    // V − E + F = 2C − 2g, with 3F = 2E.
    const auto euler =
        static_cast<std::int64_t>(report.vertices) - static_cast<std::int64_t>(report.triangles) / 2;
    report.genus = static_cast<std::int64_t>(report.components) - euler / 2;
    return report;
}

}  // namespace thixo
