#pragma once

#include "sim/simulation.h"

namespace thixo {

// Whatever the checksums of a file are worth, no step reads outside of an array: numbers of a loaded state
// that lead nowhere are refused by an InputError that names the section.

/// What needs no model.
void check_particles(const Clock& clock, const ParticleTable& particles, const NeighbourSearch& search);

/// All of a state that was loaded, before anything is derived from it.
void check_state(const Simulation& simulation);

}  // namespace thixo
