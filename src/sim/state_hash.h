#pragma once

#include <cstdint>

#include "sim/simulation.h"

namespace thixo {

/// Hash of all that the next step depends on; the same for any order of the rows and any number of threads.
std::uint64_t state_hash(const Simulation& simulation);

}  // namespace thixo
