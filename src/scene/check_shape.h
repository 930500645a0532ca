#pragma once

#include <string>

#include "scene/check_entry.h"

namespace thixo {

/// Checks across the keys of a shape and of the shapes it is made of. `bounded`: whether it is to be filled
/// with particles.
void check_shape(const Shape& shape, int dimensions, bool bounded, const std::string& path,
                 const Report& report);

/// In 2D rotations are about z.
void check_rotation(const Vec3d& degrees, int dimensions, const std::string& path, const Report& report);

}  // namespace thixo
