#include "geometry/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace thixo {

namespace {

constexpr std::uint32_t leaf_triangles = 4;

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

TrianglePoint nearest_on_segment(const Vec3d& x, const Vec3d& a, const Vec3d& b, int from, int to) {
    const Vec3d ab = b - a;
    const double along = dot(x - a, ab), length2 = norm2(ab);
    if (!(along > 0)) return {a, from};
    if (along >= length2) return {b, to};
    return {a + (along / length2) * ab, TriangleTree::Nearest::on_edge + from};
}

/// Of a triangle without area, whose regions below would be rounding.
TrianglePoint nearest_on_sides(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    TrianglePoint best = nearest_on_segment(x, a, b, 0, 1);
    for (const TrianglePoint& other : {nearest_on_segment(x, b, c, 1, 2), nearest_on_segment(x, c, a, 2, 0)})
        if (norm2(x - other.point) < norm2(x - best.point)) best = other;
    return best;
}

/// The nearest point of the triangle abc, by the Voronoi regions of its corners and sides.
/// [Ericson 2005, Real-Time Collision Detection, sec. 5.1.5]
TrianglePoint nearest_on_triangle(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d ab = b - a, ac = c - a, ax = x - a;
    if (norm2(cross(ab, ac)) <= 1e-20 * norm2(ab) * norm2(ac)) return nearest_on_sides(x, a, b, c);
    const double d1 = dot(ab, ax), d2 = dot(ac, ax);
    if (d1 <= 0 && d2 <= 0) return {a, 0};
    const Vec3d bx = x - b;
    const double d3 = dot(ab, bx), d4 = dot(ac, bx);
    if (d3 >= 0 && d4 <= d3) return {b, 1};
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + (d1 / (d1 - d3)) * ab, TriangleTree::Nearest::on_edge};
    const Vec3d cx = x - c;
    const double d5 = dot(ab, cx), d6 = dot(ac, cx);
    if (d6 >= 0 && d5 <= d6) return {c, 2};
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + (d2 / (d2 - d6)) * ac, TriangleTree::Nearest::on_edge + 2};
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        return {b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b), TriangleTree::Nearest::on_edge + 1};
    const double sum = va + vb + vc;
    return {a + (vb / sum) * ab + (vc / sum) * ac, TriangleTree::Nearest::on_face};
}

}  // namespace

TriangleTree::TriangleTree(TriangleMesh& mesh) {
    const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
    if (count == 0) return;
    std::vector<Vec3d> center;
    for (const auto& t : mesh.triangles)
        center.push_back((mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3.0);
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    nodes_.reserve(2 * (count / leaf_triangles + 1));
    build(mesh, 0, count, center, order);

    std::vector<TriangleMesh::Corners> sorted;
    for (const std::uint32_t i : order) sorted.push_back(mesh.triangles[i]);
    mesh.triangles = std::move(sorted);
    if (mesh.texture.empty()) return;
    std::vector<TriangleMesh::TextureCorners> texture;
    for (const std::uint32_t i : order) texture.push_back(mesh.texture[i]);
    mesh.texture = std::move(texture);
}

void TriangleTree::build(const TriangleMesh& mesh, std::uint32_t begin, std::uint32_t end,
                         const std::vector<Vec3d>& center, std::vector<std::uint32_t>& order) {
    const std::size_t self = nodes_.size();
    nodes_.emplace_back();
    Bounds box, centers;
    for (std::uint32_t k = begin; k < end; ++k) {
        for (const std::uint32_t corner : mesh.triangles[order[k]]) box.include(mesh.vertices[corner]);
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
    build(mesh, begin, middle, center, order);
    nodes_[self].first = static_cast<std::uint32_t>(nodes_.size());
    build(mesh, middle, end, center, order);
}

TriangleTree::Nearest TriangleTree::nearest(const TriangleMesh& mesh, const Vec3d& x) const {
    Nearest best{std::numeric_limits<double>::infinity(), {}, 0, 0};
    if (nodes_.empty()) return best;
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
            const TriangleMesh::Corners& t = mesh.triangles[i];
            const TrianglePoint on =
                nearest_on_triangle(x, mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
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

}  // namespace thixo
