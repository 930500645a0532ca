#pragma once

#include <numeric>
#include <vector>

#include "core/launch.h"

namespace thixo {

/// The rows i of [begin, end) for which holds(i), in ascending order.
template <class Predicate>
std::vector<Index> rows_where(const Device& device, Index begin, Index end, const Predicate& holds) {
    constexpr Index grain = 16 * launch_grain;
    const Index n = end - begin;
    std::vector<Index> place((n + grain - 1) / grain + 1);  // of the first row that each block finds
    for_each_block<grain>(device, n, [&](Index from, Index to, std::size_t block) {
        Index count = 0;
        for (Index k = from; k < to; ++k) count += holds(begin + k) ? 1 : 0;
        place[block + 1] = count;
    });
    std::inclusive_scan(place.begin(), place.end(), place.begin());
    std::vector<Index> rows(place.back());
    for_each_block<grain>(device, n, [&](Index from, Index to, std::size_t block) {
        Index* out = rows.data() + place[block];
        for (Index k = from; k < to; ++k)
            if (holds(begin + k)) *out++ = begin + k;
    });
    return rows;
}

}  // namespace thixo
