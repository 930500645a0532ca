#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/launch.h"
#include "core/vec.h"
#include "core/view.h"

namespace thixo {

inline constexpr int block_width = 8;  ///< nodes along each axis: one row of a block is one register
inline constexpr int block_nodes = block_width * block_width * block_width;
inline constexpr Index no_block = ~Index{0};         ///< not stored; its nodes are outside
inline constexpr Index inside_block = no_block - 1;  ///< not stored; its nodes are inside

struct BlockPlace {
    std::int32_t x = 0, y = 0, z = 0;
    friend bool operator==(const BlockPlace&, const BlockPlace&) = default;
};

/// A bit for each node of a block: one word for each z, bit 8y + x.
struct BlockBits {
    std::uint64_t word[block_width] = {};

    bool at(int x, int y, int z) const { return (word[z] >> (block_width * y + x) & 1) != 0; }
    void set(int x, int y, int z) { word[z] |= std::uint64_t{1} << (block_width * y + x); }
    unsigned row(int y, int z) const { return static_cast<unsigned>(word[z] >> (block_width * y)) & 0xffu; }
    bool any() const {
        std::uint64_t all = 0;
        for (const std::uint64_t w : word) all |= w;
        return all != 0;
    }
};

/// Rows grouped by the block they belong to.
struct RowsByBlock {
    std::vector<BlockPlace> places;  ///< of the blocks, ordered by z, y, x
    std::vector<Index> first,
        rows;  ///< the rows of block b are rows[first[b]] … rows[first[b + 1] − 1], ascending
};
RowsByBlock group_by_block(const Device& device, View<const BlockPlace> place_of_row);

/// Block coordinates packed into one word, z first, with as few bits as the matter needs.
struct BlockKeys {
    BlockPlace origin;
    unsigned x_bits = 1, y_bits = 1, z_bits = 1;

    /// For places from `low` to `high`. Throws RunError if they are too far from each other.
    BlockKeys(const BlockPlace& low, const BlockPlace& high);
    std::uint64_t key(const BlockPlace& p) const {
        return (std::uint64_t(p.z - origin.z) << (x_bits + y_bits)) |
               (std::uint64_t(p.y - origin.y) << x_bits) | std::uint64_t(p.x - origin.x);
    }
    BlockPlace place(std::uint64_t key) const;
};
RowsByBlock group_by_block(const Device& device, const BlockKeys& layout, std::vector<std::uint64_t> keys);

/// The places of n rows: place_of(row).
template <class PlaceOf>
RowsByBlock group_by_block(const Device& device, Index n, const PlaceOf& place_of) {
    if (n == 0) return {{}, {0}, {}};
    struct PlaceBox {
        BlockPlace low, high;
    };
    const BlockPlace start = place_of(0);
    const PlaceBox all = reduce(
        device, n, PlaceBox{start, start},
        [&](Index i) {
            const BlockPlace p = place_of(i);
            return PlaceBox{p, p};
        },
        [](const PlaceBox& a, const PlaceBox& b) {
            return PlaceBox{
                {std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)},
                {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)}};
        });
    const BlockKeys layout(all.low, all.high);
    std::vector<std::uint64_t> keys(n);
    launch(device, n, [&, key = View(keys)](Index i) { key[i] = layout.key(place_of(i)); });
    return group_by_block(device, layout, std::move(keys));
}

/// Some of the blocks of a grid, and nothing of the space between them. The nodes are the points cell·(i, j,
/// k) for all whole i, j, k: the grid does not move with the matter, so that a surface at rest stays as it
/// is.
class BlockGrid {
public:
    /// Both lists ordered by z, y, x, without repeats: blocks that are stored, and others whose nodes are all
    /// inside. Throws RunError for blocks too far from the origin.
    BlockGrid(const Device& device, double cell, std::vector<BlockPlace> stored,
              const std::vector<BlockPlace>& inside = {});

    double cell() const { return cell_; }
    Index size() const { return static_cast<Index>(places_.size()); }
    const BlockPlace& place(Index block) const { return places_[block]; }
    /// `no_block` if it is not stored.
    Index find(const BlockPlace& place) const;
    /// The block next to one, dx, dy, dz ∈ {−1, 0, 1}; `no_block` or `inside_block` if it is not stored.
    Index neighbour(Index block, int dx, int dy, int dz) const {
        return neighbours_[27 * std::size_t{block} +
                           static_cast<std::size_t>((dz + 1) * 9 + (dy + 1) * 3 + dx + 1)];
    }
    bool is_stored(Index block) const { return block < size(); }
    /// Where x is, in cells from the first node of a block.
    Vec3f local(Index block, const Vec3f& x) const {
        const BlockPlace& p = places_[block];
        return {static_cast<float>(x.x * inverse_ - block_width * double{1} * p.x),
                static_cast<float>(x.y * inverse_ - block_width * double{1} * p.y),
                static_cast<float>(x.z * inverse_ - block_width * double{1} * p.z)};
    }
    /// m
    Vec3d world(Index block, const Vec3d& local) const {
        const BlockPlace& p = places_[block];
        return {(block_width * double{1} * p.x + local.x) * cell_,
                (block_width * double{1} * p.y + local.y) * cell_,
                (block_width * double{1} * p.z + local.z) * cell_};
    }
    /// Cells between the origin and the farthest block.
    double farthest() const { return farthest_; }
    std::size_t bytes() const;

private:
    double cell_, inverse_, farthest_ = 0;
    std::vector<BlockPlace> places_;  ///< ordered by z, y, x
    std::vector<Index> neighbours_;   ///< 27 for each block
};

/// Throws RunError if `needed` bytes are more than `memory`.
void refuse_beyond(double needed, double memory);

/// Nodes are numbered by 32 bits along each axis; throws RunError where x (m, in the largest coordinate) is
/// beyond them.
void refuse_far(double x, double cell);

}  // namespace thixo
