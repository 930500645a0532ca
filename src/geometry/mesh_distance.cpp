#include "geometry/mesh_distance.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace thixo {

namespace {

/// The zero vector for a triangle without area, so that it does not contribute to sums of normals.
Vec3d normal_or_zero(const Vec3d& a) {
    const double length = norm(a);
    return length > 0 ? a / length : Vec3d{};
}

double angle_between(const Vec3d& a, const Vec3d& b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

}  // namespace

MeshDistance::MeshDistance(TriangleMesh mesh)
    : mesh_(std::move(mesh)), tree_(mesh_), bounds_(thixo::bounds(mesh_)), volume_(thixo::volume(mesh_)) {
    find_normals();
    cut_outline();
    outline_tree_ = TriangleTree(outline_);
}

void MeshDistance::find_normals() {
    const std::size_t count = mesh_.triangles.size();
    face_normals_.resize(count);
    edge_normals_.resize(count);
    vertex_normals_.resize(mesh_.vertices.size());
    struct Side {
        std::uint32_t low, high, triangle;
        std::size_t edge;
    };
    std::vector<Side> sides;
    for (std::uint32_t i = 0; i < count; ++i) {
        const TriangleMesh::Corners& t = mesh_.triangles[i];
        const Vec3d x[3] = {mesh_.vertices[t[0]], mesh_.vertices[t[1]], mesh_.vertices[t[2]]};
        face_normals_[i] = normal_or_zero(cross(x[1] - x[0], x[2] - x[0]));
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t next = (k + 1) % 3, last = (k + 2) % 3;
            vertex_normals_[t[k]] += angle_between(x[next] - x[k], x[last] - x[k]) * face_normals_[i];
            sides.push_back({std::min(t[k], t[next]), std::max(t[k], t[next]), i, k});
        }
    }
    // Both sides of an edge lie next to each other once they are sorted.
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::tuple(a.low, a.high, a.triangle) < std::tuple(b.low, b.high, b.triangle);
    });
    for (std::size_t s = 0; s + 1 < sides.size(); s += 2) {
        const Side &a = sides[s], &b = sides[s + 1];
        edge_normals_[a.triangle][a.edge] = edge_normals_[b.triangle][b.edge] =
            face_normals_[a.triangle] + face_normals_[b.triangle];
    }
}

void MeshDistance::cut_outline() {
    for (std::uint32_t i = 0; i < mesh_.triangles.size(); ++i) {
        const TriangleMesh::Corners& t = mesh_.triangles[i];
        std::vector<Vec3d> crossings;
        for (std::size_t k = 0; k < 3; ++k) {
            // The same order from both triangles of an edge, so that the outline has no gaps.
            const Vec3d &a = mesh_.vertices[std::min(t[k], t[(k + 1) % 3])],
                        &b = mesh_.vertices[std::max(t[k], t[(k + 1) % 3])];
            if ((a.z < 0) == (b.z < 0)) continue;
            const double fraction = a.z / (a.z - b.z);
            crossings.push_back({a.x + fraction * (b.x - a.x), a.y + fraction * (b.y - a.y), 0});
        }
        if (crossings.size() != 2) continue;
        const auto first = static_cast<std::uint32_t>(outline_.vertices.size());
        outline_.vertices.insert(outline_.vertices.end(), crossings.begin(), crossings.end());
        outline_.triangles.push_back({first, first + 1, first + 1});
        cut_.push_back(i);
    }
}

Vec3d MeshDistance::pseudonormal(const TriangleTree::Nearest& nearest) const {
    if (nearest.feature == TriangleTree::Nearest::on_face) return face_normals_[nearest.triangle];
    if (nearest.feature >= TriangleTree::Nearest::on_edge)
        return edge_normals_[nearest.triangle]
                            [static_cast<std::size_t>(nearest.feature - TriangleTree::Nearest::on_edge)];
    return vertex_normals_[mesh_.triangles[nearest.triangle][static_cast<std::size_t>(nearest.feature)]];
}

TriangleTree::Nearest MeshDistance::nearest(const Vec3d& x, int dimensions) const {
    if (dimensions == 3) return tree_.nearest(mesh_, x);
    TriangleTree::Nearest found = outline_tree_.nearest(outline_, x);
    found.triangle = cut_[found.triangle];
    return found;
}

SignedDistance MeshDistance::at(const Vec3d& x, int dimensions) const {
    const TriangleTree::Nearest in_space = tree_.nearest(mesh_, x);
    Vec3d n = pseudonormal(in_space);
    const bool inside = dot(x - in_space.point, n) < 0;
    // Where a point of the plane is inside, it is inside the outline as well.
    const Vec3d c = dimensions == 2 ? outline_tree_.nearest(outline_, x).point : in_space.point;
    if (dimensions == 2) n.z = 0;
    const double d = norm(x - c);
    if (d > 1e-12 * norm(bounds_.size()))
        return inside ? SignedDistance{-d, (c - x) / d} : SignedDistance{d, (x - c) / d};
    // On the surface x − c is rounding noise without a direction.
    const double length = norm(n);
    return {inside ? -d : d, length > 0 ? n / length : Vec3d{0, 1, 0}};
}

}  // namespace thixo
