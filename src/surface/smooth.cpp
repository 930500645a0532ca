#include "surface/smooth.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/simd.h"

namespace thixo {

namespace {

Vec3d area_vector(const SurfaceMesh& mesh, const SurfaceMesh::Corners& t) {
    const Vec3d a = to_double(mesh.vertices[t[0]]);
    return 0.5 * cross(to_double(mesh.vertices[t[1]]) - a, to_double(mesh.vertices[t[2]]) - a);
}

/// Every vertex is surrounded by one ring of triangles, so each neighbour is the next corner of exactly one
/// of them.
std::vector<Index> neighbours_of_vertices(const Device& device, const SurfaceMesh& mesh,
                                          const VertexTriangles& around) {
    std::vector<Index> out(around.corners.size());
    launch(device, static_cast<Index>(out.size()),
           [&mesh, corners = View<const Index>(around.corners), to = View(out)](Index k) {
               const Index c = corners[k] % 3;
               to[k] = mesh.triangles[corners[k] / 3][c == 2 ? 0 : c + 1];
           });
    return out;
}

/// One step. Positions have a fourth number that is not used: one load and one addition for each neighbour.
struct Relax {
    View<const Index> first, neighbours;
    View<const float> weight;
    View<const FourLanes> position;
    View<FourLanes> moved;

    void operator()(Index v) const {
        const Index begin = first[v], end = first[v + 1];
        FourLanes sum{};
        for (Index k = begin; k < end; ++k) sum += position[neighbours[k]];
        const FourLanes x = position[v];
        moved[v] = x + weight[v] * (sum / static_cast<float>(end - begin) - x);
    }
};

/// A vertex on a rim, and those before and behind it.
struct Slide {
    Index vertex, before, behind;
    float weight;
};

std::vector<Slide> slides_of(const SurfaceMesh& mesh, const VertexTriangles& around,
                             const VertexNotes& notes) {
    std::vector<Slide> out;
    for (Index v = 0; v < notes.contact.size(); ++v) {
        if (notes.contact[v] != WallContact::rim) continue;
        std::array<Index, 2> next{};
        std::size_t count = 0;
        for (Index k = around.first[v]; k < around.first[v + 1]; ++k) {
            const Index c = around.corners[k], w = mesh.triangles[c / 3][(c + 1) % 3];
            if (notes.contact[w] < WallContact::rim) continue;
            if (count < 2) next[count] = w;
            ++count;
        }
        if (count == 2)
            out.push_back({v, next[0], next[1], std::min(1.f, notes.neighbours[v] / full_neighbours)});
    }
    return out;
}

void relax(const Device& device, SurfaceMesh& mesh, const VertexTriangles& around, View<const float> weight,
           const std::vector<Slide>& slides, int steps) {
    const auto n = static_cast<Index>(mesh.vertices.size());
    const std::vector<Index> neighbours = neighbours_of_vertices(device, mesh, around);
    std::vector<FourLanes> position(n), moved(n);
    launch(device, n, [x = View<const Vec3f>(mesh.vertices), to = View(position)](Index v) {
        to[v] = FourLanes{x[v].x, x[v].y, x[v].z, 0};
    });
    for (int step = 0; step < steps; ++step) {
        launch(device, n, Relax{around.first, neighbours, weight, position, moved});
        for (const Slide& s : slides) {
            const FourLanes x = position[s.vertex];
            moved[s.vertex] = x + s.weight * (0.5f * (position[s.before] + position[s.behind]) - x);
        }
        position.swap(moved);
    }
    launch(device, n, [x = View<const FourLanes>(position), to = View(mesh.vertices)](Index v) {
        to[v] = {x[v][0], x[v][1], x[v][2]};
    });
}

struct MeshNormal {
    const SurfaceMesh* mesh;
    View<const Vec3f> area;  ///< of the triangles, m², along their normals
    const VertexTriangles* around;
    View<const WallContact> contact;  ///< of vertices, or empty
    View<Vec3f> normal;

