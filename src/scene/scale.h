#pragma once

#include <string>

#include "scene/check_entry.h"
#include "scene/scene.h"

namespace thixo {

/// Multiplies the constants of a scene by its `scale` and that of its materials, once; reports what is too
/// large or too small then.
void apply_scale(Scene& scene, const Report& report);

/// What was scaled and how it shows, one line each; empty without a scale.
std::string describe_scale(const Scene& scene);

}  // namespace thixo
