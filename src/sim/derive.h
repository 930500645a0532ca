#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "particles/hold.h"
#include "sim/model.h"
#include "sph/discretisation.h"

/// What follows from a model and is therefore no part of it: computed where it is needed.
namespace thixo {

/// What all sums over pairs depend on.
inline Discretisation discretisation_of(const Model& model) {
    return {model.solver.kernel, model.particles.support * model.particles.spacing, model.dimensions,
            model.particles.spacing};
}

/// The number of a material that is there; that it is has been checked before.
std::uint16_t material_index(const Model& model, const std::string& name);

/// Names that pauses and grabs refer to.
Names names_in(const Model& model);

/// All holds: of the objects, then of the pauses, then of the grabs. Particles refer to them by `hold`, from 1.
std::vector<Hold> holds_of(const Model& model);

}  // namespace thixo
