#pragma once

#include <string>

#include "scene/scene.h"
#include "sim/simulation.h"

namespace thixo {

/// What a simulation starts with, a fact a line: particles by object, spacing, radius, support and masses,
/// memory, the time step and what limits it.
std::string describe_setup(const Scene& scene, const Simulation& simulation);

}  // namespace thixo
