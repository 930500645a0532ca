#pragma once

#include "thixo/core/export.h"
#include "thixo/core/vec.h"
#include "thixo/geometry/shape.h"

namespace thixo {

/// Where a rigid thing is and how it moves: x_world = R x + t, in the frame x it was described in.
struct Pose {
    Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  ///< the columns of R: images of the unit vectors
    Vec3d translation{0, 0, 0};                         ///< t, m
    Vec3d velocity{0, 0, 0};                            ///< dt/dτ, m/s: of the point that was at the origin
    Vec3d angular_velocity{0, 0, 0};                    ///< ω, rad/s, in world coordinates

    Vec3d rotated(const Vec3d& v) const { return v.x * axes[0] + v.y * axes[1] + v.z * axes[2]; }
    Vec3d rotated_back(const Vec3d& v) const { return {dot(axes[0], v), dot(axes[1], v), dot(axes[2], v)}; }
    Vec3d to_world(const Vec3d& x) const { return rotated(x) + translation; }
    Vec3d from_world(const Vec3d& x) const { return rotated_back(x - translation); }

    /// Velocity of the matter that is at x in the world (m/s).
    Vec3d velocity_at(const Vec3d& x) const { return velocity + cross(angular_velocity, x - translation); }
};

/// The box around a bounded box that was moved.
THIXO_API Bounds moved(const Bounds& box, const Pose& pose);

/// The box around a bounded box of the world, in the frame that was moved.
THIXO_API Bounds moved_back(const Bounds& box, const Pose& pose);

}  // namespace thixo
