#pragma once

#include <cmath>
#include <limits>

#include "thixo/core/export.h"
#include "thixo/core/vec.h"

namespace thixo {

/// A box along the axes; empty until it includes something.
struct Bounds {
    Vec3d min{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
              std::numeric_limits<double>::infinity()};
    Vec3d max{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
              -std::numeric_limits<double>::infinity()};

    Vec3d size() const { return max - min; }
    Vec3d center() const { return 0.5 * (min + max); }
    bool empty() const { return !(min.x <= max.x && min.y <= max.y && min.z <= max.z); }
    /// Whether it is neither empty nor infinite.
    bool has_end() const { return std::isfinite(norm(size())); }
    /// Whether x is inside, or nearer to the box than `margin` along each axis.
    bool holds(const Vec3d& x, double margin = 0) const {
        return x.x >= min.x - margin && x.y >= min.y - margin && x.z >= min.z - margin &&
               x.x <= max.x + margin && x.y <= max.y + margin && x.z <= max.z + margin;
    }
    /// By the bits of the number: the larger x, y, z.
    Vec3d corner(int number) const {
        return {number & 1 ? max.x : min.x, number & 2 ? max.y : min.y, number & 4 ? max.z : min.z};
    }
    /// The box around the images of all corners.
    template <class Map>
    Bounds around_images(const Map& map) const {
        Bounds out;
        for (int k = 0; k < 8; ++k) out.include(map(corner(k)));
        return out;
    }
    THIXO_API void include(const Vec3d& x);
    THIXO_API void include(const Bounds& other);
    Bounds grown(double by) const { return {min - Vec3d{by, by, by}, max + Vec3d{by, by, by}}; }
};

}  // namespace thixo
