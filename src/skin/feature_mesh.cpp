#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "core/mat3.h"
#include "core/symmetric_eigen.h"
#include "skin/shape_mesh.h"
#include "surface/mesh_report.h"
#include "surface/polygonise.h"

namespace thixo {

namespace {

/// The signed distance on the blocks that the surface passes.
SurfaceField distance_field(const Device& device, const Shape& shape, double cell) {
    const Bounds box = surface_bounds(shape);
    const double width = block_width * cell;
    const auto first = [&](double x) {
        return static_cast<std::int32_t>(std::floor((x - 2 * cell) / width));
    };
    const auto last = [&](double x) { return static_cast<std::int32_t>(std::floor((x + 2 * cell) / width)); };
    std::vector<BlockPlace> stored, inside;
    for (std::int32_t z = first(box.min.z); z <= last(box.max.z); ++z)
        for (std::int32_t y = first(box.min.y); y <= last(box.max.y); ++y)
            for (std::int32_t x = first(box.min.x); x <= last(box.max.x); ++x) {
                const Vec3d center{(x + 0.5) * width, (y + 0.5) * width, (z + 0.5) * width};
                const double d = signed_distance(shape, center, 3).distance;
                // Twice the half diagonal: the distance to an ellipsoid is right near its surface alone.
                if (std::abs(d) < 1.8 * width)
                    stored.push_back({x, y, z});
                else if (d < 0)
                    inside.push_back({x, y, z});
            }
    SurfaceField field{.grid = BlockGrid(device, cell, std::move(stored), inside)};
    field.outside = static_cast<float>(2 * width);
    field.inside = -field.outside;
    field.values.resize(std::size_t{block_nodes} * field.grid.size());
    launch<1>(device, field.grid.size(), [&field, &shape](Index b) {
        for (int node = 0; node < block_nodes; ++node) {
            const Vec3d local{double(node % block_width), double(node / block_width % block_width),
                              double(node / (block_width * block_width))};
            field.values[std::size_t{block_nodes} * b + static_cast<std::size_t>(node)] =
                static_cast<float>(signed_distance(shape, field.grid.world(b, local), 3).distance);
        }
    });
    return field;
}

/// Onto the surface along the gradient, in a few Newton steps.
Vec3d projected(const Shape& shape, Vec3d x, double farthest) {
    const Vec3d start = x;
    for (int k = 0; k < 4; ++k) {
        const SignedDistance s = signed_distance(shape, x, 3);
        x = x - s.distance * s.gradient;
    }
    return norm(x - start) < farthest ? x : start;
}

/// Where the tangent planes of the vertices around meet.
struct Feature {
    enum Kind { none, edge, corner } kind = none;
    Vec3d to;
    double distance = 0;  ///< m, to there
};

constexpr double sharp = 0.87;  // cos 30°: normals that differ by less belong to one smooth face

/// The point closest to the tangent planes at the given places, the first of which is the vertex itself.
Feature meeting_point(const Shape& shape, const std::vector<Vec3d>& around, const std::vector<Vec3d>& normals,
                      double farthest) {
    Mat3d a;
    Vec3d b;
    for (std::size_t k = 0; k < around.size(); ++k) {
        a += outer(normals[k], normals[k]);
        b += dot(normals[k], around[k] - around[0]) * normals[k];
    }
    // Along a straight edge the smallest eigenvalue is zero: the vertex does not move that way.
    const SymmetricEigen e = symmetric_eigen(a);
    Vec3d move;
    int rank = 0;
    const double values[3] = {e.values.x, e.values.y, e.values.z};
    const Vec3d vectors[3] = {e.vectors.x, e.vectors.y, e.vectors.z};
    for (int k = 0; k < 3; ++k) {
        if (!(values[k] > 0.1 * values[0])) continue;
        move += (dot(vectors[k], b) / values[k]) * vectors[k];
        ++rank;
    }
    const Vec3d to = around[0] + move;
    if (rank < 2 || !(norm(move) < farthest) ||
        !(std::abs(signed_distance(shape, to, 3).distance) < 0.3 * farthest))
        return {};
    return {rank == 3 ? Feature::corner : Feature::edge, to, norm(move)};
}

Feature find_feature(const Shape& shape, std::vector<Vec3d> around, double farthest, bool edges_only) {
    std::vector<Vec3d> normals;
    double least = 1;
    for (const Vec3d& p : around) {
        normals.push_back(signed_distance(shape, p, 3).gradient);
        for (const Vec3d& n : normals) least = std::min(least, dot(n, normals.back()));
    }
    if (least > sharp) return {};
    if (edges_only) {
        // The vertex's own face and the nearest other one.
        std::size_t other = 0;
        for (std::size_t k = 1; k < around.size(); ++k)
            if (dot(normals[k], normals[0]) < sharp &&
                (other == 0 || norm2(around[k] - around[0]) < norm2(around[other] - around[0])))
                other = k;
        if (other == 0) return {};
        const Vec3d own = normals[0], across = normals[other];
        std::size_t kept = 0;
        for (std::size_t k = 0; k < around.size(); ++k) {
            if (dot(normals[k], own) < sharp && dot(normals[k], across) < sharp) continue;
            around[kept] = around[k];
            normals[kept++] = normals[k];
        }
        around.resize(kept);
        normals.resize(kept);
    }
    return meeting_point(shape, around, normals, farthest);
}

/// Turns edges of triangles that cut across an edge of the shape: their middles lie below it, those of the
/// other diagonals on it [Kobbelt et al. 2001, sec. 4.3]. The mesh stays a closed manifold, and no triangle
/// turns away from the shape.
class EdgeFlips {
public:
    EdgeFlips(TriangleMesh& mesh, const Shape& shape, double edge) : mesh_(mesh), shape_(shape), edge_(edge) {
        for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
            for (std::uint32_t k = 0; k < 3; ++k) side_[key(at(t, k), at(t, k + 1))] = 3 * t + k;
    }

