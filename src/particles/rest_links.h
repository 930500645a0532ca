#pragma once

#include <vector>

#include "core/view.h"

namespace thixo {

/// For some rows of the table those rows of their own body that were nearest while it was not deformed, and
/// how far away.
struct RestLinks {
    std::vector<Index> begin{0};  ///< of each row's links, and behind the last
    std::vector<Index> other;     ///< rows of the table
    std::vector<float> length;    ///< at rest, m; the same from both ends
};

}  // namespace thixo
