#include "geometry/mesh_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace thixo {

namespace {

constexpr std::uint32_t leaf_triangles = 4;
constexpr int on_edge = 3, on_face = 6;

double component(const Vec3d& a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

int longest_axis(const Vec3d& size) {
    if (size.x >= size.y && size.x >= size.z) return 0;
    return size.y >= size.z ? 1 : 2;
}

double distance2(const Bounds& box, const Vec3d& x) {
    const auto beyond = [](double low, double high, double at) {
        return std::max({low - at, at - high, 0.0});
    };
    const Vec3d d{beyond(box.min.x, box.max.x, x.x), beyond(box.min.y, box.max.y, x.y),
                  beyond(box.min.z, box.max.z, x.z)};
    return norm2(d);
}

struct TrianglePoint {
    Vec3d point;
    int feature;
};

/// The nearest point of the triangle abc, by the Voronoi regions of its corners and sides.
/// [Ericson 2005, Real-Time Collision Detection, sec. 5.1.5]
TrianglePoint nearest_on_triangle(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d ab = b - a, ac = c - a, ax = x - a;
    const double d1 = dot(ab, ax), d2 = dot(ac, ax);
    if (d1 <= 0 && d2 <= 0) return {a, 0};
    const Vec3d bx = x - b;
    const double d3 = dot(ab, bx), d4 = dot(ac, bx);
    if (d3 >= 0 && d4 <= d3) return {b, 1};
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + (d1 / (d1 - d3)) * ab, on_edge};
    const Vec3d cx = x - c;
    const double d5 = dot(ab, cx), d6 = dot(ac, cx);
    if (d6 >= 0 && d5 <= d6) return {c, 2};
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + (d2 / (d2 - d6)) * ac, on_edge + 2};
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        return {b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b), on_edge + 1};
    const double sum = va + vb + vc;
    return {a + (vb / sum) * ab + (vc / sum) * ac, on_face};
}

/// The zero vector for a triangle without area: it has no say in the sums of its neighbours.
Vec3d normal_or_zero(const Vec3d& a) {
    const double length = norm(a);
    return length > 0 ? a / length : Vec3d{};
}

double angle_between(const Vec3d& a, const Vec3d& b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

}  // namespace

MeshDistance::MeshDistance(TriangleMesh mesh)
    : mesh_(std::move(mesh)), bounds_(thixo::bounds(mesh_)), volume_(thixo::volume(mesh_)) {
    const auto count = static_cast<std::uint32_t>(mesh_.triangles.size());
    std::vector<Vec3d> center;
    for (const auto& t : mesh_.triangles)
        center.push_back((mesh_.vertices[t[0]] + mesh_.vertices[t[1]] + mesh_.vertices[t[2]]) / 3.0);
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    nodes_.reserve(2 * (count / leaf_triangles + 1));
    build(0, count, center, order);

    std::vector<TriangleMesh::Corners> sorted;
    for (const std::uint32_t i : order) sorted.push_back(mesh_.triangles[i]);
    mesh_.triangles = std::move(sorted);
    find_normals();
}

void MeshDistance::build(std::uint32_t begin, std::uint32_t end, const std::vector<Vec3d>& center,
                         std::vector<std::uint32_t>& order) {
    const std::size_t self = nodes_.size();
    nodes_.emplace_back();
    Bounds box, centers;
    for (std::uint32_t k = begin; k < end; ++k) {
        for (const std::uint32_t corner : mesh_.triangles[order[k]]) box.include(mesh_.vertices[corner]);
        centers.include(center[order[k]]);
    }
    nodes_[self].box = box;
    if (end - begin <= leaf_triangles) {
        nodes_[self].first = begin;
        nodes_[self].count = end - begin;
        return;
    }
    // Halves of equal number keep the depth below 33 whatever the mesh looks like.
    const int axis = longest_axis(centers.size());
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end,
                     [&](std::uint32_t a, std::uint32_t b) {
                         return std::tuple(component(center[a], axis), a) <
                                std::tuple(component(center[b], axis), b);
                     });
    build(begin, middle, center, order);
    nodes_[self].first = static_cast<std::uint32_t>(nodes_.size());
    build(middle, end, center, order);
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

MeshDistance::Nearest MeshDistance::nearest(const Vec3d& x) const {
    Nearest best{std::numeric_limits<double>::infinity(), {}, 0, 0};
    struct Visit {
        std::uint32_t node;
        double distance2;
    };
    Visit stack[64];
    int size = 0;
    stack[size++] = {0, distance2(nodes_[0].box, x)};
    while (size > 0) {
        const Visit visit = stack[--size];
        if (visit.distance2 >= best.distance2) continue;
        const Node& node = nodes_[visit.node];
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            const TriangleMesh::Corners& t = mesh_.triangles[i];
            const TrianglePoint on =
                nearest_on_triangle(x, mesh_.vertices[t[0]], mesh_.vertices[t[1]], mesh_.vertices[t[2]]);
            const double d2 = norm2(x - on.point);
            if (d2 < best.distance2) best = {d2, on.point, i, on.feature};
        }
        if (node.count > 0) continue;
        Visit a{visit.node + 1, distance2(nodes_[visit.node + 1].box, x)};
        Visit b{node.first, distance2(nodes_[node.first].box, x)};
        if (a.distance2 < b.distance2) std::swap(a, b);
        stack[size++] = a;
        stack[size++] = b;
    }
    return best;
}

Vec3d MeshDistance::pseudonormal(const Nearest& nearest) const {
    if (nearest.feature == on_face) return face_normals_[nearest.triangle];
    if (nearest.feature >= on_edge)
        return edge_normals_[nearest.triangle][static_cast<std::size_t>(nearest.feature - on_edge)];
    return vertex_normals_[mesh_.triangles[nearest.triangle][static_cast<std::size_t>(nearest.feature)]];
}

SignedDistance MeshDistance::at(const Vec3d& x) const {
    const Nearest c = nearest(x);
    const Vec3d n = pseudonormal(c), away = x - c.point;
    const double d = std::sqrt(c.distance2);
    // On the surface what is left of x − c is rounding, without a direction.
    if (d <= 1e-12 * norm(bounds_.size())) {
        const double length = norm(n);
        return {dot(away, n) < 0 ? -d : d, length > 0 ? n / length : Vec3d{0, 1, 0}};
    }
    return dot(away, n) < 0 ? SignedDistance{-d, away / -d} : SignedDistance{d, away / d};
}

}  // namespace thixo
