#pragma once

#include "surface/block_grid.h"

namespace thixo {

/// Values of a block and around it: nodes −1 … 9 along each axis, which is what gradients at the ends of its
/// edges need.
class Halo {
public:
    template <class BlockOf>
    Halo(const BlockGrid& grid, Index b, float outside, float inside, const BlockOf& block_of) {
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const Index n = grid.neighbour(b, dx, dy, dz);
                    copy(grid.is_stored(n) ? block_of(n) : nullptr, n == inside_block ? inside : outside, dx,
                         dy, dz);
                }
    }

    float at(int x, int y, int z) const { return values_[((z + 1) * width + y + 1) * width + x + 1]; }
    Vec3f gradient(int x, int y, int z) const {
        return {at(x + 1, y, z) - at(x - 1, y, z), at(x, y + 1, z) - at(x, y - 1, z),
                at(x, y, z + 1) - at(x, y, z - 1)};
    }

private:
    static constexpr int width = block_width + 3;

    void copy(const float* from, float missing, int dx, int dy, int dz) {
        const auto begin = [](int d) { return d < 0 ? block_width - 1 : 0; };
        const auto end = [](int d) { return d > 0 ? 2 : block_width; };
        const auto put = [&](int x, int y, int z) -> float& {
            return values_[((z + block_width * dz + 1) * width + y + block_width * dy + 1) * width + x +
                           block_width * dx + 1];
        };
        for (int z = begin(dz); z < end(dz); ++z)
            for (int y = begin(dy); y < end(dy); ++y)
                for (int x = begin(dx); x < end(dx); ++x)
                    put(x, y, z) = from ? from[(z * block_width + y) * block_width + x] : missing;
    }

    float values_[width * width * width];
};

}  // namespace thixo
