#pragma once

#include "scene/check_entry.h"

namespace thixo {

/// Force fields and probes: references, directions, sizes.
void check_force_fields(const Scene& scene, const Report& report);
void check_probes(const Scene& scene, const Report& report);

}  // namespace thixo
