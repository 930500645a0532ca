#pragma once

#include <string_view>

#include "scene/json_value.h"
#include "scene/problems.h"
#include "scene/scene.h"

namespace thixo {

inline constexpr double most_particles = 500e6;
inline constexpr double most_frames = 1e6;

/// Particles an object will be filled with: its volume (in 2D its area) over that of one lattice cell.
double estimated_particles(const Object& object, double spacing, int dimensions);

/// Completes a scene whose keys are right one by one: names what has no name, lays shapes into the plane in
/// 2D.
void complete(Scene& scene, std::string_view file_name);

/// Checks what involves several keys: references between them, sizes against the spacing, counts.
void check_whole(const Scene& scene, const JsonValue& root, Problems& problems);

}  // namespace thixo
