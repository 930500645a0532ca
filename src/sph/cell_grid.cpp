#include "sph/cell_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/raw_array.h"
#include "core/rows_where.h"

namespace thixo {

namespace {

struct PositionRange {
    Vec3f min{std::numeric_limits<float>::max(), std::numeric_limits<float>::max(),
              std::numeric_limits<float>::max()};
    Vec3f max{std::numeric_limits<float>::lowest(), std::numeric_limits<float>::lowest(),
              std::numeric_limits<float>::lowest()};
};

PositionRange extent_of(const Device& device, View<const Vec3f> position) {
    return reduce(
        device, static_cast<Index>(position.size()), PositionRange{},
        [=](Index i) {
            return PositionRange{position[i], position[i]};
        },
        [](const PositionRange& a, const PositionRange& b) {
            return PositionRange{
                {std::min(a.min.x, b.min.x), std::min(a.min.y, b.min.y), std::min(a.min.z, b.min.z)},
                {std::max(a.max.x, b.max.x), std::max(a.max.y, b.max.y), std::max(a.max.z, b.max.z)}};
        });
}

/// Cells are a little wider than the reach, so that rounding can never put a neighbour two cells away.
constexpr double cell_margin = 1 + 1e-5;

/// Keys of all levels share 64 bits with the level number; a particle that flew far away must not overflow
/// them.
constexpr unsigned max_key_bits = 58;

}  // namespace

GridLevel::Coordinates GridLevel::coordinates(const Vec3f& p) const {
    const double scale = 1 / cell_size;
    return {static_cast<std::int64_t>(std::floor((p.x - origin.x) * scale)),
            static_cast<std::int64_t>(std::floor((p.y - origin.y) * scale)),
            static_cast<std::int64_t>(std::floor((p.z - origin.z) * scale))};
}

unsigned CellGrid::level_of(float reach) const {
    const unsigned last = static_cast<unsigned>(levels_.size()) - 1;
    unsigned level = 0;
    for (float limit = largest_reach_ / 2; level < last && reach <= limit; limit /= 2) ++level;
    return level;
}

void CellGrid::lay_out_levels(const Device& device, View<const Vec3f> position, View<const float> reach) {
    const Index n = static_cast<Index>(position.size());
    largest_reach_ = reduce_max(device, n, 0.f, [=](Index i) { return reach[i]; });
    const float smallest =
        -reduce_max(device, n, -std::numeric_limits<float>::max(), [=](Index i) { return -reach[i]; });
    // More than 2^15 between the largest and the smallest particle is served, with coarser cells than ideal.
    const int count = std::clamp(static_cast<int>(std::log2(largest_reach_ / smallest)) + 1, 1, 16);
    levels_.assign(static_cast<std::size_t>(count), {});

    const PositionRange extent = extent_of(device, position);
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        GridLevel& level = levels_[l];
        level.origin = to_double(extent.min);
        level.reach = std::ldexp(double{largest_reach_}, -static_cast<int>(l));
        level.cell_size = level.reach * cell_margin;
        const Vec3d size = to_double(extent.max) - to_double(extent.min);
        // As `coordinates` computes it, to the last bit: the farthest particle must not fall off the grid.
        const auto cells = [&](double length) { return std::floor(length * (1 / level.cell_size)) + 1; };
        while (cells(size.x) * cells(size.y) * cells(size.z) > std::ldexp(1.0, max_key_bits))
            level.cell_size *= 2;
        level.nx = static_cast<std::uint64_t>(cells(size.x));
        level.ny = static_cast<std::uint64_t>(cells(size.y));
        level.nz = static_cast<std::uint64_t>(cells(size.z));
    }
}

std::vector<Index> CellGrid::sort(const Device& device, View<const Vec3f> position, View<const float> reach) {
    const Index n = static_cast<Index>(position.size());
    levels_.clear();
    std::vector<Index> order(n);
    if (n == 0) return order;

    lay_out_levels(device, position, reach);
    unsigned key_bits = 1;
    for (const GridLevel& level : levels_) {
        key_bits =
            std::max(key_bits, static_cast<unsigned>(std::bit_width(level.nx * level.ny * level.nz - 1)));
    }
    const unsigned level_bits = static_cast<unsigned>(std::bit_width(levels_.size() - 1));

    RawArray<std::uint64_t> keys(n);
    launch(device, n,
           [this, key_bits, position, reach, key = View<std::uint64_t>(keys), row = View(order)](Index i) {
               const unsigned l = level_of(reach[i]);
               const GridLevel& level = levels_[l];
               key[i] = (std::uint64_t{l} << key_bits) | level.key(level.coordinates(position[i]));
               row[i] = i;
           });
    radix_sort(device, keys, order, key_bits + level_bits);
    collect_cells(device, keys, key_bits);
    return order;
}

void CellGrid::collect_cells(const Device& device, View<const std::uint64_t> sorted_keys, unsigned key_bits) {
    const std::uint64_t mask = (std::uint64_t{1} << key_bits) - 1;
    Index row = 0;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        GridLevel& level = levels_[l];
        level.begin = row;
        level.end = row = static_cast<Index>(
            std::lower_bound(sorted_keys.begin() + row, sorted_keys.end(), (l + 1) << key_bits) -
            sorted_keys.begin());
        const std::vector<Index> first = rows_where(device, level.begin, level.end, [&](Index k) {
            return k == level.begin || sorted_keys[k] != sorted_keys[k - 1];
        });
        level.cells.resize(first.size() + 1);
        launch(device, static_cast<Index>(first.size()),
               [=, first = View(first), cells = View(level.cells)](Index c) {
                   cells[c] = {sorted_keys[first[c]] & mask, first[c]};
               });
        level.cells.back() = {std::numeric_limits<std::uint64_t>::max(), row};
    }
}

}  // namespace thixo