    /// A flip brings the middle nearer to the surface, so they come to an end.
    void run() {
        constexpr int most_passes = 8;
        for (int pass = 0; pass < most_passes; ++pass) {
            bool any = false;
            for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t)
                for (std::uint32_t k = 0; k < 3; ++k) any = flip(t, k) || any;
            if (!any) return;
        }
    }

private:
    static std::uint64_t key(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }
    std::uint32_t& at(std::uint32_t t, std::uint32_t k) { return mesh_.triangles[t][k % 3]; }
    const Vec3d& place(std::uint32_t v) const { return mesh_.vertices[v]; }

    double off(std::uint32_t a, std::uint32_t b) const {
        return std::abs(signed_distance(shape_, 0.5 * (place(a) + place(b)), 3).distance);
    }
    /// Its area is no smaller than `least`, and it looks the way the shape does.
    bool is_good(std::uint32_t a, std::uint32_t b, std::uint32_t c, double least) const {
        const Vec3d n = cross(place(b) - place(a), place(c) - place(a));
        if (!(norm(n) > least)) return false;
        const Vec3d middle = (place(a) + place(b) + place(c)) / 3.0;
        return dot(n, signed_distance(shape_, middle, 3).gradient) > 0.5 * norm(n);
    }

    bool flip(std::uint32_t t, std::uint32_t k) {
        // Below this nothing is seen of it.
        constexpr double least_off = 0.02;
        const std::uint32_t a = at(t, k), b = at(t, k + 1), c = at(t, k + 2);
        const double before = off(a, b);
        if (!(before > least_off * edge_)) return false;
        const std::uint32_t across = side_.at(key(b, a)), u = across / 3, m = across % 3, d = at(u, m + 2);
        if (c == d || side_.contains(key(c, d)) || side_.contains(key(d, c))) return false;
        if (!(off(c, d) < 0.5 * before)) return false;
        const double least = 1e-3 * edge_ * edge_;
        if (!is_good(a, d, c, least) || !is_good(d, b, c, least)) return false;
        side_.erase(key(a, b));
        side_.erase(key(b, a));
        mesh_.triangles[t] = {a, d, c};
        mesh_.triangles[u] = {d, b, c};
        for (const std::uint32_t s : {t, u})
            for (std::uint32_t l = 0; l < 3; ++l) side_[key(at(s, l), at(s, l + 1))] = 3 * s + l;
        return true;
    }

    TriangleMesh& mesh_;
    const Shape& shape_;
    double edge_;
    std::unordered_map<std::uint64_t, std::uint32_t> side_;  ///< triangle and corner of each directed edge
};

}  // namespace

