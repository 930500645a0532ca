#include "surface/field.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "surface/field_methods.h"
#include "surface/row_ranges.h"

namespace thixo {

namespace {

/// The box around the nodes of a block that are set, in nodes; empty if none is.
struct NodeBox {
    int low[3]{block_width, block_width, block_width}, high[3]{-1, -1, -1};

    explicit NodeBox(const BlockBits& bits) {
        std::uint64_t all = 0;
        for (int z = 0; z < block_width; ++z) {
            if (bits.word[z] == 0) continue;
            low[2] = std::min(low[2], z);
            high[2] = z;
            all |= bits.word[z];
        }
        unsigned columns = 0;
        for (int y = 0; y < block_width; ++y) {
            const unsigned row = static_cast<unsigned>(all >> (block_width * y)) & 0xffu;
            if (row == 0) continue;
            low[1] = std::min(low[1], y);
            high[1] = y;
            columns |= row;
        }
        if (columns == 0) return;
        low[0] = std::countr_zero(columns);
        high[0] = std::bit_width(columns) - 1;
    }
    bool empty() const { return high[0] < 0; }
};

/// Sums a method at the nodes of the band. Rows of eight nodes without any are left out.
template <class Method>
struct EvaluateBlocks {
    const FieldParticles* particles;
    const BandBlocks* blocks;
    const KernelBalls* balls;
    View<const Vec3f> center;
    Method method;
    float cell, outside, inside;
    View<float> values;

    void operator()(Index b) const {
        const BlockBits &band = blocks->band[b], &deep = blocks->deep[b];
        float* out = &values[std::size_t{block_nodes} * b];
        alignas(64) float sums[Method::sums * block_nodes];
        const NodeBox box(band);
        if (!box.empty()) {
            std::fill_n(sums, Method::sums * block_nodes, 0.f);
            add_particles(b, box, sums);
        }
        for (int z = 0; z < block_width; ++z)
            for (int y = 0; y < block_width; ++y) {
                const int node = (z * block_width + y) * block_width;
                const unsigned summed = band.row(y, z), solid = deep.row(y, z);
                Lanes phi = spread<Lanes>(outside);
                if (summed != 0) phi = method.value(sums + node, cell, outside);
                if (summed != 0xffu)
                    for (Index l = 0; l < lane_count; ++l)
                        if ((summed >> l & 1) == 0) phi[l] = (solid >> l & 1) != 0 ? inside : outside;
                std::memcpy(out + node, &phi, sizeof phi);
            }
    }

    void add_particles(Index b, const NodeBox& box, float* sums) const {
        const BlockGrid& grid = blocks->grid;
        const Vec3d low = grid.world(b, {double(box.low[0]), double(box.low[1]), double(box.low[2])}),
                    high = grid.world(b, {double(box.high[0]), double(box.high[1]), double(box.high[2])});
        thread_local std::vector<RowRange> ranges;
        find_ranges(
            particles->cells, low, high, [&](std::size_t l) { return balls->margin[l]; }, ranges);
        unsigned rows[block_width];  // which rows of each plane have a node of the band
        for (int z = 0; z < block_width; ++z) {
            rows[z] = 0;
            for (int y = 0; y < block_width; ++y) rows[z] |= (blocks->band[b].row(y, z) != 0 ? 1u : 0u) << y;
        }
        const Vec3f from = to_float(low), to = to_float(high);
        for (const auto [begin, end] : ranges)
            for (Index j = begin; j < end; j += lane_count)
                for (unsigned hit = balls->reaching(j, end, from, to); hit != 0; hit &= hit - 1)
                    add_particle(j + static_cast<Index>(std::countr_zero(hit)), b, rows, sums);
    }

    void add_particle(Index row, Index b, const unsigned (&rows)[block_width], float* sums) const {
        const typename Method::Particle p =
            method.particle(row, blocks->grid.local(b, center[row]), 1 / cell);
        const auto low = [](float x, float reach) {
            return std::max(0, static_cast<int>(std::ceil(x - reach)));
        };
        const auto high = [](float x, float reach) {
            return std::min(block_width - 1, static_cast<int>(std::floor(x + reach)));
        };
        const int y0 = low(p.x.y, p.reach.y), y1 = high(p.x.y, p.reach.y);
        const int z0 = low(p.x.z, p.reach.z), z1 = high(p.x.z, p.reach.z);
        if (y0 > y1 || low(p.x.x, p.reach.x) > high(p.x.x, p.reach.x)) return;
        const unsigned within = (2u << y1) - (1u << y0);
        const Lanes dx = p.x.x - lane_numbers;
        for (int z = z0; z <= z1; ++z)
            for (unsigned left = rows[z] & within; left != 0; left &= left - 1) {
                const int y = std::countr_zero(left);
                Method::add_row(p, dx, p.x.y - static_cast<float>(y), p.x.z - static_cast<float>(z),
                                sums + (z * block_width + y) * block_width);
            }
    }
};

template <class Method>
SurfaceField evaluate(const Device& device, const FieldParticles& p, BandBlocks blocks,
                      View<const Vec3f> center, View<const float> reach, const Method& method, float outside,
                      float inside) {
    const KernelBalls balls(device, p, center, reach);
    std::vector<float> values(std::size_t{block_nodes} * blocks.grid.size());
    launch<4>(device, blocks.grid.size(),
              EvaluateBlocks<Method>{&p, &blocks, &balls, center, method,
                                     static_cast<float>(blocks.grid.cell()), outside, inside, values});
    return {std::move(blocks.grid), std::move(values), outside, inside, {}, {}};
}

/// Bins around what particles fill that the surface may be in: `density` and `anisotropic` fall below their
/// iso-value within a bin, the false surfaces of `zhu_bridson` lie anywhere in its influence.
int rings_of(SurfaceMethod method, Occupancy::Extent extent) {
    if (method == SurfaceMethod::zhu_bridson || method == SurfaceMethod::solenthaler) return 2;
    if (extent == Occupancy::Extent::band) return 1;
    return method == SurfaceMethod::anisotropic ? reach_bins : 2;
}

}  // namespace

Occupancy find_occupancy(const Device& device, const SurfaceParticles& particles, SurfaceMethod method,
                         double cell, Occupancy::Extent extent, double memory) {
    // A little wider than cells: next nodes lie in next bins, however they are rounded.
    const float largest = reduce_max(device, static_cast<Index>(particles.radius.size()), 0.f,
                                     [&](Index i) { return particles.radius[i]; });
    return Occupancy(device, particles, 1.0001 * std::max(2 * double{largest}, cell),
                     rings_of(method, extent), extent, memory);
}

SurfaceField make_field(const Device& device, const FieldParticles& p, SurfaceMethod method,
                        BandBlocks blocks) {
    MethodColumns columns;
    const auto cell = static_cast<float>(blocks.grid.cell());
    return with_method(device, p, method, cell, columns,
                       [&](const auto& sums, View<const Vec3f> center, float outside, float inside) {
                           return evaluate(device, p, std::move(blocks), center, columns.reach, sums, outside,
                                           inside);
                       });
}

SurfaceField make_field(const Device& device, const FieldParticles& p, SurfaceMethod method, double cell,
                        double memory) {
    const Occupancy occupancy = find_occupancy(device, {p.position, p.radius, p.volume}, method, cell,
                                               Occupancy::Extent::everything, memory);
    return make_field(device, p, method, band_blocks(device, occupancy, cell, {}, memory));
}

}  // namespace thixo
