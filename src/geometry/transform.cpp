#include "geometry/transform.h"

#include <cmath>
#include <numbers>

namespace thixo {

namespace {

struct SinCos {
    double sin, cos;
};

/// Quarter turns are exact: a box that lies down has faces along the axes.
SinCos of_degrees(double degrees) {
    int quarters = 0;
    const double rest = std::remquo(degrees, 90.0, &quarters) * std::numbers::pi / 180;
    const double s = std::sin(rest), c = std::cos(rest);
    switch (quarters & 3) {
        case 0:
            return {s, c};
        case 1:
            return {c, -s};
        case 2:
            return {-s, -c};
        default:
            return {-c, s};
    }
}

Vec3d turned(const Vec3d& v, const SinCos& x, const SinCos& y, const SinCos& z) {
    const Vec3d a{v.x, x.cos * v.y - x.sin * v.z, x.sin * v.y + x.cos * v.z};
    const Vec3d b{y.cos * a.x + y.sin * a.z, a.y, y.cos * a.z - y.sin * a.x};
    return {z.cos * b.x - z.sin * b.y, z.sin * b.x + z.cos * b.y, b.z};
}

}  // namespace

Rotation::Rotation(const Vec3d& degrees) : degrees_(degrees) {
    const SinCos x = of_degrees(degrees.x), y = of_degrees(degrees.y), z = of_degrees(degrees.z);
    x_ = turned({1, 0, 0}, x, y, z);
    y_ = turned({0, 1, 0}, x, y, z);
    z_ = turned({0, 0, 1}, x, y, z);
}

}  // namespace thixo
