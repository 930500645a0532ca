#pragma once

#include "scene/check_entry.h"

namespace thixo {

/// Refuses methods and models that cannot be combined: pressure, density, viscosity, elasticity, time steps,
/// adaptivity, solids.
void check_methods(const Scene& scene, const Report& report);

}  // namespace thixo
