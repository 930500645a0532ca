#pragma once

#include <algorithm>

#include "surface/block_grid.h"

namespace thixo {

/// The bits of a block and of the three bins around it on each side.
class BitHalo {
public:
    static constexpr int reach = 3;

    BitHalo(const BlockGrid& grid, View<const BlockBits> bits, Index b) {
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const Index n = grid.neighbour(b, dx, dy, dz);
                    if (grid.is_stored(n)) add(bits[n], dx, dy, dz);
                }
    }

    /// Set where any bit within `rings` is, along each axis; at most `reach`.
    BlockBits dilated(int rings) {
        for (auto& plane : row_)
            for (unsigned& row : plane) {
                unsigned all = row;
                for (int k = 1; k <= rings; ++k) all |= row << k | row >> k;
                row = all;
            }
        return joined(rings, [](unsigned a, unsigned b) { return a | b; });
    }

    /// Set where all 27 bits around are.
    BlockBits eroded() {
        for (auto& plane : row_)
            for (unsigned& row : plane) row = row & row << 1 & row >> 1;
        return joined(1, [](unsigned a, unsigned b) { return a & b; });
    }

private:
    static constexpr int width = block_width + 2 * reach;

    void add(const BlockBits& bits, int dx, int dy, int dz) {
        const auto begin = [](int d) { return d < 0 ? block_width - reach : 0; };
        const auto end = [](int d) { return d > 0 ? reach : block_width; };
        const int shift = block_width * dx + reach;
        for (int z = begin(dz); z < end(dz); ++z)
            for (int y = begin(dy); y < end(dy); ++y) {
                const unsigned row = bits.row(y, z);
                row_[z + block_width * dz + reach][y + block_width * dy + reach] |=
                    shift < 0 ? row >> -shift : row << shift;
            }
    }

    template <class Join>
    BlockBits joined(int rings, const Join& join) const {
        unsigned column[width][block_width];
        for (int z = 0; z < width; ++z)
            for (int y = 0; y < block_width; ++y) {
                unsigned all = row_[z][y + reach];
                for (int k = -rings; k <= rings; ++k) all = join(all, row_[z][y + reach + k]);
                column[z][y] = all;
            }
        BlockBits out;
        for (int z = 0; z < block_width; ++z)
            for (int y = 0; y < block_width; ++y) {
                unsigned all = column[z + reach][y];
                for (int k = -rings; k <= rings; ++k) all = join(all, column[z + reach + k][y]);
                out.word[z] |= std::uint64_t{all >> reach & 0xffu} << (block_width * y);
            }
        return out;
    }

    unsigned row_[width][width] = {};
};

}  // namespace thixo
