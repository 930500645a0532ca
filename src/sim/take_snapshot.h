#pragma once

#include "sim/simulation.h"

namespace thixo {

/// The state of a simulation, as a checkpoint would have it.
Snapshot take_snapshot(const Simulation& simulation);

}  // namespace thixo
