#include "geometry/shape.h"

#include <algorithm>
#include <cmath>

namespace thixo {

namespace {

SignedDistance distance_to(const Plane& plane, const Vec3d& x, int) {
    const Vec3d n = normalized(plane.normal);
    return {dot(x - plane.point, n), n};
}

SignedDistance distance_to(const Sphere& sphere, const Vec3d& x, int) {
    const Vec3d from_center = x - sphere.center;
    const double r = norm(from_center);
    return {r - sphere.radius, r > 0 ? from_center / r : Vec3d{0, 1, 0}};
}

SignedDistance distance_to(const Box& box, const Vec3d& x, int dimensions) {
    // q: how far x is outside each pair of faces (negative: inside); s: on which side of the centre.
    const Vec3d c = 0.5 * (box.min + box.max), half = 0.5 * (box.max - box.min);
    const double p[3] = {x.x - c.x, x.y - c.y, x.z - c.z};
    const double h[3] = {half.x, half.y, half.z};
    double q[3], s[3];
    for (int a = 0; a < dimensions; ++a) {
        q[a] = std::abs(p[a]) - h[a];
        s[a] = p[a] < 0 ? -1 : 1;
    }
    int nearest = 0;
    double outside2 = 0;
    for (int a = 0; a < dimensions; ++a) {
        if (q[a] > q[nearest]) nearest = a;
        outside2 += std::max(q[a], 0.0) * std::max(q[a], 0.0);
    }
    double g[3] = {0, 0, 0};
    if (outside2 > 0) {
        const double distance = std::sqrt(outside2);
        for (int a = 0; a < dimensions; ++a) g[a] = s[a] * std::max(q[a], 0.0) / distance;
        return {distance, {g[0], g[1], g[2]}};
    }
    g[nearest] = s[nearest];
    return {q[nearest], {g[0], g[1], g[2]}};
}

Bounds bounds_of(const Plane&) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    return {{-inf, -inf, -inf}, {inf, inf, inf}};
}
Bounds bounds_of(const Box& box) { return {box.min, box.max}; }
Bounds bounds_of(const Sphere& sphere) {
    const Vec3d r{sphere.radius, sphere.radius, sphere.radius};
    return {sphere.center - r, sphere.center + r};
}

}  // namespace

SignedDistance signed_distance(const Shape& shape, const Vec3d& x, int dimensions) {
    return std::visit([&](const auto& s) { return distance_to(s, x, dimensions); }, shape);
}

Bounds bounds(const Shape& shape) {
    return std::visit([](const auto& s) { return bounds_of(s); }, shape);
}

}  // namespace thixo
