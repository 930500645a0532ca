#include <algorithm>
#include <limits>

#include "skin/split.h"

namespace thixo {

namespace {

using Loop = std::vector<Index>;

Vec3d middle_of(const TriangleMesh& mesh, const Loop& loop) {
    Vec3d sum;
    for (const Index v : loop) sum += mesh.vertices[v];
    return sum / static_cast<double>(loop.size());
}

/// Mean distance (m) from the vertices of a loop to the nearest vertex of another.
double mean_distance(const TriangleMesh& mesh, const Loop& from, const Loop& to) {
    double sum = 0;
    for (const Index v : from) {
        double nearest = std::numeric_limits<double>::infinity();
        for (const Index w : to) nearest = std::min(nearest, norm2(mesh.vertices[w] - mesh.vertices[v]));
        sum += std::sqrt(nearest);
    }
    return sum / static_cast<double>(from.size());
}

/// A fan about the middle. A border runs with its triangles, so the fan runs against it.
void close(TriangleMesh& mesh, const Loop& loop) {
    if (loop.size() == 3) {
        mesh.triangles.push_back({loop[0], loop[2], loop[1]});
        return;
    }
    const auto center = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.push_back(middle_of(mesh, loop));
    for (std::size_t k = 0; k < loop.size(); ++k)
        mesh.triangles.push_back({center, loop[(k + 1) % loop.size()], loop[k]});
}

/// A strip between two borders that run in opposite directions: the shorter of the two possible diagonals
/// first.
void zip(TriangleMesh& mesh, const Loop& a, Loop b) {
    std::reverse(b.begin(), b.end());
    std::size_t start = 0;
    for (std::size_t k = 1; k < b.size(); ++k)
        if (norm2(mesh.vertices[b[k]] - mesh.vertices[a[0]]) <
            norm2(mesh.vertices[b[start]] - mesh.vertices[a[0]]))
            start = k;
    std::rotate(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(start), b.end());
    std::size_t i = 0, k = 0;
    while (i < a.size() || k < b.size()) {
        const Index from_a = a[i % a.size()], to_a = a[(i + 1) % a.size()];
        const Index from_b = b[k % b.size()], to_b = b[(k + 1) % b.size()];
        const bool step_a =
            k == b.size() || (i < a.size() && norm2(mesh.vertices[to_a] - mesh.vertices[from_b]) <=
                                                  norm2(mesh.vertices[to_b] - mesh.vertices[from_a]));
        if (step_a) {
            mesh.triangles.push_back({to_a, from_a, from_b});
            ++i;
        } else {
            mesh.triangles.push_back({from_b, to_b, from_a});
            ++k;
        }
    }
}

}  // namespace

TriangleMesh joined(const TriangleMesh& outside, const TriangleMesh& faces, double near) {
    TriangleMesh mesh = outside;
    const auto offset = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), faces.vertices.begin(), faces.vertices.end());
    std::vector<Loop> a = border_loops(outside.triangles), b = border_loops(faces.triangles);
    for (TriangleMesh::Corners t : faces.triangles) {
        for (std::uint32_t& corner : t) corner += offset;
        mesh.triangles.push_back(t);
    }
    for (Loop& loop : b)
        for (Index& v : loop) v += offset;

    // Each border with the one that is closest to it, if that is so for both of them.
    std::vector<std::vector<double>> distance(a.size(), std::vector<double>(b.size()));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t k = 0; k < b.size(); ++k)
            distance[i][k] = std::max(mean_distance(mesh, a[i], b[k]), mean_distance(mesh, b[k], a[i]));
    std::vector<bool> done_a(a.size()), done_b(b.size());
    for (;;) {
        double best = near;
        std::size_t i = a.size(), k = 0;
        for (std::size_t m = 0; m < a.size(); ++m)
            for (std::size_t n = 0; n < b.size(); ++n)
                if (!done_a[m] && !done_b[n] && distance[m][n] < best) best = distance[i = m][k = n];
        if (i == a.size()) break;
        zip(mesh, a[i], b[k]);
        done_a[i] = done_b[k] = true;
    }
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!done_a[i]) close(mesh, a[i]);
    for (std::size_t k = 0; k < b.size(); ++k)
        if (!done_b[k]) close(mesh, b[k]);
    if (!mesh.texture.empty()) mesh.texture.resize(mesh.triangles.size());
    return mesh;
}

}  // namespace thixo
