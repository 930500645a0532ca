#include "surface/smooth.h"

#include <algorithm>
#include <cmath>

#include "surface/mesh_report.h"

namespace thixo {

namespace {

Vec3d area_vector(const SurfaceMesh& mesh, const SurfaceMesh::Corners& t) {
    const Vec3d a = to_double(mesh.vertices[t[0]]);
    return 0.5 * cross(to_double(mesh.vertices[t[1]]) - a, to_double(mesh.vertices[t[2]]) - a);
}

/// Every vertex is surrounded by one ring of triangles, so each neighbour is the next corner of exactly one of them.
struct Relax {
    const SurfaceMesh* mesh;
    const VertexTriangles* around;
    View<const float> weight;
    View<Vec3f> moved;

    void operator()(Index v) const {
        const Index begin = around->first[v], end = around->first[v + 1];
        Vec3f sum{};
        for (Index k = begin; k < end; ++k) {
            const Index c = around->corners[k];
            sum += mesh->vertices[mesh->triangles[c / 3][(c + 1) % 3]];
        }
        const Vec3f& x = mesh->vertices[v];
        moved[v] = x + weight[v] * (sum / static_cast<float>(end - begin) - x);
    }
};

struct MeshNormal {
    const SurfaceMesh* mesh;
    const VertexTriangles* around;
    View<Vec3f> normal;

    void operator()(Index v) const {
        Vec3d sum{};
        for (Index k = around->first[v]; k < around->first[v + 1]; ++k)
            sum += area_vector(*mesh, mesh->triangles[around->corners[k] / 3]);
        const double length = norm(sum);
        normal[v] = length > 0 ? to_float(sum / length) : Vec3f{0, 1, 0};
    }
};

void set_normals(const Device& device, SurfaceMesh& mesh, const VertexTriangles& around) {
    mesh.normals.resize(mesh.vertices.size());
    launch(device, static_cast<Index>(mesh.vertices.size()), MeshNormal{&mesh, &around, mesh.normals});
}

/// One step of Newton's method: a shift by δ along the normals adds δ times the area.
void restore_volume(const Device& device, SurfaceMesh& mesh, const VertexTriangles& around,
                    View<const float> weight, double volume) {
    set_normals(device, mesh, around);
    const double change = volume - extents(device, mesh).volume;
    const double movable = reduce_sum(device, static_cast<Index>(mesh.triangles.size()), [&](Index t) {
        const SurfaceMesh::Corners& c = mesh.triangles[t];
        return norm(area_vector(mesh, c)) * (double{weight[c[0]]} + weight[c[1]] + weight[c[2]]) / 3;
    });
    if (!(movable > 0)) return;
    const auto shift = static_cast<float>(change / movable);
    launch(device, static_cast<Index>(mesh.vertices.size()),
           [shift, weight, x = View(mesh.vertices), n = View<const Vec3f>(mesh.normals)](Index v) {
               x[v] += (shift * weight[v]) * n[v];
           });
}

/// Puts back the vertices of triangles that lost their area, until there are none: at the latest where all are back.
void put_back_degenerate(SurfaceMesh& mesh, const std::vector<Vec3f>& before) {
    for (bool again = true; again;) {
        again = false;
        for (const SurfaceMesh::Corners& t : mesh.triangles) {
            if (norm2(area_vector(mesh, t)) > 0) continue;
            for (const Index v : t) {
                again = again || !(mesh.vertices[v] == before[v]);
                mesh.vertices[v] = before[v];
            }
        }
    }
}

}  // namespace

void set_mesh_normals(const Device& device, SurfaceMesh& mesh) {
    set_normals(device, mesh, triangles_of_vertices(mesh));
}

void smooth(const Device& device, SurfaceMesh& mesh, View<const float> weight, int steps) {
    if (steps == 0 || mesh.vertices.empty()) return;
    const std::vector<Vec3f> before = mesh.vertices;
    const double volume = extents(device, mesh).volume;
    const VertexTriangles around = triangles_of_vertices(mesh);
    std::vector<Vec3f> moved(mesh.vertices.size());
    for (int step = 0; step < steps; ++step) {
        launch(device, static_cast<Index>(moved.size()), Relax{&mesh, &around, weight, moved});
        mesh.vertices.swap(moved);
    }
    restore_volume(device, mesh, around, weight, volume);
    restore_volume(device, mesh, around, weight, volume);
    put_back_degenerate(mesh, before);
    set_normals(device, mesh, around);
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
