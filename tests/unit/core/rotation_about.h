#pragma once

#include <cmath>

#include "core/mat3.h"

namespace thixo {

/// Rotation about an axis by an angle (Rodrigues).
inline Mat3d rotation_about(Vec3d axis, double angle) {
    axis = normalized(axis);
    const Mat3d k{{0, -axis.z, axis.y}, {axis.z, 0, -axis.x}, {-axis.y, axis.x, 0}};
    return identity<double>() + k * std::sin(angle) + k * k * (1 - std::cos(angle));
}

}  // namespace thixo
