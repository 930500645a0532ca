#pragma once

#include "geometry/shape.h"
#include "unit/core/generators.h"

namespace thixo::test {

inline Vec3d in_plane(const Vec3d& x, int dimensions) { return dimensions == 2 ? Vec3d{x.x, x.y, 0} : x; }

inline Vec3d any_position(int dimensions, double reach = 2) {
    return in_plane(any_point(-reach, reach), dimensions);
}

inline Vec3d any_direction(int dimensions) {
    const Vec3d v = in_plane(any_point(-1, 1), dimensions);
    return norm(v) < 0.1 ? Vec3d{0, 1, 0} : normalized(v);
}

inline Placement any_placement(int dimensions) {
    const Vec3d turn = any_point(-400, 400);
    return {any_real(0.3, 3), Rotation(dimensions == 2 ? Vec3d{0, 0, turn.z} : turn),
            any_position(dimensions, 1)};
}

/// A kind with an exact distance; in 2D it lies in the plane z = 0.
inline Shape any_primitive(int dimensions) {
    const Vec3d at = any_position(dimensions, 1);
    switch (*rc::gen::inRange(0, 6)) {
        case 0:
            return Box{at, at + in_plane(any_point(0.1, 1.5), dimensions)};
        case 1:
            return Sphere{at, any_real(0.1, 1.5)};
        case 2:
            return Plane{at, any_real(0.1, 3) * any_direction(dimensions)};
        case 3:
            return Cylinder{at, at + any_real(0.1, 2) * any_direction(dimensions), any_real(0.1, 1)};
        case 4:
            return Capsule{at, at + any_real(0.1, 2) * any_direction(dimensions), any_real(0.1, 1)};
        default: {
            const double major = any_real(0.3, 1);
            return Torus{at, dimensions == 2 ? Vec3d{0, 0, 1} : 3. * any_direction(3), major,
                         major * any_real(0.1, 0.9)};
        }
    }
}

/// Any kind with an end, nested up to `depth` deep, each part placed somewhere.
inline Shape any_body(int dimensions, int depth = 2) {
    const int kind = *rc::gen::inRange(0, depth > 0 ? 9 : 6);
    Shape shape;
    if (kind < 3) {
        do shape = any_primitive(dimensions);
        while (std::holds_alternative<Plane>(shape.kind));
    } else if (kind == 3) {
        shape = Ellipsoid{any_position(dimensions, 1), any_point(0.2, 1)};
    } else if (kind == 4) {
        shape = Bunny{any_real(0.5, 2)};
    } else if (kind == 5) {
        shape = Duck{any_real(0.5, 2)};
    } else {
        std::vector<Shape> parts;
        for (int i = *rc::gen::inRange(1, 4); i > 0; --i) parts.push_back(any_body(dimensions, depth - 1));
        if (kind == 6) shape = Union{parts};
        if (kind == 7) shape = Difference{parts};
        if (kind == 8) shape = SmoothUnion{any_real(0.05, 0.5), parts};
    }
    shape.placement = any_placement(dimensions);
    return shape;
}

}  // namespace thixo::test
