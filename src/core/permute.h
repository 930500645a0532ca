#pragma once

#include <vector>

#include "core/launch.h"

namespace thixo {

/// Entry k becomes the former entry order[k]; those that are not in the order vanish.
template <class T>
void permute(const Device& device, View<const Index> order, std::vector<T>& column) {
    std::vector<T> sorted(order.size());
    launch(device, static_cast<Index>(order.size()),
           [order, from = View<const T>(column), to = View(sorted)](Index i) { to[i] = from[order[i]]; });
    column.swap(sorted);
}

}  // namespace thixo
