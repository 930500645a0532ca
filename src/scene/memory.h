#pragma once

#include "scene/load.h"

namespace thixo {

/// Particles that a scene starts with, or ends with where emitters make some and no sink takes them.
double estimated_particles(const Scene& scene);

/// Bytes that a scene needs at its worst, by the number of its particles and what they are.
double estimated_memory(const Scene& scene);

/// Throws an InputError that names a spacing which would fit, if a scene needs more than `available` bytes.
void require_memory(const SceneWithSource& source, double available);

}  // namespace thixo
