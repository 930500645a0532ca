#pragma once

#include <vector>

#include "fluid/settings.h"
#include "particles/material.h"
#include "particles/table.h"
#include "sim/model.h"

namespace thixo {

// The materials and the methods by which liquids are relaxed at the start (`settle`): first by the law of the
// run, then by a softer one, in which weight moves particles in few iterations.

/// Sound speed with which liquids rearrange, in √(g d) of the heaviest one: as soft as that, pressure leaves
/// steps long enough for weight to act. With 2 it no longer keeps particles apart. By trial
/// (docs/theory/constants.md).
inline constexpr double soft_sound = 4;

/// Height of the liquid objects along gravity (m).
double liquid_depth(const Model& model, const ParticleTable& particles);

/// The materials without what makes their motion slow or uneven. Where pressure is solved for, their sound
/// speed is one at which they hardly yield.
std::vector<Material> inviscid_materials(const Model& model, double depth);

/// The same with one small ρ₀c² for all: a light liquid under a heavy one has its pressure.
std::vector<Material> softened(std::vector<Material> materials, double sound_speed);

/// The methods of the run with a state equation in place of a pressure that is solved for, and densities that
/// are sums.
FluidMethods relaxation_methods(FluidMethods methods);
FluidMethods soft_relaxation_methods(const FluidMethods& methods);

}  // namespace thixo
