#pragma once

#include "core/vec.h"

namespace thixo {

/// A rotation by degrees about x, then y, then z. The angles are those of scene files, the axes are what
/// points are turned by.
class Rotation {
public:
    Rotation() = default;
    explicit Rotation(const Vec3d& degrees);

    const Vec3d& degrees() const { return degrees_; }
    Vec3d apply(const Vec3d& v) const { return v.x * x_ + v.y * y_ + v.z * z_; }
    Vec3d undo(const Vec3d& v) const { return {dot(v, x_), dot(v, y_), dot(v, z_)}; }

private:
    Vec3d degrees_{0, 0, 0};
    Vec3d x_{1, 0, 0}, y_{0, 1, 0}, z_{0, 0, 1};  // where the axes go
};

/// Where a shape stands: scaled about the origin, then rotated about it, then moved.
struct Placement {
    double scale = 1;
    Rotation rotate{};
    Vec3d translate{0, 0, 0};  ///< m

    Vec3d to_world(const Vec3d& x) const { return rotate.apply(scale * x) + translate; }
    Vec3d to_local(const Vec3d& x) const { return rotate.undo(x - translate) / scale; }
    bool is_identity() const { return scale == 1 && rotate.degrees() == Vec3d{} && translate == Vec3d{}; }
};

}  // namespace thixo
