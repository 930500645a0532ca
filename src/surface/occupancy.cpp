#include "surface/occupancy.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "surface/bit_halo.h"

namespace thixo {

namespace {

/// Matter is full where the bins around have this much of the particles at rest: beside a flat surface a
/// third of them is empty.
constexpr float full_part = 0.8f;

/// Bytes of a block of bins, what it is classified by included.
constexpr double bin_block_bytes = 6500;

std::int32_t block_of(std::int64_t bin) { return static_cast<std::int32_t>(bin >> 3); }

/// Along one axis: the two bins that a cube of half the edge r around x lies in, and the part in the lower
/// one.
struct CellOverlap {
    std::int64_t low;
    float part;

    CellOverlap(double x, double r, double inverse) {
        const double begin = (x - r) * inverse;
        low = static_cast<std::int64_t>(std::floor(begin));
        part = static_cast<float>(
            std::clamp((static_cast<double>(low) + 1 - begin) / (2 * r * inverse), 0.0, 1.0));
    }
};

/// What the particles of a block put into its bins and into those around it: bins −1 … 8 along each axis.
constexpr int spill_width = block_width + 2;
constexpr int spill_bins = spill_width * spill_width * spill_width;

struct Deposit {
    SurfaceParticles particles;
    View<const BlockPlace> places;
    View<const Index> first, rows;
    double inverse;
    View<float> spill;

    void operator()(Index b) const {
        float* out = &spill[std::size_t{spill_bins} * b];
        const BlockPlace& p = places[b];
        for (Index k = first[b]; k < first[b + 1]; ++k) {
            const Index i = rows[k];
            const Vec3f& x = particles.position[i];
            const double r = particles.radius[i];
            const CellOverlap ox(x.x, r, inverse), oy(x.y, r, inverse), oz(x.z, r, inverse);
            const auto weight = static_cast<float>(particles.volume_of(i) * inverse * inverse * inverse);
            // A cube at the border of a bin may be rounded into the next one: it stays within the halo.
            const auto local = [](std::int64_t bin, std::int32_t block) {
                return static_cast<int>(std::clamp<std::int64_t>(bin - 8 * std::int64_t{block}, -1, 7)) + 1;
            };
            float* at = out + (local(oz.low, p.z) * spill_width + local(oy.low, p.y)) * spill_width +
                        local(ox.low, p.x);
            for (int z = 0; z < 2; ++z)
                for (int y = 0; y < 2; ++y) {
                    const float w = weight * (z ? 1 - oz.part : oz.part) * (y ? 1 - oy.part : oy.part);
                    float* row = at + (z * spill_width + y) * spill_width;
                    row[0] += w * ox.part;
                    row[1] += w * (1 - ox.part);
                }
        }
    }
};

/// The volume in each bin of a block, from all blocks that spill into it; 1: full.
struct Collect {
    const BlockGrid* bins;
    View<const Index> source;  ///< where a block's spill is; `no_block` if it holds no particle
    View<const float> spill;
    View<float> filled;

    void operator()(Index b) const {
        float* out = &filled[std::size_t{block_nodes} * b];
        std::fill_n(out, block_nodes, 0.f);
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const Index n = bins->neighbour(b, dx, dy, dz);
                    if (n == no_block || source[n] == no_block) continue;
                    add(&spill[std::size_t{spill_bins} * source[n]], dx, dy, dz, out);
                }
    }

    static void add(const float* from, int dx, int dy, int dz, float* out) {
        const auto begin = [](int d) { return d > 0 ? block_width - 1 : 0; };
        const auto end = [](int d) { return d < 0 ? 1 : block_width; };
        for (int z = begin(dz); z < end(dz); ++z)
            for (int y = begin(dy); y < end(dy); ++y)
                for (int x = begin(dx); x < end(dx); ++x)
                    out[(z * block_width + y) * block_width + x] +=
                        from[((z - block_width * dz + 1) * spill_width + y - block_width * dy + 1) *
                                 spill_width +
                             x - block_width * dx + 1];
    }
};

/// Which bins hold anything, and which are full.
struct FindFull {
    const BlockGrid* bins;
    View<const float> filled;
    View<BlockBits> occupied, full;

    void operator()(Index b) const {
        float halo[spill_bins] = {};
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const Index n = bins->neighbour(b, dx, dy, dz);
                    if (n != no_block) copy(&filled[std::size_t{block_nodes} * n], dx, dy, dz, halo);
                }
        for (int z = 0; z < block_width; ++z)
            for (int y = 0; y < block_width; ++y)
                for (int x = 0; x < block_width; ++x) {
                    const float* center = halo + ((z + 1) * spill_width + y + 1) * spill_width + x + 1;
                    if (*center > 0) occupied[b].set(x, y, z);
                }
        sum_threes(halo, 1);
        sum_threes(halo, spill_width);
        sum_threes(halo, spill_width * spill_width);
        for (int z = 0; z < block_width; ++z)
            for (int y = 0; y < block_width; ++y)
                for (int x = 0; x < block_width; ++x)
                    if (halo[((z + 1) * spill_width + y + 1) * spill_width + x + 1] >= 27 * full_part)
                        full[b].set(x, y, z);
    }

