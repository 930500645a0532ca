#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/mat3.h"
#include "particles/hold.h"
#include "particles/table.h"
#include "sim/model.h"
#include "sph/discretisation.h"

/// What follows from a model and is therefore no part of it: computed where it is needed.
namespace thixo {

struct MatterSettings;

/// What all sums over pairs depend on.
inline Discretisation discretisation_of(const Model& model) {
    return {model.solver.kernel, model.particles.support * model.particles.spacing, model.dimensions,
            model.particles.spacing};
}

/// What particles, lists and bodies depend on.
MatterSettings matter_settings(const Model& model);

/// The orientation of the lattice of each object that particles refer to.
std::vector<Mat3d> lattice_frames(const Model& model, const ParticleTable& particles);

/// The number of a material that is there; that it is has been checked before.
std::uint16_t material_index(const Model& model, const std::string& name);

/// Names that pauses and grabs refer to.
Names names_in(const Model& model);

/// All prescribed motions: of the objects, then of the pauses, then of the grabs. Particles refer to them by
/// `kinematic_id`, from 1.
std::vector<Hold> holds_of(const Model& model);

}  // namespace thixo
