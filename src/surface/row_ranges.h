#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "sph/cell_grid.h"

namespace thixo {

/// Consecutive rows.
struct RowRange {
    Index begin, end;
};

/// The rows of sorted particles that may lie in the box from `low` to `high`, grown by margin(level) on each
/// side: as ranges of rows, in ascending order for each level.
template <class Margin>
void find_ranges(const CellGrid& grid, const Vec3d& low, const Vec3d& high, const Margin& margin,
                 std::vector<RowRange>& out) {
    out.clear();
    for (std::size_t l = 0; l < grid.levels().size(); ++l) {
        const GridLevel& level = grid.levels()[l];
        if (level.begin == level.end) continue;
        const double grow = margin(l), scale = 1 / level.cell_size;
        const auto cell = [&](double x, double origin, std::uint64_t cells) {
            const double last = static_cast<double>(cells) - 1;
            return static_cast<std::int64_t>(std::floor(std::clamp((x - origin) * scale, -1.0, last + 1)));
        };
        const Vec3d& o = level.origin;
        const auto first = [](std::int64_t c) { return std::max<std::int64_t>(c, 0); };
        const auto last = [](std::int64_t c, std::uint64_t cells) {
            return std::min(c, static_cast<std::int64_t>(cells) - 1);
        };
        const std::int64_t x0 = first(cell(low.x - grow, o.x, level.nx)),
                           x1 = last(cell(high.x + grow, o.x, level.nx), level.nx);
        const std::int64_t y0 = first(cell(low.y - grow, o.y, level.ny)),
                           y1 = last(cell(high.y + grow, o.y, level.ny), level.ny);
        const std::int64_t z0 = first(cell(low.z - grow, o.z, level.nz)),
                           z1 = last(cell(high.z + grow, o.z, level.nz), level.nz);
        if (x0 > x1) continue;
        for (std::int64_t z = z0; z <= z1; ++z) {
            for (std::int64_t y = y0; y <= y1; ++y) {
                const std::uint64_t first_key = level.key({x0, y, z}), last_key = level.key({x1, y, z});
                auto found = std::lower_bound(level.cells.begin(), level.cells.end(), first_key,
                                              [](const Cell& c, std::uint64_t key) { return c.key < key; });
                const Index begin = found->first;
                while (found->key <= last_key) ++found;
                if (found->first > begin) out.push_back({begin, found->first});
            }
        }
    }
}

}  // namespace thixo
