#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sph/neighbours.h"
#include "unit/core/generators.h"

namespace thixo {

/// Points with a support radius each.
struct Cloud {
    std::vector<Vec3f> position;
    std::vector<float> support;
    Index size() const { return static_cast<Index>(position.size()); }
    void add(const Vec3f& x, float h) {
        position.push_back(x);
        support.push_back(h);
    }
    void permute(const std::vector<Index>& order) {
        Cloud sorted;
        for (const Index i : order) sorted.add(position[i], support[i]);
        *this = std::move(sorted);
    }
};

/// Brings the cloud into the order of the search and builds its lists.
inline void build_lists(NeighbourSearch& search, Cloud& cloud, const Device& device = {1}) {
    cloud.permute(search.sort(device, cloud.position, cloud.support));
    search.build(device, cloud.position, cloud.support);
}

/// What is wrong with the lists, or nothing. They must hold every pair nearer than the larger support, no
/// pair farther than `skin` supports beyond that, and no row twice or in its own list.
inline std::string fault_in_lists(const NeighbourSearch& search, const Cloud& cloud, double slack = 0.1) {
    const Neighbours lists = search.view();
    const auto pair = [](Index i, Index j) { return std::to_string(i) + ", " + std::to_string(j); };
    std::vector<int> listed(cloud.size());
    for (Index i = 0; i < cloud.size(); ++i) {
        std::fill(listed.begin(), listed.end(), 0);
        for (const Index j : lists.of(i)) {
            if (j >= cloud.size()) return "no such row: " + pair(i, j);
            ++listed[j];
        }
        if (listed[i]) return "its own neighbour: " + pair(i, i);
        for (Index j = 0; j < cloud.size(); ++j) {
            const double r = norm(to_double(cloud.position[i]) - to_double(cloud.position[j]));
            const double reach = std::max(cloud.support[i], cloud.support[j]);
            if (listed[j] > 1) return "listed twice: " + pair(i, j);
            if (j != i && r < reach && !listed[j]) return "missing: " + pair(i, j);
            if (listed[j] && r > reach * (1 + slack) * (1 + 1e-5)) return "too far: " + pair(i, j);
        }
        // Whole lanes: what pads the list is the row behind the last.
        Index total = 0;
        lists.for_each_lanes(i, [&](const Index* rows) {
            for (Index l = 0; l < lane_count; ++l, ++total)
                if (total >= lists.count(i) && rows[l] != cloud.size()) total += 1000000;
        });
        if (total >= 1000000 || total % lane_count != 0) return "badly padded: " + pair(i, i);
    }
    return "";
}

/// A list of every row, to compare searches.
inline std::vector<std::vector<Index>> all_lists(const NeighbourSearch& search) {
    std::vector<std::vector<Index>> lists;
    for (Index i = 0; i < search.size(); ++i) {
        const View<const Index> list = search.view().of(i);
        lists.emplace_back(list.begin(), list.end());
    }
    return lists;
}

}  // namespace thixo