    static void copy(const float* from, int dx, int dy, int dz, float* halo) {
        const auto begin = [](int d) { return d < 0 ? block_width - 1 : 0; };
        const auto end = [](int d) { return d > 0 ? 1 : block_width; };
        for (int z = begin(dz); z < end(dz); ++z)
            for (int y = begin(dy); y < end(dy); ++y)
                for (int x = begin(dx); x < end(dx); ++x)
                    halo[((z + block_width * dz + 1) * spill_width + y + block_width * dy + 1) * spill_width +
                         x + block_width * dx + 1] = from[(z * block_width + y) * block_width + x];
    }

    /// Each entry becomes the sum of itself and the two `step` away; those at the ends lose their meaning.
    static void sum_threes(float* values, int step) {
        float out[spill_bins];
        for (int k = step; k < spill_bins - step; ++k)
            out[k] = values[k - step] + values[k] + values[k + step];
        std::copy(out + step, out + spill_bins - step, values + step);
    }
};

/// Places of all blocks with a bin within `rings` bins of what particles fill.
std::vector<BlockPlace> places_around(const Device& device, const RowsByBlock& groups,
                                      const SurfaceParticles& particles, double inverse, int rings) {
    struct Range {
        BlockPlace low, high;
    };
    std::vector<Range> ranges(groups.places.size());
    launch<small_grain>(device, static_cast<Index>(ranges.size()), [&, rings, inverse](Index b) {
        Vec3d low{1e30, 1e30, 1e30}, high = -low;
        for (Index k = groups.first[b]; k < groups.first[b + 1]; ++k) {
            const Vec3d x = to_double(particles.position[groups.rows[k]]);
            const double r = particles.radius[groups.rows[k]];
            low = {std::min(low.x, x.x - r), std::min(low.y, x.y - r), std::min(low.z, x.z - r)};
            high = {std::max(high.x, x.x + r), std::max(high.y, x.y + r), std::max(high.z, x.z + r)};
        }
        const auto block = [&](double x, int away) {
            return block_of(static_cast<std::int64_t>(std::floor(x * inverse)) + away);
        };
        ranges[b] = {{block(low.x, -rings), block(low.y, -rings), block(low.z, -rings)},
                     {block(high.x, rings), block(high.y, rings), block(high.z, rings)}};
    });
    std::vector<BlockPlace> places;
    for (const Range& r : ranges)
        for (std::int32_t z = r.low.z; z <= r.high.z; ++z)
            for (std::int32_t y = r.low.y; y <= r.high.y; ++y)
                for (std::int32_t x = r.low.x; x <= r.high.x; ++x) places.push_back({x, y, z});
    return group_by_block(device, places).places;
}

RowsByBlock particles_by_block(const Device& device, const SurfaceParticles& particles, double edge) {
    const auto n = static_cast<Index>(particles.position.size());
    const double farthest = reduce_max(device, n, 0.0, [&](Index i) {
        const Vec3f& x = particles.position[i];
        return double{std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)})};
    });
    refuse_far(farthest, edge);
    return group_by_block(device, n, [position = particles.position, inverse = 1 / edge](Index i) {
        const Vec3f& x = position[i];
        const auto block = [inverse](double a) {
            return block_of(static_cast<std::int64_t>(std::floor(a * inverse)));
        };
        return BlockPlace{block(x.x), block(x.y), block(x.z)};
    });
}

}  // namespace

Occupancy::Occupancy(const Device& device, const SurfaceParticles& particles, double edge, int rings,
                     Extent extent, double memory)
    : bins_(device, edge, {}), inverse_(1 / edge), particles_(particles_by_block(device, particles, edge)) {
    const RowsByBlock& groups = particles_;
    bins_ = BlockGrid(device, edge, places_around(device, groups, particles, inverse_, rings));
    refuse_beyond(bin_block_bytes * bins_.size(), memory);

    const auto count = static_cast<Index>(groups.places.size());
    std::vector<float> spill(std::size_t{spill_bins} * count, 0.f);
    launch<4>(device, count, Deposit{particles, groups.places, groups.first, groups.rows, inverse_, spill});
    std::vector<Index> source(bins_.size(), no_block);
    block_of_group_.resize(count);
    for (Index g = 0; g < count; ++g) {
        block_of_group_[g] = bins_.find(groups.places[g]);
        source[block_of_group_[g]] = g;
    }
    std::vector<float> filled(std::size_t{block_nodes} * bins_.size());
    launch<4>(device, bins_.size(), Collect{&bins_, source, spill, filled});
    classify(device, filled, rings, extent);
}

void Occupancy::classify(const Device& device, View<const float> filled, int rings, Extent extent) {
    const Index n = bins_.size();
    std::vector<BlockBits> occupied(n), full(n);
    launch<4>(device, n, FindFull{&bins_, filled, occupied, full});
    band_.resize(n);
    deep_.resize(n);
    launch<small_grain>(device, n, [&, rings, extent](Index b) {
        if (extent == Extent::band) deep_[b] = BitHalo(bins_, full, b).eroded();
        band_[b] = BitHalo(bins_, occupied, b).dilated(rings);
        for (int z = 0; z < block_width; ++z) band_[b].word[z] &= ~deep_[b].word[z];
    });
}

}  // namespace thixo
