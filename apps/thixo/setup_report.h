#pragma once

#include <string>

#include "scene/scene.h"
#include "sim/simulation.h"

namespace thixo {

/// Initial state of a simulation, one item per line: particles and masses by object, spacing, radius, support, memory,
/// time step and its limit.
std::string describe_setup(const Scene& scene, const Simulation& simulation);

/// Particles that all emitters create until a time (s), if none is skipped.
std::uint64_t expected_particles(const Scene& scene, const Simulation& simulation, double time);

/// Particles created by each emitter and removed by each sink, one line each; empty for a scene without any.
std::string describe_traffic(const Scene& scene, const Simulation& simulation);

}  // namespace thixo
