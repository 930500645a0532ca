#pragma once

#include <vector>

#include "particles/object.h"
#include "particles/table.h"
#include "sim/carve.h"
#include "sim/model.h"

namespace thixo {

/// Fills every object with particles, where no obstacle and no earlier object is in the way; `carvings` gets one
/// entry an object that says what was. Masses of bodies are calibrated: the
/// undisturbed lattice has its rest density. Those of sheets and rods add up to density × area × spacing and to
/// density × length × spacing².
ParticleTable populate(const Model& model, const std::vector<Object>& objects,
                       std::vector<Carving>* carvings = nullptr, const Device& device = {});

}  // namespace thixo