TriangleMesh feature_surface(const Device& device, const Shape& shape, double edge) {
    // Cells that do not fit into round lengths: where faces of a shape pass the nodes of a grid, its corners
    // are farthest from vertices.
    constexpr double odd = 0.8713;
    const Polygonisation raw = polygonise(device, distance_field(device, shape, odd * edge), 0, false);
    VertexTriangles at = triangles_of_vertices(raw.mesh);
    TriangleMesh mesh;
    mesh.triangles = raw.mesh.triangles;
    for (const Vec3f& x : raw.mesh.vertices) mesh.vertices.push_back(to_double(x));
    const auto normal = [&](Index corner) {
        const TriangleMesh::Corners& t = mesh.triangles[corner / 3];
        return cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]);
    };
    // A vertex moves only if no triangle around it turns over or loses most of its area.
    const auto try_move = [&](Index v, const Vec3d& to) {
        std::vector<Vec3d> before;
        for (Index k = at.first[v]; k < at.first[v + 1]; ++k) before.push_back(normal(at.corners[k]));
        const Vec3d from = std::exchange(mesh.vertices[v], to);
        for (Index k = at.first[v]; k < at.first[v + 1]; ++k) {
            const Vec3d now = normal(at.corners[k]), &was = before[k - at.first[v]];
            if (dot(now, was) > 0.2 * norm(now) * norm(was) && norm(now) > 0.05 * norm(was)) continue;
            mesh.vertices[v] = from;
            return false;
        }
        return true;
    };
    for (Index v = 0; v < mesh.vertices.size(); ++v) try_move(v, projected(shape, mesh.vertices[v], edge));
    const std::vector<Vec3d> smooth = mesh.vertices;
    const auto around = [&](Index v) {
        std::vector<Vec3d> places{smooth[v]};
        for (Index k = at.first[v]; k < at.first[v + 1]; ++k) {
            const Index corner = at.corners[k];
            places.push_back(smooth[mesh.triangles[corner / 3][(corner + 1) % 3]]);
        }
        return places;
    };
    // Vertices are on the edges of cells, so one in a face of the shape is at most a cell's diagonal in that
    // face away from its corner.
    const double farthest = std::numbers::sqrt2 * odd * edge;
    // A corner gets the vertex that is nearest to it; the others around it go to edges.
    std::vector<std::pair<double, Index>> corners;
    std::vector<Feature> features(smooth.size());
    for (Index v = 0; v < smooth.size(); ++v) {
        features[v] = find_feature(shape, around(v), farthest, false);
        if (features[v].kind == Feature::corner) corners.emplace_back(features[v].distance, v);
    }
    std::sort(corners.begin(), corners.end());
    std::vector<Vec3d> taken, missed;
    for (const auto& [distance, v] : corners) {
        const Vec3d to = features[v].to;
        const bool free = std::none_of(taken.begin(), taken.end(),
                                       [&](const Vec3d& other) { return norm(other - to) < 0.5 * edge; });
        if (free) {
            taken.push_back(to);
            if (!try_move(v, to)) missed.push_back(to);
            features[v] = {};
        } else {
            features[v] = find_feature(shape, around(v), 0.75 * edge, true);
        }
    }
    for (Index v = 0; v < smooth.size(); ++v)
        if (features[v].kind != Feature::none) try_move(v, features[v].to);
    EdgeFlips(mesh, shape, edge).run();
    if (missed.empty()) return closed_mesh(std::move(mesh));
    // Edges that cut across were what kept vertices from these corners.
    SurfaceMesh flipped;
    flipped.vertices.resize(mesh.vertices.size());
    flipped.triangles = mesh.triangles;
    at = triangles_of_vertices(flipped);
    for (const Vec3d& to : missed) {
        Index nearest = 0;
        for (Index v = 0; v < mesh.vertices.size(); ++v)
            if (norm2(mesh.vertices[v] - to) < norm2(mesh.vertices[nearest] - to)) nearest = v;
        if (norm(mesh.vertices[nearest] - to) < farthest) try_move(nearest, to);
    }
    EdgeFlips(mesh, shape, edge).run();
    return closed_mesh(std::move(mesh));
}

}  // namespace thixo
