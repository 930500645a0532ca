#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace thixo {

/// `count` of the numbers 0 … frames − 1, evenly spread, first and last among them.
inline std::vector<std::size_t> evenly_chosen(std::size_t frames, std::size_t count) {
    std::vector<std::size_t> chosen;
    count = std::min(frames, count);
    for (std::size_t i = 0; i < count; ++i) {
        chosen.push_back(count == 1 ? 0 : (i * (frames - 1) + (count - 1) / 2) / (count - 1));
    }
    return chosen;
}

}  // namespace thixo
