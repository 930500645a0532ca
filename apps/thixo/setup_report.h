#pragma once

#include <string>

#include "scene/scene.h"
#include "sim/simulation.h"

namespace thixo {

/// What a simulation starts with, a fact a line: particles by object, spacing, radius, support and masses,
/// memory, the time step and what limits it.
std::string describe_setup(const Scene& scene, const Simulation& simulation);

/// Particles that all emitters together make until a time (s), if none is held back.
std::uint64_t expected_particles(const Scene& scene, const Simulation& simulation, double time);

/// What emitters and sinks have done so far, a line each; empty for a scene without any.
std::string describe_traffic(const Scene& scene, const Simulation& simulation);

}  // namespace thixo
