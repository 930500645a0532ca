#pragma once

#include <string>

#include "scene/scene.h"
#include "sim/simulation.h"

namespace thixo {

/// What a simulation starts with, a fact a line: particles by object, spacing, radius, support and masses,
/// memory, the time step and what limits it.
std::string describe_setup(const Scene& scene, const Simulation& simulation);

/// How far from rest a simulation starts: the mean and the largest compression of liquids, and the largest acceleration of any particle over
/// gravity, which the first step shows (it is taken). Warns above 1 % and 2.
std::string describe_start(Simulation& simulation);

/// Particles that all emitters together make until a time (s), if none is held back.
std::uint64_t expected_particles(const Scene& scene, const Simulation& simulation, double time);

/// What emitters and sinks have done so far, a line each; empty for a scene without any.
std::string describe_traffic(const Scene& scene, const Simulation& simulation);

}  // namespace thixo
