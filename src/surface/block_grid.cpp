#include "surface/block_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/error.h"
#include "sph/cell_grid.h"

namespace thixo {

namespace {

/// Nodes are numbered by 32 bits along each axis.
constexpr double most_cells = 1e9;

struct BlockRange {
    BlockPlace first, last;

    std::uint64_t count() const {
        return std::uint64_t(last.x - first.x + 1) * std::uint64_t(last.y - first.y + 1) *
               std::uint64_t(last.z - first.z + 1);
    }
};

std::int32_t block_of(double node) { return static_cast<std::int32_t>(std::floor(node / block_width)); }

/// One cell more on the low side: there are the cells whose upper nodes the particle reaches.
BlockRange range_of(const Vec3f& x, const Reach& reach, double inverse) {
    const auto low = [&](float a, float r) { return block_of(std::ceil((double{a} - r) * inverse) - 1); };
    const auto high = [&](float a, float r) { return block_of(std::floor((double{a} + r) * inverse)); };
    return {{low(x.x, reach.x), low(x.y, reach.y), low(x.z, reach.z)},
            {high(x.x, reach.x), high(x.y, reach.y), high(x.z, reach.z)}};
}

/// Block coordinates packed into one word, z first, with as few bits as the matter needs.
struct KeyLayout {
    BlockPlace origin;
    unsigned x_bits = 1, y_bits = 1, z_bits = 1;

