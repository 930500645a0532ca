#pragma once

#include <string>

#include "scene/json_value.h"
#include "scene/scene.h"

namespace thixo {

/// Tolerances of `fast`: mean compressions per step that the flow allows, ten times those of `accurate`, and
/// still below the 1 % at which a pool looks shallower.
inline constexpr DfsphSettings fast_dfsph{
    .density_error = 1e-3, .divergence_error = 1e-2, .long_steps = true};
inline constexpr double fast_viscosity_error = 1e-3;

/// Sets what `solver.preset` chooses, for keys that are not given.
void complete_solver(Scene& scene, const JsonValue& root);

/// Removes the keys of `solver` that a preset chooses: one that is set on the command line applies to them
/// all.
void clear_preset_keys(JsonValue& root);

/// Methods and tolerances that the preset `fast` led to, in words; empty for `accurate`.
std::string describe_preset(const SolverSettings& solver);

}  // namespace thixo
