#pragma once

#include <variant>

#include "core/vec.h"
#include "geometry/bounds.h"
#include "geometry/signed_distance.h"

namespace thixo {

/// Everything below the plane, seen along the normal. Unbounded.
struct Plane {
    Vec3d point{0, 0, 0};
    Vec3d normal{0, 1, 0};
};

struct Box {
    Vec3d min{0, 0, 0};
    Vec3d max{1, 1, 1};
};

struct Sphere {
    Vec3d center{0, 0, 0};
    double radius = 0.5;
};

using Shape = std::variant<Box, Sphere, Plane>;

/// `dimensions` = 2 measures in the plane z = 0: a box is a rectangle without front and back.
SignedDistance signed_distance(const Shape& shape, const Vec3d& x, int dimensions);

/// The axis-parallel box around the shape; infinite for a plane.
Bounds bounds(const Shape& shape);

}  // namespace thixo
