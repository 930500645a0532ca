#include "surface/slivers.h"

#include <algorithm>

#include "surface/mesh_report.h"

namespace thixo {

namespace {

/// Triangles that move must keep their side: the cosine between their normals before and after.
constexpr float least_turn_cosine = 0.5f;
/// Both ends on walls: on the same flat one.
constexpr float same_wall_cosine = 0.9999f;
/// A pass collapses edges that do not touch each other; after so many hardly any are left.
constexpr int most_passes = 12;

/// One pass over a mesh. Edges are taken in the order of their vertices, so the result is the same for any
/// number of threads: there is one.
class Pass {
public:
    Pass(SurfaceMesh& mesh, double shortest, VertexNotes& notes)
        : mesh_(mesh),
          notes_(notes),
          shortest2_(static_cast<float>(shortest * shortest)),
          around_(triangles_of_vertices(mesh)),
          touched_(mesh.vertices.size(), 0),
          goes_to_(mesh.vertices.size()) {
        for (Index v = 0; v < goes_to_.size(); ++v) goes_to_[v] = v;
    }

    /// Returns how many edges are gone.
    std::size_t run() {
        std::size_t count = 0;
        for (Index v = 0; v < mesh_.vertices.size(); ++v) count += collapse_shortest(v) ? 1 : 0;
        if (count == 0) return 0;
        for (SurfaceMesh::Corners& t : mesh_.triangles)
            for (Index& corner : t) corner = goes_to_[corner];
        std::erase_if(mesh_.triangles, [](const SurfaceMesh::Corners& t) {
            return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
        });
        keep_vertices(mesh_, notes_, [this](Index v) { return goes_to_[v] == v; });
        return count;
    }

private:
    template <class Visit>
    void for_each_corner(Index v, const Visit& visit) const {
        for (Index k = around_.first[v]; k < around_.first[v + 1]; ++k) visit(around_.corners[k]);
    }
    Index next(Index corner) const { return mesh_.triangles[corner / 3][(corner + 1) % 3]; }
    Index valence(Index v) const { return around_.first[v + 1] - around_.first[v]; }

    bool collapse_shortest(Index v) {
        if (touched_[v]) return false;
        float least = shortest2_;
        Index other = v;
        for_each_corner(v, [&](Index c) {
            const Index w = next(c);
            const float length2 = norm2(mesh_.vertices[w] - mesh_.vertices[v]);
            if (w > v && length2 < least) {
                least = length2;
                other = w;
            }
        });
        if (other == v || !is_free(v, other) || !keeps_topology(v, other)) return false;
        Vec3f to;
        if (!target(v, other, to) || turns_over(v, other, to) || turns_over(other, v, to)) return false;
        collapse(v, other, to);
        return true;
    }

    /// Whether nothing around the edge has changed in this pass.
    bool is_free(Index a, Index b) const {
        bool free = touched_[a] == 0 && touched_[b] == 0;
        for (const Index v : {a, b})
            for_each_corner(v, [&](Index c) { free = free && touched_[next(c)] == 0; });
        return free;
    }

    /// The link condition: the ends have the two far corners of the edge's triangles in common, and nothing
    /// else; and both corners keep three triangles.
    bool keeps_topology(Index a, Index b) const {
        int common = 0;
        bool enough = true;
        for_each_corner(a, [&](Index ca) {
            const Index w = next(ca);
            for_each_corner(b, [&](Index cb) {
                if (next(cb) != w) return;
                ++common;
                enough = enough && valence(w) > 3;
            });
        });
        return common == 2 && enough && valence(a) + valence(b) > 6;
    }

    bool on_wall(Index v) const { return !notes_.contact.empty() && notes_.contact[v] != WallContact::none; }

    /// Where the edge goes: its middle, or its end on a wall.
    bool target(Index a, Index b, Vec3f& to) const {
        const bool wall_a = on_wall(a), wall_b = on_wall(b);
        to = wall_a == wall_b ? 0.5f * (mesh_.vertices[a] + mesh_.vertices[b])
                              : mesh_.vertices[wall_a ? a : b];
        if (!wall_a || !wall_b) return true;
        // On one flat wall all triangles around have the same normal, or the middle would cut off an edge of
        // the wall.
        const Vec3f flat = triangle_normal(around_.corners[around_.first[a]] / 3);
        bool same = true;
        for (const Index v : {a, b})
            for_each_corner(v, [&](Index c) {
                const Vec3f n = triangle_normal(c / 3);
                same = same && dot(n, flat) > same_wall_cosine * norm(n) * norm(flat);
            });
        return same;
    }

    Vec3f triangle_normal(Index t) const {
        const SurfaceMesh::Corners& c = mesh_.triangles[t];
        return cross(mesh_.vertices[c[1]] - mesh_.vertices[c[0]],
                     mesh_.vertices[c[2]] - mesh_.vertices[c[0]]);
    }

    /// Whether a triangle of v that does not vanish would turn over or lose its area if v went to `to`.
    bool turns_over(Index v, Index other, const Vec3f& to) const {
        bool bad = false;
        for_each_corner(v, [&](Index c) {
            const SurfaceMesh::Corners& t = mesh_.triangles[c / 3];
            if (t[0] == other || t[1] == other || t[2] == other) return;
            const Vec3f &b = mesh_.vertices[t[(c + 1) % 3]], &d = mesh_.vertices[t[(c + 2) % 3]];
            const Vec3f before = cross(b - mesh_.vertices[v], d - mesh_.vertices[v]),
                        after = cross(b - to, d - to);
            bad = bad || !(dot(before, after) > least_turn_cosine * norm(before) * norm(after));
        });
        return bad;
    }

    void collapse(Index kept, Index gone, const Vec3f& to) {
        for (const Index v : {kept, gone}) for_each_corner(v, [&](Index c) { touched_[next(c)] = 1; });
        touched_[kept] = touched_[gone] = 1;
        goes_to_[gone] = kept;
        mesh_.vertices[kept] = to;
        if (!mesh_.normals.empty()) {
            const Vec3f n = mesh_.normals[kept] + mesh_.normals[gone];
            if (norm2(n) > 0) mesh_.normals[kept] = normalized(n);
        }
        if (!notes_.contact.empty())
            notes_.contact[kept] = std::max(notes_.contact[kept], notes_.contact[gone]);
    }

    SurfaceMesh& mesh_;
    VertexNotes& notes_;
    float shortest2_;
    VertexTriangles around_;
    std::vector<std::uint8_t> touched_;
    std::vector<Index> goes_to_;
};

}  // namespace

void collapse_slivers(SurfaceMesh& mesh, double shortest, VertexNotes& notes) {
    for (int pass = 0; pass < most_passes && Pass(mesh, shortest, notes).run() > 0;) ++pass;
}

}  // namespace thixo
