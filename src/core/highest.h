#pragma once

#include <algorithm>
#include <cstdint>

#include "core/view.h"

namespace thixo {

/// The highest of some numbers, 0 of none. Unlike the standard's search for where it is, this is done eight
/// at a time.
inline std::uint32_t highest(View<const std::uint32_t> numbers) {
    std::uint32_t out = 0;
    for (const std::uint32_t number : numbers) out = std::max(out, number);
    return out;
}

}  // namespace thixo
