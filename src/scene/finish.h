#pragma once

#include <string_view>

#include "scene/json_value.h"
#include "scene/problems.h"
#include "scene/scene.h"

namespace thixo {

inline constexpr double most_particles = 500e6;
inline constexpr double most_frames = 1e6;

/// Particles an object will be filled with: its volume (in 2D its area) over that of one lattice cell; of a sheet
/// its area over spacing², of a rod its length over the spacing.
double estimated_particles(const Object& object, double spacing, int dimensions);

/// Names what has no name, and gives emitters the rate that fills their jet.
void name_entries(Scene& scene, std::string_view file_name);

/// Completes a scene whose keys are right one by one: names what has no name, lays shapes into the plane in
/// 2D, gives lattice solids their lattice.
void complete(Scene& scene, const JsonValue& root, std::string_view file_name);

/// Whether an object is a solid of the model `lattice`.
bool is_lattice_solid(const Scene& scene, const Object& object);

/// Is `max` above `min` in every dimension that counts?
inline bool has_size(const Vec3d& min, const Vec3d& max, int dimensions) {
    return max.x > min.x && max.y > min.y && (dimensions == 2 || max.z > min.z);
}

/// Reads the files that shapes name, each once, and what else must be made of their text. Paths start at the
/// folder of the scene file and are absolute afterwards, so that the resolved scene can be run anywhere.
void load_shapes(Scene& scene, const JsonValue& root, std::string_view file_name, Problems& problems);

/// Checks what involves several keys: references between them, sizes against the spacing, counts.
void check_whole(const Scene& scene, const JsonValue& root, Problems& problems);

}  // namespace thixo
