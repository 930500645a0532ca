#pragma once

#include <cstdint>
#include <vector>

#include "core/launch.h"
#include "core/vec.h"
#include "core/view.h"

namespace thixo {

/// Rows of one cell: [first, first of the next cell).
struct Cell {
    std::uint64_t key = 0;
    Index first = 0;
};

/// A sparse uniform grid over the particles of one size level. Cells are at least as wide as the reach of
/// every particle in it; only occupied cells are stored, ordered by key with x running fastest, so that the
/// cells x−1, x, x+1 of a row are one contiguous range of particles.
struct GridLevel {
    double reach = 0;  ///< no particle of the level reaches farther
    double cell_size = 1;
    Vec3d origin;
    std::uint64_t nx = 1, ny = 1, nz = 1;
    std::vector<Cell> cells;  ///< ends with a sentinel whose `first` is the end of the level's rows
    Index begin = 0, end = 0;

    struct Coordinates {
        std::int64_t x, y, z;
    };
    Coordinates coordinates(const Vec3f& p) const;
    std::uint64_t key(const Coordinates& c) const {
        return (static_cast<std::uint64_t>(c.z) * ny + static_cast<std::uint64_t>(c.y)) * nx +
               static_cast<std::uint64_t>(c.x);
    }
};

/// A grid per size level: level ℓ holds the particles whose reach is in (R/2^{ℓ+1}, R/2^ℓ], R the largest. A
/// search around a particle visits every level with cells of that level's size, so that mixed sizes cost no
/// more than their number of neighbours.
class CellGrid {
public:
    /// Lays out levels and cells, and returns the order that sorts the rows by (level, cell): row k is to
    /// become the former row order[k]. Cells number the rows as they are after that. The order is stable, so
    /// rows that are sorted already stay where they are.
    std::vector<Index> sort(const Device& device, View<const Vec3f> position, View<const float> reach);

    const std::vector<GridLevel>& levels() const { return levels_; }

private:
    void lay_out_levels(const Device& device, View<const Vec3f> position, View<const float> reach);
    void collect_cells(const Device& device, View<const std::uint64_t> sorted_keys, unsigned key_bits);
    unsigned level_of(float reach) const;

    std::vector<GridLevel> levels_;
    float largest_reach_ = 0;
};

/// Stable parallel radix sort of `keys` (`bits` significant ones) that carries `values` along. The result
/// does not depend on the number of threads.
void radix_sort(const Device& device, View<std::uint64_t> keys, View<Index> values, unsigned bits);

}  // namespace thixo
