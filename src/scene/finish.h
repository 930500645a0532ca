#pragma once

#include <string_view>

#include "scene/json_value.h"
#include "scene/problems.h"
#include "scene/scene.h"

namespace thixo {

inline constexpr double most_particles = 500e6;
inline constexpr double most_frames = 1e6;

/// Number of particles of an object: its volume (in 2D its area) over that of a lattice cell; for a sheet its
/// area over spacing², for a rod its length over the spacing.
double estimated_particles(const Object& object, double spacing, int dimensions);

/// Names unnamed entries, and gives emitters the rate that fills their jet.
void name_entries(Scene& scene, std::string_view file_name);

/// Completes a scene with valid keys: names unnamed entries, projects shapes to the plane in 2D, and sets the
/// lattice of lattice solids.
void complete(Scene& scene, const JsonValue& root, std::string_view file_name);

/// Whether an object is a solid of the model `lattice`.
bool is_lattice_solid(const Scene& scene, const Object& object);

/// Whether `max` is above `min` in each of the 2 or 3 dimensions.
inline bool has_size(const Vec3d& min, const Vec3d& max, int dimensions) {
    return max.x > min.x && max.y > min.y && (dimensions == 2 || max.z > min.z);
}

/// Reads the files of shapes, each once, and parses formulas. Paths are relative to the folder of the scene
/// file and become absolute, so that the resolved scene can be run from any folder.
void load_shapes(Scene& scene, const JsonValue& root, std::string_view file_name, Problems& problems);

/// Checks that involve several keys: references, sizes relative to the spacing, counts.
void check_whole(const Scene& scene, const JsonValue& root, Problems& problems);

}  // namespace thixo
