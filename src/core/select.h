#pragma once

#include <vector>

#include "core/launch.h"

namespace thixo {

/// Every i < n for which wanted(i) holds, in order.
template <class Wanted>
std::vector<Index> select(const Device& device, Index n, const Wanted& wanted) {
    std::vector<Index> out(n), count((n + launch_grain - 1) / launch_grain);
    launch<1>(device, static_cast<Index>(count.size()),
              [n, &wanted, found = View(out), count = View(count)](Index block) {
                  const Index begin = block * launch_grain, end = std::min(n, begin + launch_grain);
                  Index next = begin;
                  for (Index i = begin; i < end; ++i) {
                      found[next] = i;
                      next += wanted(i) ? 1 : 0;
                  }
                  count[block] = next - begin;
              });
    auto next = out.begin();
    for (std::size_t block = 0; block < count.size(); ++block) {
        const auto begin = out.begin() + static_cast<std::ptrdiff_t>(block * launch_grain);
        next = std::copy(begin, begin + count[block], next);
    }
    out.erase(next, out.end());
    return out;
}

}  // namespace thixo
