#include "surface/attributes.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/simd.h"
#include "surface/row_ranges.h"

namespace thixo {

namespace {

/// Images are as far as this, relatively: out of reach, and the closest where there is nothing else.
constexpr float far_away = 1e12f;

/// Weights of the particles around a vertex: (1 − |x−xⱼ|²/H²)³ with H of two spacings. What is farther from all of them than that
/// takes from the closest, in units of its size.
struct Blend {
    const FieldParticles* particles;
    View<const float> x, y, z,
        k;  ///< positions and 1/H² of the rows, with room for whole lanes behind the last
    View<const double> margin;  ///< of each level
    View<const Index> first;
    View<const Vec3f> vertices;
    const std::vector<ParticleAttribute>* attributes;
    std::vector<SurfaceMesh::Attribute>* out;
    View<float> neighbours;

    void operator()(Index b) const {
        if (first[b] == first[b + 1]) return;
        Vec3d low = to_double(vertices[first[b]]), high = low;
        for (Index v = first[b]; v < first[b + 1]; ++v) {
            const Vec3d p = to_double(vertices[v]);
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
        thread_local std::vector<RowRange> ranges;
        find_ranges(
            particles->cells, low, high, [&](std::size_t l) { return margin[l]; }, ranges);
        for (Index v = first[b]; v < first[b + 1]; ++v) blend(v, ranges);
    }

    Lanes squared_distance(const Vec3f& p, Index j) const {
        const Lanes dx = load(x.data() + j) - p.x, dy = load(y.data() + j) - p.y,
                    dz = load(z.data() + j) - p.z;
        return (dx * dx + dy * dy + dz * dz) * load(k.data() + j);
    }
    static unsigned lanes_of(LaneMask mask, Index j, Index end) {
        const unsigned hit = bits(mask);
        return end - j < lane_count ? hit & ((1u << (end - j)) - 1) : hit;
    }

    void blend(Index v, const std::vector<RowRange>& ranges) const {
        const std::size_t n = attributes->size();
        float total = 0, counted = 0, best = 0;
        Index heaviest = no_block;
        for (std::size_t a = 0; a < n; ++a) (*out)[a].values[v] = 0;
        for (const auto [begin, end] : ranges)
            for (Index j = begin; j < end; j += lane_count) {
                const Lanes q2 = squared_distance(vertices[v], j);
                for (unsigned hit = lanes_of(q2 < 1.f, j, end); hit != 0; hit &= hit - 1) {
                    const auto lane = static_cast<Index>(std::countr_zero(hit)), row = j + lane;
                    const float u = 1 - q2[lane], w = u * u * u;
                    if (w > best) {
                        best = w;
                        heaviest = row;
                    }
                    total += w;
                    counted += w * particles->neighbours[row];
                    for (std::size_t a = 0; a < n; ++a)
                        if ((*attributes)[a].blend)
                            (*out)[a].values[v] += w * (*attributes)[a].values[particles->order[row]];
                }
            }
        if (heaviest == no_block) heaviest = closest(vertices[v], ranges);
        for (std::size_t a = 0; a < n; ++a) {
            const ParticleAttribute& attribute = (*attributes)[a];
            float& value = (*out)[a].values[v];
            value =
                attribute.blend && total > 0 ? value / total : attribute.values[particles->order[heaviest]];
        }
        neighbours[v] = total > 0 ? counted / total : particles->neighbours[heaviest];
    }

    Index closest(const Vec3f& p, const std::vector<RowRange>& ranges) const {
        Index found = 0;
        float least = 1e30f;
        for (const auto [begin, end] : ranges)
            for (Index j = begin; j < end; ++j) {
                const float q2 = norm2(particles->position[j] - p) * k[j];
                if (q2 >= least) continue;
                least = q2;
                found = j;
            }
        return found;
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
    const auto n = static_cast<Index>(particles.position.size());
    const std::size_t room = std::size_t{n} + lane_count;
    std::vector<float> x(room), y(room), z(room), k(room);
    launch(device, n, [&](Index i) {
        const float h = support_radii * particles.radius[i];
        x[i] = particles.position[i].x;
        y[i] = particles.position[i].y;
        z[i] = particles.position[i].z;
        // Images are matter of another place: of the other side, where an obstacle is thin.
        k[i] = (!particles.image.empty() && particles.image[i] ? far_away : 1) / (h * h);
    });
    // As far as any kernel reaches: then there is a closest particle.
    const std::vector<double> margin = largest_of_levels(
        particles.cells, [&](Index i) { return longest_stretch * anisotropic_radii * particles.radius[i]; });
    launch<4>(device, field.grid.size(),
              Blend{&particles, x, y, z, k, margin, surface.first_vertex, mesh.vertices, &attributes,
                    &mesh.attributes, neighbours});
}

}  // namespace thixo