    /// Normals on a rim are those of the surface that meets the wall.
    bool counts(Index v, Index triangle) const {
        if (contact.empty() || contact[v] < WallContact::rim) return true;
        const SurfaceMesh::Corners& t = mesh->triangles[triangle];
        return std::any_of(t.begin(), t.end(), [&](Index w) { return contact[w] == WallContact::none; });
    }
    void operator()(Index v) const {
        Vec3d sum{};
        for (Index k = around->first[v]; k < around->first[v + 1]; ++k)
            if (const Index t = around->corners[k] / 3; counts(v, t)) sum += to_double(area[t]);
        const double length = norm(sum);
        normal[v] = length > 0 ? to_float(sum / length) : Vec3f{0, 1, 0};
    }
};

void set_normals(const Device& device, SurfaceMesh& mesh, const VertexTriangles& around,
                 View<const WallContact> contact) {
    std::vector<Vec3f> area(mesh.triangles.size());
    launch(device, static_cast<Index>(area.size()),
           [&mesh, to = View(area)](Index t) { to[t] = to_float(area_vector(mesh, mesh.triangles[t])); });
    mesh.normals.resize(mesh.vertices.size());
    launch(device, static_cast<Index>(mesh.vertices.size()),
           MeshNormal{&mesh, area, &around, contact, mesh.normals});
}

/// Steps of Newton's method: a shift by δ along the normals adds δ times the area.
void restore_volume(const Device& device, SurfaceMesh& mesh, const VertexTriangles& around,
                    View<const float> weight, double volume) {
    set_normals(device, mesh, around, {});
    constexpr int most_rounds = 8;  // large meshes need two, drops of few triangles more
    for (int round = 0; round < most_rounds; ++round) {
        struct Sums {
            double volume = 0, movable = 0;
        };
        const Vec3d apex = to_double(mesh.vertices.front());
        const Sums now = reduce(
            device, static_cast<Index>(mesh.triangles.size()), Sums{},
            [&mesh, weight, apex](Index t) {
                const SurfaceMesh::Corners& c = mesh.triangles[t];
                const Vec3d area = area_vector(mesh, c);
                const double w = (double{weight[c[0]]} + weight[c[1]] + weight[c[2]]) / 3;
                return Sums{dot(area, to_double(mesh.vertices[c[0]]) - apex) / 3, norm(area) * w};
            },
            [](const Sums& a, const Sums& b) {
                return Sums{a.volume + b.volume, a.movable + b.movable};
            });
        if (!(now.movable > 0) || std::abs(volume - now.volume) < 1e-4 * std::abs(volume)) return;
        const auto shift = static_cast<float>((volume - now.volume) / now.movable);
        launch(device, static_cast<Index>(mesh.vertices.size()),
               [shift, weight, x = View(mesh.vertices), n = View<const Vec3f>(mesh.normals)](Index v) {
                   x[v] += (shift * weight[v]) * n[v];
               });
    }
}

}  // namespace

void put_back_degenerate(const Device& device, SurfaceMesh& mesh, const std::vector<Vec3f>& before) {
    const auto has_area = [&](const SurfaceMesh::Corners& t) { return norm2(area_vector(mesh, t)) > 0; };
    const auto has_length = [&](const SurfaceMesh::Ends& e) {
        return !(mesh.vertices[e[0]] == mesh.vertices[e[1]]);
    };
    const double lost = reduce_sum(device, static_cast<Index>(mesh.triangles.size()),
                                   [&](Index t) { return has_area(mesh.triangles[t]) ? 0.0 : 1.0; }) +
                        reduce_sum(device, static_cast<Index>(mesh.edges.size()),
                                   [&](Index e) { return has_length(mesh.edges[e]) ? 0.0 : 1.0; });
    for (bool again = lost > 0; again;) {
        again = false;
        const auto put_back = [&](const auto& corners) {
            for (const Index v : corners) {
                again = again || !(mesh.vertices[v] == before[v]);
                mesh.vertices[v] = before[v];
            }
        };
        for (const SurfaceMesh::Corners& t : mesh.triangles)
            if (!has_area(t)) put_back(t);
        for (const SurfaceMesh::Ends& e : mesh.edges)
            if (!has_length(e)) put_back(e);
    }
}

void put_back_turned(SurfaceMesh& mesh, View<const WallContact> contact, const std::vector<Vec3f>& before,
                     bool of_walls) {
    if (contact.empty()) return;
    for (bool again = true; again;) {
        again = false;
        for (const SurfaceMesh::Corners& t : mesh.triangles) {
            const bool free =
                std::any_of(t.begin(), t.end(), [&](Index v) { return contact[v] == WallContact::none; });
            if (free && of_walls) continue;
            const auto area = [&](const std::vector<Vec3f>& x) {
                return cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]);
            };
            if (dot(area(mesh.vertices), area(before)) > 0) continue;
            for (const Index v : t) {
                again = again || !(mesh.vertices[v] == before[v]);
                mesh.vertices[v] = before[v];
            }
        }
    }
}

void set_mesh_normals(const Device& device, SurfaceMesh& mesh) {
    set_normals(device, mesh, triangles_of_vertices(mesh), {});
}

void smooth(const Device& device, SurfaceMesh& mesh, View<const float> weight, int steps) {
    VertexNotes notes;
    for (const float w : weight) notes.neighbours.push_back(w * full_neighbours);
    if (steps > 0) smooth(device, mesh, triangles_of_vertices(mesh), notes, steps);
}

void smooth(const Device& device, SurfaceMesh& mesh, const VertexTriangles& around, const VertexNotes& notes,
            int steps) {
    if (steps == 0 || mesh.vertices.empty()) return;
    const std::vector<Vec3f> before = mesh.vertices;
    const double volume = extents(device, mesh).volume;
    std::vector<float> weight(mesh.vertices.size());
    launch(device, static_cast<Index>(weight.size()), [&, w = View(weight)](Index v) {
        const bool free = notes.contact.empty() || notes.contact[v] == WallContact::none;
        w[v] = free ? std::min(1.f, notes.neighbours[v] / full_neighbours) : 0;
    });
    relax(device, mesh, around, weight, slides_of(mesh, around, notes), steps);
    restore_volume(device, mesh, around, weight, volume);
    put_back_turned(mesh, notes.contact, before, true);
    put_back_degenerate(device, mesh, before);
    set_normals(device, mesh, around, notes.contact);
}

void drop_specks(SurfaceMesh& mesh, double least, VertexNotes& notes) {
    const std::vector<Index> component = components(mesh);
    std::vector<double> volume(mesh.vertices.size(), 0);
    for (const SurfaceMesh::Corners& t : mesh.triangles) {
        const Vec3d apex = to_double(mesh.vertices[component[t[0]]]);
        volume[component[t[0]]] += dot(area_vector(mesh, t), to_double(mesh.vertices[t[0]]) - apex) / 3;
    }
    keep_vertices(mesh, notes, [&](Index v) { return std::abs(volume[component[v]]) >= least; });
}

}  // namespace thixo
