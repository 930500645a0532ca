#include "surface/attributes.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/simd.h"
#include "surface/row_ranges.h"

namespace thixo {

namespace {

/// The particles that the vertices of a block may take from, beside each other: images are matter of another
/// place, of the other side where an obstacle is thin, and are left out.
struct Nearby {
    std::vector<RowRange> ranges;
    std::vector<Index> rows;
    std::vector<float> x, y, z, k;  ///< positions and 1/H², with room for whole lanes behind the last
    std::vector<std::vector<float>> values;  ///< of each attribute that is blended
    std::vector<Index> hits;                 ///< of one vertex: numbers in `rows`
    std::vector<float> weights;

    void collect(const FieldParticles& p, const Vec3d& low, const Vec3d& high,
                 View<const double> support_of_level, const std::vector<ParticleAttribute>& attributes) {
        find_ranges(
            p.cells, low, high, [&](std::size_t l) { return support_of_level[l]; }, ranges);
        rows.clear();
        for (std::vector<float>* column : {&x, &y, &z, &k}) column->clear();
        const Vec3f from = to_float(low), to = to_float(high);
        for (const auto [begin, end] : ranges)
            for (Index j = begin; j < end; ++j) {
                if (!p.image.empty() && p.image[j]) continue;
                const Vec3f& at = p.position[j];
                const float h = support_radii * p.radius[j], h2 = h * h;
                const auto away = [](float a, float first, float last) {
                    return std::max({first - a, a - last, 0.f});
                };
                if (norm2(Vec3f{away(at.x, from.x, to.x), away(at.y, from.y, to.y),
                                away(at.z, from.z, to.z)}) >= h2)
                    continue;
                rows.push_back(j);
                x.push_back(at.x);
                y.push_back(at.y);
                z.push_back(at.z);
                k.push_back(1 / h2);
            }
        for (std::vector<float>* column : {&x, &y, &z, &k}) column->resize(rows.size() + lane_count);
        values.resize(attributes.size());
        for (std::size_t a = 0; a < attributes.size(); ++a) {
            values[a].clear();
            if (!attributes[a].blend) continue;
            for (const Index row : rows) values[a].push_back(attributes[a].values[p.order[row]]);
        }
    }

    /// Those within their support of v, with their weights (1 − |x−xⱼ|²/H²)³.
    void find(const Vec3f& v) {
        hits.clear();
        weights.clear();
        const auto n = static_cast<Index>(rows.size());
        for (Index j = 0; j < n; j += lane_count) {
            const Lanes dx = load(x.data() + j) - v.x, dy = load(y.data() + j) - v.y,
                        dz = load(z.data() + j) - v.z;
            const Lanes u = 1 - (dx * dx + dy * dy + dz * dz) * load(k.data() + j);
            unsigned hit = bits(u > 0.f);
            if (n - j < lane_count) hit &= (1u << (n - j)) - 1;
            for (; hit != 0; hit &= hit - 1) {
                const auto lane = static_cast<Index>(std::countr_zero(hit));
                hits.push_back(j + lane);
                weights.push_back(u[lane] * u[lane] * u[lane]);
            }
        }
    }
};

/// Vertices take from the particles within two spacings. What is farther from all of them than that takes
/// from the closest, in units of its size.
struct Blend {
    const FieldParticles* particles;
    View<const double> support, margin;  ///< of each level: of the weights, and as far as any kernel reaches
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
        thread_local Nearby nearby;
        nearby.collect(*particles, low, high, support, *attributes);
        for (Index v = first[b]; v < first[b + 1]; ++v) blend(v, nearby);
    }

    void blend(Index v, Nearby& nearby) const {
        nearby.find(vertices[v]);
        float total = 0, counted = 0, best = 0;
        Index heaviest = no_block;
        for (std::size_t h = 0; h < nearby.hits.size(); ++h) {
            const float w = nearby.weights[h];
            const Index row = nearby.rows[nearby.hits[h]];
            if (w > best) {
                best = w;
                heaviest = row;
            }
            total += w;
            counted += w * particles->neighbours[row];
        }
        if (heaviest == no_block) heaviest = closest(vertices[v], nearby.ranges);
        for (std::size_t a = 0; a < attributes->size(); ++a) {
            const ParticleAttribute& attribute = (*attributes)[a];
            float& value = (*out)[a].values[v];
            if (!attribute.blend || !(total > 0)) {
                value = attribute.values[particles->order[heaviest]];
                continue;
            }
            float sum = 0;
            for (std::size_t h = 0; h < nearby.hits.size(); ++h)
                sum += nearby.weights[h] * nearby.values[a][nearby.hits[h]];
            value = sum / total;
        }
        neighbours[v] = total > 0 ? counted / total : particles->neighbours[heaviest];
    }

    /// Images only where there is nothing else.
    Index closest(const Vec3f& p, std::vector<RowRange>& ranges) const {
        const Vec3d x = to_double(p);
        ranges.clear();
        // Kernels may lie beside their particles: the first look may find none.
        for (double wide = 1; ranges.empty(); wide *= 2)
            find_ranges(
                particles->cells, x, x, [&](std::size_t l) { return wide * margin[l]; }, ranges);
        Index found = ranges.front().begin;
        float least = 1e30f;
        for (const auto [begin, end] : ranges)
            for (Index j = begin; j < end; ++j) {
                const bool image = !particles->image.empty() && particles->image[j];
                const float r = particles->radius[j];
                const float q2 = norm2(particles->position[j] - p) / (r * r) * (image ? 1e12f : 1.f);
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
    const auto reaching = [&](float radii) {
        return largest_of_levels(particles.cells, [&](Index i) { return radii * particles.radius[i]; });
    };
    // As far as any kernel reaches there is a closest particle.
    const std::vector<double> support = reaching(support_radii),
                              margin = reaching(longest_stretch * anisotropic_radii);
    launch<4>(device, field.grid.size(),
              Blend{&particles, support, margin, surface.first_vertex, mesh.vertices, &attributes,
                    &mesh.attributes, neighbours});
}

}  // namespace thixo
