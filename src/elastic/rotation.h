#pragma once

#include "core/mat3.h"

namespace thixo {

/// The rotation closest to a matrix.
Mat3f closest_rotation(const Mat3f& a);

}  // namespace thixo
