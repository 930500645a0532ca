#pragma once

#include <memory>
#include <vector>

#include "core/launch.h"

namespace thixo {

/// Every i < n for which holds(i) is true, in order.
template <class Predicate>
std::vector<Index> select(const Device& device, Index n, const Predicate& holds) {
    const auto found = std::make_unique_for_overwrite<Index[]>(n);  // each block of rows has its own place
    std::vector<Index> count((n + launch_grain - 1) / launch_grain);
    launch<1>(device, static_cast<Index>(count.size()),
              [n, &holds, found = found.get(), count = View(count)](Index block) {
                  const Index begin = block * launch_grain, end = std::min(n, begin + launch_grain);
                  Index next = begin;
                  for (Index i = begin; i < end; ++i) {
                      found[next] = i;
                      next += holds(i) ? 1 : 0;
                  }
                  count[block] = next - begin;
              });
    std::vector<Index> out;
    for (std::size_t block = 0; block < count.size(); ++block) {
        const Index* first = found.get() + block * launch_grain;
        out.insert(out.end(), first, first + count[block]);
    }
    return out;
}

}  // namespace thixo
