#pragma once

#include <cstdint>

namespace thixo {

/// An event that a simulation has taken in.
struct AppliedEvent {
    std::uint64_t step;  ///< before which
    double time;         ///< s, when that step began
    std::uint64_t hash;  ///< of all that it says
};

}  // namespace thixo
