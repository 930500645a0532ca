#include "surface/outline.h"

#include <algorithm>
#include <cmath>

#include "core/disjoint_sets.h"
#include "core/error.h"
#include "surface/keep_vertices.h"
#include "surface/match_level.h"
#include "surface/particle_field.h"
#include "surface/smooth.h"

namespace thixo {

namespace {

constexpr float own_layers_radii = 10, other_layers_radii = 6;

/// Layers of each particle along z, its spacing apart: as far as its own kernel and those of the largest
/// particles reach. `volume` of `flat`: areas, m².
MirroredParticles extrude(const MirroredParticles& flat) {
    MirroredParticles out{.passed = flat.passed};
    const SurfaceParticles all = flat.view();
    const float largest = *std::max_element(all.radius.begin(), all.radius.end());
    for (Index i = 0; i < all.position.size(); ++i) {
        const float spacing = 2 * all.radius[i];
        const int layers = static_cast<int>(
            std::ceil(std::max(own_layers_radii * all.radius[i], other_layers_radii * largest) / spacing));
        for (int k = -layers; k <= layers; ++k) {
            out.position.push_back({all.position[i].x, all.position[i].y, static_cast<float>(k) * spacing});
            out.radius.push_back(all.radius[i]);
            out.volume.push_back(all.volume[i] * spacing);
            out.source.push_back(flat.source_of(i));
        }
        if (i < flat.real) out.real = static_cast<Index>(out.position.size());
    }
    return out;
}

/// The vertices before and behind each one.
struct OutlineNeighbours {
    std::vector<Index> before, behind;

    explicit OutlineNeighbours(const SurfaceMesh& outline)
        : before(outline.vertices.size()), behind(outline.vertices.size()) {
        for (const SurfaceMesh::Ends& edge : outline.edges) {
            behind[edge[0]] = edge[1];
            before[edge[1]] = edge[0];
        }
    }
};

/// Outward, of unit length.
void set_outline_normals(SurfaceMesh& outline, const OutlineNeighbours& around) {
    for (Index v = 0; v < outline.vertices.size(); ++v) {
        const Vec3f along = outline.vertices[around.behind[v]] - outline.vertices[around.before[v]];
        const float length = norm(along);
        if (length > 0) outline.normals[v] = Vec3f{along.y, -along.x, 0} / length;
    }
}

/// Moves vertices half the way to the mean of their neighbours, and then all outwards until the area is what
/// it was.
void smooth_outline(SurfaceMesh& outline, View<const float> weight, int steps) {
    if (steps == 0 || outline.vertices.empty()) return;
    const double area = outline_extents(outline).volume;
    const OutlineNeighbours around(outline);
    const std::vector<Vec3f> first = outline.vertices;
    std::vector<Vec3f> moved(outline.vertices.size());
    for (int step = 0; step < steps; ++step) {
        for (Index v = 0; v < moved.size(); ++v) {
            const Vec3f& x = outline.vertices[v];
            const Vec3f mean =
                0.5f * (outline.vertices[around.before[v]] + outline.vertices[around.behind[v]]);
            moved[v] = x + (0.5f * weight[v]) * (mean - x);
        }
        outline.vertices.swap(moved);
    }
    for (int round = 0; round < 2; ++round) {
        set_outline_normals(outline, around);
        double movable = 0;
        for (const SurfaceMesh::Ends& e : outline.edges)
            movable += norm(to_double(outline.vertices[e[1]]) - to_double(outline.vertices[e[0]])) *
                       (double{weight[e[0]]} + weight[e[1]]) / 2;
        if (!(movable > 0)) break;
        const auto shift = static_cast<float>((area - outline_extents(outline).volume) / movable);
        for (Index v = 0; v < moved.size(); ++v)
            outline.vertices[v] += (shift * weight[v]) * outline.normals[v];
    }
    for (const SurfaceMesh::Ends& e : outline.edges)
        if (outline.vertices[e[0]] == outline.vertices[e[1]]) outline.vertices = first;
    set_outline_normals(outline, around);
}

/// Removes polylines, and cavities, of less area than `least`.
void drop_small_outlines(SurfaceMesh& outline, double least, VertexNotes& notes) {
    DisjointSets sets(outline.vertices.size());
    for (const SurfaceMesh::Ends& e : outline.edges) sets.join(e[0], e[1]);
    std::vector<double> area(outline.vertices.size(), 0);
    for (const SurfaceMesh::Ends& e : outline.edges) {
        const Index loop = sets.find(e[0]);
        const Vec3d apex = to_double(outline.vertices[loop]);
        const Vec3d a = to_double(outline.vertices[e[0]]) - apex,
                    b = to_double(outline.vertices[e[1]]) - apex;
        area[loop] += 0.5 * (a.x * b.y - a.y * b.x);
    }
    keep_vertices(outline, notes, [&](Index v) { return std::abs(area[sets.find(v)]) >= least; });
}

}  // namespace

Surface reconstruct_outline(const Device& device, const SurfaceParticles& particles,
                            const std::vector<ParticleAttribute>& attributes, const SurfaceSettings& settings,
                            double radius, double memory, const std::vector<SurfaceObstacle>& obstacles) {
    check_usable(device, particles);
    if (settings.method == SurfaceMethod::active)
        throw InputError("active surfaces are made in 3D; choose another method for outlines in 2D");
    Surface out;
    if (particles.position.empty()) return out;
    std::vector<float> areas(particles.position.size());
    for (Index i = 0; i < areas.size(); ++i)
        areas[i] =
            particles.volume.empty() ? 4 * particles.radius[i] * particles.radius[i] : particles.volume[i];
    for (const float area : areas) out.volume += area;
    const ParticleField made = make_particle_field(
        device, extrude(mirror(device, {particles.position, particles.radius, areas}, obstacles)),
        settings.method, settings.resolution * radius, memory, obstacles, FieldPart::plane);
    if (settings.match_volume)
        out.level = matching_level(out.volume, made.most_shift(radius), [&](double level) {
            return outline_extents(polygonise_plane(made.field, static_cast<float>(level)).mesh);
        });

    Polygonisation outline = polygonise_plane(made.field, static_cast<float>(out.level));
    VertexNotes notes;
    add_attributes(device, made.field, made.particles, attributes, outline, notes.neighbours);
    notes.contact = std::move(outline.contact);
    meet_walls(device, obstacles, notes.contact, meet_from_grid * settings.resolution * radius, outline.mesh);
    if (settings.specks > 0)
        drop_small_outlines(outline.mesh, settings.specks * *std::min_element(areas.begin(), areas.end()),
                            notes);
    std::vector<float>& weight = notes.neighbours;
    for (Index v = 0; v < weight.size(); ++v)
        weight[v] = notes.contact[v] != WallContact::none ? 0 : std::min(1.f, weight[v] / full_neighbours);
    smooth_outline(outline.mesh, weight, settings.smooth);
    out.mesh = std::move(outline.mesh);
    out.report = examine_outline(out.mesh);
    return out;
}

}  // namespace thixo
