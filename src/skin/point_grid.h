#pragma once

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "core/vec.h"
#include "core/view.h"

namespace thixo {

/// Points by cells, to find those near a place. Queries visit cells and points in a fixed order.
class PointGrid {
public:
    PointGrid() = default;
    PointGrid(std::vector<Vec3d> points, double cell) : points_(std::move(points)), cell_(cell) {
        std::vector<std::pair<std::uint64_t, Index>> keys;
        for (Index i = 0; i < points_.size(); ++i) keys.emplace_back(key(place(points_[i])), i);
        std::sort(keys.begin(), keys.end());
        for (const auto& [k, i] : keys) {
            auto [entry, added] = cells_.try_emplace(k, Range{static_cast<Index>(order_.size()), 0});
            ++entry->second.count;
            order_.push_back(i);
        }
    }

    /// visit(i, distance²) for each point nearer than the radius, which should not be many cells.
    template <class Visit>
    void for_each_within(const Vec3d& x, double radius, const Visit& visit) const {
        const Place low = place(x - Vec3d{radius, radius, radius}),
                    high = place(x + Vec3d{radius, radius, radius});
        for (std::int64_t k = low.z; k <= high.z; ++k)
            for (std::int64_t j = low.y; j <= high.y; ++j)
                for (std::int64_t i = low.x; i <= high.x; ++i) {
                    const auto found = cells_.find(key({i, j, k}));
                    if (found == cells_.end()) continue;
                    const Range range = found->second;
                    for (Index n = range.first; n < range.first + range.count; ++n) {
                        const double d2 = norm2(points_[order_[n]] - x);
                        if (d2 < radius * radius) visit(order_[n], d2);
                    }
                }
    }

    const std::vector<Vec3d>& points() const { return points_; }

private:
    struct Place {
        std::int64_t x, y, z;
    };
    struct Range {
        Index first, count;
    };
    Place place(const Vec3d& x) const {
        const auto cell = [&](double a) { return static_cast<std::int64_t>(std::floor(a / cell_)); };
        return {cell(x.x), cell(x.y), cell(x.z)};
    }
    static std::uint64_t key(const Place& p) {
        constexpr std::int64_t half = 1 << 20;
        return (static_cast<std::uint64_t>(p.z + half) << 42) ^
               (static_cast<std::uint64_t>(p.y + half) << 21) ^ static_cast<std::uint64_t>(p.x + half);
    }

    std::vector<Vec3d> points_;
    double cell_ = 1;
    std::vector<Index> order_;
    std::unordered_map<std::uint64_t, Range> cells_;
};

}  // namespace thixo
