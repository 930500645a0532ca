#include "surface/attributes.h"

#include <algorithm>

namespace thixo {

namespace {

/// Weights of the particles around a vertex: (1 − |x−xⱼ|²/H²)³ with H of two spacings. What is farther from all of them than that
/// takes from the closest, in units of its size.
struct Blend {
    const BlockGrid* grid;
    View<const Vec3f> position;
    View<const float> radius;
    View<const Index> order, first;
    View<const Vec3f> vertices;
    View<const float> counts;
    const std::vector<ParticleAttribute>* attributes;
    std::vector<SurfaceMesh::Attribute>* out;
    View<float> neighbours;

    void operator()(Index b) const {
        for (Index v = first[b]; v < first[b + 1]; ++v) blend(b, v);
    }

    void blend(Index b, Index v) const {
        const std::size_t n = attributes->size();
        float total = 0, counted = 0, best = -1, closest = 1e30f;
        Index heaviest = 0;
        for (std::size_t k = 0; k < n; ++k) (*out)[k].values[v] = 0;
        const View<const Index> rows = grid->particles(b);
        for (const Index row : rows) {
            const float support = support_radii * radius[row];
            const float q2 = norm2(position[row] - vertices[v]) / (support * support), u = 1 - q2;
            if (best < 0 && q2 < closest) {
                closest = q2;
                heaviest = row;
            }
            if (u <= 0) continue;
            const float w = u * u * u;
            if (w > best) {
                best = w;
                heaviest = row;
            }
            total += w;
            counted += w * counts[row];
            for (std::size_t k = 0; k < n; ++k)
                if ((*attributes)[k].blend) (*out)[k].values[v] += w * (*attributes)[k].values[order[row]];
        }
        for (std::size_t k = 0; k < n; ++k) {
            const ParticleAttribute& attribute = (*attributes)[k];
            float& value = (*out)[k].values[v];
            value = attribute.blend && total > 0 ? value / total : attribute.values[order[heaviest]];
        }
        neighbours[v] = total > 0 ? counted / total : counts[heaviest];
    }
};

}  // namespace

void add_attributes(const Device& device, const SurfaceField& field, const FieldParticles& particles,
                    const std::vector<ParticleAttribute>& attributes, Polygonisation& surface,
                    std::vector<float>& neighbours) {
    SurfaceMesh& mesh = surface.mesh;
    for (const ParticleAttribute& attribute : attributes)
        mesh.attributes.push_back({attribute.name, attribute.unit, std::vector<float>(mesh.vertices.size())});
    neighbours.resize(mesh.vertices.size());
    launch<small_grain>(
        device, field.grid.size(),
        Blend{&field.grid, particles.position, particles.radius, particles.order, surface.first_vertex,
              mesh.vertices, particles.neighbours, &attributes, &mesh.attributes, neighbours});
}

}  // namespace thixo
