#include "surface/block_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/error.h"
#include "core/rows_where.h"
#include "sph/cell_grid.h"

namespace thixo {

namespace {

constexpr double most_cells = 1e9;

std::tuple<std::int32_t, std::int32_t, std::int32_t> order_of(const BlockPlace& p) { return {p.z, p.y, p.x}; }

bool comes_before(const BlockPlace& a, const BlockPlace& b) { return order_of(a) < order_of(b); }

}  // namespace

void refuse_beyond(double needed, double memory) {
    if (needed <= memory) return;
    throw RunError(
        fmt::format("a surface with such small cells needs about {:.1f} GB of memory, {:.1f} GB are free; "
                    "choose a larger resolution",
                    needed / 1e9, memory / 1e9));
}

void refuse_far(double x, double cell) {
    if (!(x / cell + 4 * block_width < most_cells))
        throw RunError("a particle is too far from the origin for a surface with such small cells");
}

BlockKeys::BlockKeys(const BlockPlace& low, const BlockPlace& high) : origin(low) {
    const auto bits = [](std::int32_t from, std::int32_t to) {
        return std::max(1u, static_cast<unsigned>(std::bit_width(std::uint64_t(std::int64_t{to} - from))));
    };
    x_bits = bits(low.x, high.x);
    y_bits = bits(low.y, high.y);
    z_bits = bits(low.z, high.z);
    if (x_bits + y_bits + z_bits > 64)
        throw RunError(
            "the matter is spread too far for a surface with such small cells; choose a larger "
            "resolution, or remove the particles that flew off");
}

BlockPlace BlockKeys::place(std::uint64_t key) const {
    const auto part = [](std::uint64_t value, unsigned bits) {
        return static_cast<std::int32_t>(value & ((std::uint64_t{1} << bits) - 1));
    };
    return {origin.x + part(key, x_bits), origin.y + part(key >> x_bits, y_bits),
            origin.z + part(key >> (x_bits + y_bits), z_bits)};
}

RowsByBlock group_by_block(const Device& device, View<const BlockPlace> place_of_row) {
    return group_by_block(device, static_cast<Index>(place_of_row.size()),
                          [place_of_row](Index i) { return place_of_row[i]; });
}

RowsByBlock group_by_block(const Device& device, const BlockKeys& layout, std::vector<std::uint64_t> keys) {
    const auto n = static_cast<Index>(keys.size());
    RowsByBlock out;
    out.rows.resize(n);
    std::iota(out.rows.begin(), out.rows.end(), Index{0});
    radix_sort(device, keys, out.rows, layout.x_bits + layout.y_bits + layout.z_bits);
    out.first = rows_where(device, 0, n, [&](Index k) { return k == 0 || keys[k] != keys[k - 1]; });
    for (const Index k : out.first) out.places.push_back(layout.place(keys[k]));
    out.first.push_back(n);
    return out;
}

BlockGrid::BlockGrid(const Device& device, double cell, std::vector<BlockPlace> stored,
                     const std::vector<BlockPlace>& inside)
    : cell_(cell), inverse_(1 / cell), places_(std::move(stored)), neighbours_(27 * places_.size()) {
    const View<const BlockPlace> places(places_);
    farthest_ = reduce_max(device, size(), 0.0, [=](Index b) {
        const BlockPlace& p = places[b];
        return block_width *
               (1.0 + std::max({std::abs(double(p.x)), std::abs(double(p.y)), std::abs(double(p.z))}));
    });
    launch<small_grain>(device, size(), [places, &inside, out = View(neighbours_)](Index b) {
        const BlockPlace& here = places[b];
        Index* next = &out[27 * std::size_t{b}];
        for (int dz = -1; dz <= 1; ++dz) {
            for (int dy = -1; dy <= 1; ++dy) {
                // Neighbours along x are next to each other in memory, too.
                const BlockPlace low{here.x - 1, here.y + dy, here.z + dz};
                const BlockPlace* found = std::lower_bound(places.begin(), places.end(), low, comes_before);
                for (int dx = -1; dx <= 1; ++dx, ++next) {
                    const BlockPlace beside{here.x + dx, low.y, low.z};
                    const bool is_there = found != places.end() && *found == beside;
                    *next = is_there ? static_cast<Index>(found - places.begin()) : no_block;
                    if (is_there)
                        ++found;
                    else if (std::binary_search(inside.begin(), inside.end(), beside, comes_before))
                        *next = inside_block;
                }
            }
        }
    });
}

Index BlockGrid::find(const BlockPlace& place) const {
    const auto found = std::lower_bound(places_.begin(), places_.end(), place, comes_before);
    return found != places_.end() && *found == place ? static_cast<Index>(found - places_.begin()) : no_block;
}

std::size_t BlockGrid::bytes() const {
    return places_.size() * sizeof(BlockPlace) + neighbours_.size() * sizeof(Index);
}

}  // namespace thixo
