#pragma once

#include <vector>

#include "particles/object.h"
#include "particles/table.h"
#include "sim/carve.h"
#include "sim/model.h"

namespace thixo {

/// Where particles start.
enum class Start {
    lattice,  ///< on the lattice at the model's spacing, whatever that makes of the faces
    rest      ///< fitted to the shape, in contact with what is beside it, with the mass of the shape
};

/// Fills every object with particles, where no obstacle and no earlier object is in the way; `carvings` gets
/// one entry an object that says what was. Masses of bodies are calibrated: the undisturbed lattice has its
/// rest density. Those of sheets and rods add up to density × area × spacing and to density × length ×
/// spacing². With `Start::rest` masses add up to density × volume, see [start at
/// rest](docs/theory/start_at_rest.md).
ParticleTable populate(const Model& model, const std::vector<Object>& objects,
                       std::vector<Carving>* carvings = nullptr, const Device& device = {},
                       Start start = Start::lattice);

}  // namespace thixo
