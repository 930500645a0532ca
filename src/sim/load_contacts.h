#pragma once

#include <vector>

#include "particles/object.h"
#include "particles/table.h"
#include "sim/model.h"

namespace thixo {

/// Lowers elastic and lattice solids that lie on obstacles or on each other, each as one along gravity, until the pressure of their contacts carries their weight: what
/// merely touches has none, falls by hundredths of a spacing and bounces. In liquids the weight is what buoyancy leaves of it. Solids that nothing carries, that
/// are held, released later or start with a velocity stay where they are. Returns the farthest way of any of them (m).
double load_contacts(const Model& model, const std::vector<Object>& objects, ParticleTable& particles,
                     const Device& device = {});

}  // namespace thixo
