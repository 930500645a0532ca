#pragma once

#include <cstdint>
#include <vector>

#include "core/launch.h"
#include "core/vec.h"
#include "core/view.h"

namespace thixo {

inline constexpr int block_width = 8;  ///< nodes along each axis: one row of a block is one register
inline constexpr int block_nodes = block_width * block_width * block_width;
inline constexpr Index no_block = ~Index{0};

struct BlockPlace {
    std::int32_t x = 0, y = 0, z = 0;
    friend bool operator==(const BlockPlace&, const BlockPlace&) = default;
};

/// A box along the axes that a particle acts in: half its lengths, m.
using Reach = Vec3f;

/// The blocks of a grid that particles act in, and nothing of the space between them. The nodes are the points cell·(i, j, k) for
/// all whole i, j, k: the grid does not move with the matter, so that a surface at rest stays as it is. A block is
/// stored if one of its nodes, or a node one above along some axes, is in reach of a particle. So a cell of eight nodes
/// that a particle acts on always has its lowest node in a stored block; nodes of other blocks are outside.
class BlockGrid {
public:
    /// Throws RunError if the grid does not fit into `memory` bytes.
    BlockGrid(const Device& device, double cell, View<const Vec3f> position, View<const Reach> reach,
              double memory);

    double cell() const { return cell_; }
    Index size() const { return static_cast<Index>(places_.size()); }
    const BlockPlace& place(Index block) const { return places_[block]; }
    /// Particles that act in a block, in ascending order.
    View<const Index> particles(Index block) const {
        return {rows_.data() + first_[block], first_[block + 1] - first_[block]};
    }
    /// The block next to one, dx, dy, dz ∈ {−1, 0, 1}; `no_block` if it is not stored.
    Index neighbour(Index block, int dx, int dy, int dz) const {
        return neighbours_[27 * std::size_t{block} +
                           static_cast<std::size_t>((dz + 1) * 9 + (dy + 1) * 3 + dx + 1)];
    }
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
    void find_neighbours(const Device& device);

    double cell_, inverse_, farthest_ = 0;
    std::vector<BlockPlace> places_;  ///< ordered by z, y, x
    std::vector<Index> first_, rows_;
    std::vector<Index> neighbours_;  ///< 27 for each block
};

}  // namespace thixo
