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

/// Permutes all arrays with an entry for each row that a part lists in its visit_rows(visit); not those that
/// are not in use, which have another length.
template <class Part>
void permute_rows(const Device& device, View<const Index> order, Part& part) {
    part.visit_rows([&](auto& array) {
        if (array.size() == order.size()) permute(device, order, array);
    });
}

}  // namespace thixo