    std::uint64_t key(std::int32_t x, std::int32_t y, std::int32_t z) const {
        return (std::uint64_t(z - origin.z) << (x_bits + y_bits)) | (std::uint64_t(y - origin.y) << x_bits) |
               std::uint64_t(x - origin.x);
    }
    BlockPlace place(std::uint64_t key) const {
        const auto part = [](std::uint64_t value, unsigned bits) {
            return static_cast<std::int32_t>(value & ((std::uint64_t{1} << bits) - 1));
        };
        return {origin.x + part(key, x_bits), origin.y + part(key >> x_bits, y_bits),
                origin.z + part(key >> (x_bits + y_bits), z_bits)};
    }
    unsigned bits() const { return x_bits + y_bits + z_bits; }
};

struct Summary {
    BlockPlace min{std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::max(),
                   std::numeric_limits<std::int32_t>::max()};
    BlockPlace max{std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::min(),
                   std::numeric_limits<std::int32_t>::min()};
};

KeyLayout layout_of(const Device& device, View<const BlockRange> ranges) {
    const Summary all = reduce(
        device, static_cast<Index>(ranges.size()), Summary{},
        [=](Index i) {
            return Summary{ranges[i].first, ranges[i].last};
        },
        [](const Summary& a, const Summary& b) {
            return Summary{
                {std::min(a.min.x, b.min.x), std::min(a.min.y, b.min.y), std::min(a.min.z, b.min.z)},
                {std::max(a.max.x, b.max.x), std::max(a.max.y, b.max.y), std::max(a.max.z, b.max.z)}};
        });
    const auto bits = [](std::int32_t low, std::int32_t high) {
        return static_cast<unsigned>(std::bit_width(std::uint64_t(std::int64_t{high} - low)));
    };
    KeyLayout layout{all.min, std::max(1u, bits(all.min.x, all.max.x)),
                     std::max(1u, bits(all.min.y, all.max.y)), std::max(1u, bits(all.min.z, all.max.z))};
    if (layout.bits() > 64)
        throw RunError(
            "the matter is spread too far for a surface with such small cells; choose a larger "
            "resolution, or remove the particles that flew off");
    return layout;
}

/// Field, neighbours and masks of one block, bytes.
constexpr double block_bytes = 2900;

void refuse_beyond(double needed, double memory) {
    if (needed <= memory) return;
    throw RunError(
        fmt::format("a surface with such small cells needs about {:.1f} GB of memory, {:.1f} GB are free; "
                    "choose a larger resolution",
                    needed / 1e9, memory / 1e9));
}

}  // namespace

BlockGrid::BlockGrid(const Device& device, double cell, View<const Vec3f> position, View<const Reach> reach,
                     double memory)
    : cell_(cell), inverse_(1 / cell) {
    const auto n = static_cast<Index>(position.size());
    first_.assign(1, 0);
    if (n == 0) return;
    const double farthest = reduce_max(device, n, 0.0, [=](Index i) {
        const Vec3f& x = position[i];
        const Reach& r = reach[i];
        return std::max(
            {double{std::abs(x.x)} + r.x, double{std::abs(x.y)} + r.y, double{std::abs(x.z)} + r.z});
    });
    farthest_ = farthest * inverse_ + 2 * block_width;
    if (!(farthest_ < most_cells))
        throw RunError("a particle is too far from the origin for a surface with such small cells");

    // Which blocks each particle acts in.
    std::vector<BlockRange> ranges(n);
    launch(device, n, [=, inverse = inverse_, range = View(ranges)](Index i) {
        range[i] = range_of(position[i], reach[i], inverse);
    });
    std::vector<std::uint64_t> begin(std::size_t{n} + 1, 0);
    for (Index i = 0; i < n; ++i) begin[i + 1] = begin[i] + ranges[i].count();
    const std::uint64_t pairs = begin[n];
    refuse_beyond(24.0 * static_cast<double>(pairs), memory);
    if (pairs >= no_block) throw RunError("there are too many particles for one surface");

    // Pairs of block and particle, sorted by block; the sort is stable, so particles stay in order.
    const KeyLayout layout = layout_of(device, ranges);
    std::vector<std::uint64_t> keys(pairs);
    rows_.resize(pairs);
    launch(device, n,
           [layout, range = View<const BlockRange>(ranges), first = View<const std::uint64_t>(begin),
            key = View(keys), row = View(rows_)](Index i) {
               const BlockRange& r = range[i];
               std::uint64_t k = first[i];
               for (std::int32_t z = r.first.z; z <= r.last.z; ++z)
                   for (std::int32_t y = r.first.y; y <= r.last.y; ++y)
                       for (std::int32_t x = r.first.x; x <= r.last.x; ++x, ++k) {
                           key[k] = layout.key(x, y, z);
                           row[k] = i;
                       }
           });
    radix_sort(device, keys, rows_, layout.bits());

    first_.clear();
    for (std::size_t k = 0; k < keys.size(); ++k) {
        if (k > 0 && keys[k] == keys[k - 1]) continue;
        places_.push_back(layout.place(keys[k]));
        first_.push_back(static_cast<Index>(k));
    }
    first_.push_back(static_cast<Index>(pairs));
    refuse_beyond(12.0 * static_cast<double>(pairs) + block_bytes * static_cast<double>(places_.size()),
                  memory);
    find_neighbours(device);
}

void BlockGrid::find_neighbours(const Device& device) {
    neighbours_.resize(27 * places_.size());
    launch<small_grain>(
        device, size(), [places = View<const BlockPlace>(places_), out = View(neighbours_)](Index b) {
            const auto order = [](const BlockPlace& p) { return std::tuple(p.z, p.y, p.x); };
            const BlockPlace& here = places[b];
            Index* next = &out[27 * std::size_t{b}];
            for (int dz = -1; dz <= 1; ++dz) {
                for (int dy = -1; dy <= 1; ++dy) {
                    // Neighbours along x are next to each other in memory, too.
                    const BlockPlace low{here.x - 1, here.y + dy, here.z + dz};
                    const BlockPlace* found = std::lower_bound(
                        places.begin(), places.end(), low,
                        [&](const BlockPlace& a, const BlockPlace& p) { return order(a) < order(p); });
                    for (int dx = -1; dx <= 1; ++dx, ++next) {
                        const BlockPlace wanted{here.x + dx, low.y, low.z};
                        const bool is_there = found != places.end() && *found == wanted;
                        *next = is_there ? static_cast<Index>(found - places.begin()) : no_block;
                        if (is_there) ++found;
                    }
                }
            }
        });
}

std::size_t BlockGrid::bytes() const {
    return places_.size() * sizeof(BlockPlace) +
           (first_.size() + rows_.size() + neighbours_.size()) * sizeof(Index);
}

}  // namespace thixo
