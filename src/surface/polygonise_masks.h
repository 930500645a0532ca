#pragma once

#include <bit>
#include <cstdint>

#include "core/view.h"
#include "surface/block_grid.h"

namespace thixo {

/// The nodes of a block that are inside, and the edges from its nodes that the surface crosses, as bits: one
/// word for each z, bit 8y + x.
struct BlockMask {
    std::uint64_t inside[block_width];
    std::uint64_t cross[3][block_width];
    std::uint16_t rank[3][block_width];  ///< crossed edges of the block before this word
    Index edges;                         ///< crossed
    Index vertices;                      ///< on edges, then on faces and in cells
    Index triangles;
};

/// Masks of blocks that are not stored: nothing is inside, or everything.
inline constexpr BlockMask nothing_inside{};
inline constexpr BlockMask everything_inside{.inside = {~0ul, ~0ul, ~0ul, ~0ul, ~0ul, ~0ul, ~0ul, ~0ul},
                                             .cross = {},
                                             .rank = {},
                                             .edges = 0,
                                             .vertices = 0,
                                             .triangles = 0};

struct MaskReader {
    const BlockGrid* grid;
    View<const BlockMask> masks;

    const BlockMask& neighbour(Index b, int dx, int dy, int dz) const {
        const Index n = grid->neighbour(b, dx, dy, dz);
        return grid->is_stored(n) ? masks[n] : n == inside_block ? everything_inside : nothing_inside;
    }
};

/// Nine nodes along each axis: those of the block and the first ones of the next. A row is nine bits.
struct InsideRows {
    unsigned row[block_width + 1][block_width + 1];

    InsideRows(const MaskReader& read, Index b) {
        const auto bit = [](const BlockMask& m, int z, int y) {
            return static_cast<unsigned>(m.inside[z] >> (block_width * y)) & 0xffu;
        };
        const auto fill = [&](int dy, int dz) {
            const BlockMask &here = read.neighbour(b, 0, dy, dz), &next = read.neighbour(b, 1, dy, dz);
            for (int z = dz ? block_width : 0; z < block_width + dz; ++z)
                for (int y = dy ? block_width : 0; y < block_width + dy; ++y)
                    row[z][y] = bit(here, z % block_width, y % block_width) |
                                (bit(next, z % block_width, y % block_width) & 1u) << block_width;
        };
        fill(0, 0);
        fill(1, 0);
        fill(0, 1);
        fill(1, 1);
    }

    /// Calls visit(x, y, z, case) for every cell that the surface passes.
    template <class Visit>
    void for_each_cell(const Visit& visit) const {
        for (int z = 0; z < block_width; ++z) {
            for (int y = 0; y < block_width; ++y) {
                const unsigned a = row[z][y], b = row[z][y + 1], c = row[z + 1][y], d = row[z + 1][y + 1];
                const unsigned some = a | b | c | d, every = a & b & c & d;
                for (unsigned left = (some | some >> 1) & ~(every & every >> 1) & 0xffu; left != 0;
                     left &= left - 1) {
                    const int x = std::countr_zero(left);
                    visit(x, y, z,
                          (a >> x & 3u) | (b >> x & 3u) << 2 | (c >> x & 3u) << 4 | (d >> x & 3u) << 6);
                }
            }
        }
    }
};

}  // namespace thixo
