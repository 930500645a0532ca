#pragma once

#include <string>

#include "scene/scene.h"
#include "sim/simulation.h"

namespace thixo {

/// Initial state of a simulation, one item per line: particles and masses by object, spacing, radius,
/// support, memory, time step and its limit.
std::string describe_setup(const Scene& scene, const Simulation& simulation);

/// How far from rest a simulation starts: the mean and the largest compression of liquids, and the largest
/// acceleration of a particle in the first step, which this function takes, over gravity. Warns above 1 % and
/// 2.
std::string describe_start(Simulation& simulation);

/// Particles that all emitters create until a time (s), if none is skipped.
std::uint64_t expected_particles(const Scene& scene, const Simulation& simulation, double time);

/// Particles created by each emitter and removed by each sink, one line each; empty for a scene without any.
std::string describe_emitters_and_sinks(const Scene& scene, const Simulation& simulation);

}  // namespace thixo
