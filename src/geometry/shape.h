#pragma once

#include <limits>
#include <variant>

#include "core/vec.h"

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

struct Bounds {
    Vec3d min{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
              std::numeric_limits<double>::infinity()};
    Vec3d max{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
              -std::numeric_limits<double>::infinity()};

    Vec3d size() const { return max - min; }
    Vec3d center() const { return 0.5 * (min + max); }
    bool empty() const { return !(min.x <= max.x && min.y <= max.y && min.z <= max.z); }
    void include(const Vec3d& x);
    void include(const Bounds& other);
};

/// Distance to the surface, negative inside; `gradient` is the unit outward direction.
struct SignedDistance {
    double distance = 0;
    Vec3d gradient{0, 1, 0};
};

/// `dimensions` = 2 measures in the plane z = 0: a box is a rectangle without front and back.
SignedDistance signed_distance(const Shape& shape, const Vec3d& x, int dimensions);

/// The axis-parallel box around the shape; infinite for a plane.
Bounds bounds(const Shape& shape);

}  // namespace thixo
