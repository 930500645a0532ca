#include "geometry/shape.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/cavity.h"
#include "geometry/figures.h"
#include "geometry/height_surface.h"
#include "geometry/mesh_distance.h"

namespace thixo {

namespace {

/// A unit vector across the unit vector n; in the plane z = 0 if n is.
Vec3d any_normal_to(const Vec3d& n) {
    return std::abs(n.z) < 0.7 ? normalized(Vec3d{n.y, -n.x, 0}) : normalized(Vec3d{0, n.z, -n.y});
}

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

/// With k = |p / r|, which is 1 on the surface, the distance is k − 1 over the length of its gradient,
/// |p / r²| / k, and right to first order. The k in front keeps it finite at the centre.
SignedDistance distance_to(const Ellipsoid& ellipsoid, const Vec3d& x, int dimensions) {
    const Vec3d p = x - ellipsoid.center, &r = ellipsoid.radii;
    const Vec3d u{p.x / r.x, p.y / r.y, dimensions == 2 ? 0 : p.z / r.z};
    const Vec3d w{u.x / r.x, u.y / r.y, u.z / r.z};
    const double k = norm(u), slope = norm(w);
    const double smallest = dimensions == 2 ? std::min(r.x, r.y) : std::min({r.x, r.y, r.z});
    if (!(k > 1e-9)) return {-smallest, {0, 1, 0}};
    return {k * (k - 1) / slope, w / slope};
}

SignedDistance distance_to(const Cylinder& cylinder, const Vec3d& x, int) {
    const Vec3d axis = normalized(cylinder.to - cylinder.from);
    const Vec3d p = x - 0.5 * (cylinder.from + cylinder.to);
    const double along = dot(p, axis);
    const Vec3d off = p - along * axis;
    const double across = norm(off);
    const Vec3d cap = along < 0 ? -axis : axis, side = across > 0 ? off / across : any_normal_to(axis);
    const double beyond = std::abs(along) - 0.5 * norm(cylinder.to - cylinder.from);
    const double outside = across - cylinder.radius;
    if (beyond > 0 && outside > 0) {
        const double distance = std::sqrt(beyond * beyond + outside * outside);
        return {distance, (beyond / distance) * cap + (outside / distance) * side};
    }
    return beyond > outside ? SignedDistance{beyond, cap} : SignedDistance{outside, side};
}

SignedDistance distance_to(const Capsule& capsule, const Vec3d& x, int) {
    const Vec3d e = capsule.to - capsule.from;
    const double t = std::clamp(dot(x - capsule.from, e) / norm2(e), 0.0, 1.0);
    const Vec3d off = x - (capsule.from + t * e);
    const double r = norm(off);
    return {r - capsule.radius, r > 0 ? off / r : any_normal_to(normalized(e))};
}

SignedDistance distance_to(const Torus& torus, const Vec3d& x, int dimensions) {
    const Vec3d axis = dimensions == 2 ? Vec3d{0, 0, 1} : normalized(torus.axis);
    const Vec3d p = x - torus.center;
    const double along = dot(p, axis);
    const Vec3d off = p - along * axis;
    const double across = norm(off);
    const Vec3d outward = across > 0 ? off / across : any_normal_to(axis);
    const Vec3d from_circle = (across - torus.major_radius) * outward + along * axis;
    const double r = norm(from_circle);
    return {r - torus.minor_radius, r > 0 ? from_circle / r : outward};
}

SignedDistance distance_to(const Union& all, const Vec3d& x, int dimensions) {
    SignedDistance nearest = signed_distance(all.shapes.front(), x, dimensions);
    for (std::size_t i = 1; i < all.shapes.size(); ++i) {
        const SignedDistance next = signed_distance(all.shapes[i], x, dimensions);
        if (next.distance < nearest.distance) nearest = next;
    }
    return nearest;
}

SignedDistance distance_to(const Difference& all, const Vec3d& x, int dimensions) {
    SignedDistance rest = signed_distance(all.shapes.front(), x, dimensions);
    for (std::size_t i = 1; i < all.shapes.size(); ++i) {
        const SignedDistance hole = signed_distance(all.shapes[i], x, dimensions);
        if (-hole.distance > rest.distance) rest = {-hole.distance, -hole.gradient};
    }
    return rest;
}

SignedDistance distance_to(const Intersection& all, const Vec3d& x, int dimensions) {
    SignedDistance farthest = signed_distance(all.shapes.front(), x, dimensions);
    for (std::size_t i = 1; i < all.shapes.size(); ++i) {
        const SignedDistance next = signed_distance(all.shapes[i], x, dimensions);
        if (next.distance > farthest.distance) farthest = next;
    }
    return farthest;
}

/// min(a, b) − h² k / 4 with h = max(0, 1 − |a − b| / k): the quadratic smooth minimum over the blend k.
SignedDistance smooth_minimum(SignedDistance a, SignedDistance b, double k) {
    if (b.distance < a.distance) std::swap(a, b);
    const double h = std::max(0.0, 1 - (b.distance - a.distance) / k);
    return {a.distance - 0.25 * h * h * k, (1 - 0.5 * h) * a.gradient + (0.5 * h) * b.gradient};
}

SignedDistance distance_to(const SmoothUnion& all, const Vec3d& x, int dimensions) {
    SignedDistance blended = signed_distance(all.shapes.front(), x, dimensions);
    for (std::size_t i = 1; i < all.shapes.size(); ++i)
        blended = smooth_minimum(blended, signed_distance(all.shapes[i], x, dimensions), all.blend);
    // In a seam the mean of two directions is shorter than 1, and the value grows slower than the distance:
    // near the surface it is divided by that length. Farther away it is a lower bound as it is.
    const double slope = norm(blended.gradient),
                 near = std::max(0.0, 1 - std::abs(blended.distance) / all.blend);
    const double correction = 1 + near * (1 / std::max(slope, 0.5) - 1);
    return {correction * blended.distance, slope > 1e-9 ? blended.gradient / slope : Vec3d{0, 1, 0}};
}

template <class Kind>
SignedDistance distance_to_figure(const Kind& kind, const Vec3d& x, int dimensions) {
    const Shape& shape = dimensions == 2 ? figure_of(kind).profile : figure_of(kind).solid;
    const SignedDistance s = signed_distance(shape, x / kind.height, dimensions);
    return {kind.height * s.distance, s.gradient};
}

SignedDistance distance_to(const Bunny& bunny, const Vec3d& x, int dimensions) {
    return distance_to_figure(bunny, x, dimensions);
}
SignedDistance distance_to(const Duck& duck, const Vec3d& x, int dimensions) {
    return distance_to_figure(duck, x, dimensions);
}

SignedDistance distance_to(const Mesh& mesh, const Vec3d& x, int dimensions) {
    return mesh.distance->at(x, dimensions);
}
SignedDistance distance_to(const HeightField& field, const Vec3d& x, int dimensions) {
    return field.surface->at(x, dimensions);
}

SignedDistance distance_to(const Fill& fill, const Vec3d& x, int) { return fill.cavity->at(x); }

template <LayerKind Kind>
SignedDistance distance_to(const Kind&, const Vec3d&, int) {
    return {std::numeric_limits<double>::infinity(), {0, 1, 0}};
}

void flatten_kind(Box& box) { box.min.z = box.max.z = 0; }
void flatten_kind(Sphere& sphere) { sphere.center.z = 0; }
void flatten_kind(Plane& plane) { plane.point.z = plane.normal.z = 0; }
void flatten_kind(Ellipsoid& ellipsoid) { ellipsoid.center.z = 0; }
void flatten_kind(Cylinder& cylinder) { cylinder.from.z = cylinder.to.z = 0; }
void flatten_kind(Capsule& capsule) { capsule.from.z = capsule.to.z = 0; }
void flatten_kind(Torus& torus) {
    torus.center.z = 0;
    torus.axis = {0, 0, 1};
}
template <class Kind>
requires requires(Kind& kind) { kind.shapes; }
void flatten_kind(Kind& all) {
    for (Shape& shape : all.shapes) flatten(shape);
}
void flatten_kind(Bunny&) {}
void flatten_kind(Duck&) {}
void flatten_kind(Mesh&) {}
void flatten_kind(Fill&) {}
void flatten_kind(HeightField& field) { field.min.z = field.max.z = 0; }
template <LayerKind Kind>
void flatten_kind(Kind&) {}  // but for curves none is of use in the plane
void flatten_kind(Curve& curve) {
    for (Vec3d& x : curve.points) x.z = 0;
}

}  // namespace

SignedDistance signed_distance(const Shape& shape, const Vec3d& x, int dimensions) {
    const Placement& place = shape.placement;
    const Vec3d local = place.to_local(x);
    const SignedDistance s =
        std::visit([&](const auto& kind) { return distance_to(kind, local, dimensions); }, shape.kind);
    return {place.scale * s.distance, place.rotate.apply(s.gradient)};
}

Plane placed(const Plane& plane, const Placement& placement) {
    return {placement.to_world(plane.point), placement.rotate.apply(plane.normal)};
}

void flatten(Shape& shape) {
    shape.placement.translate.z = 0;
    std::visit([](auto& kind) { flatten_kind(kind); }, shape.kind);
}

}  // namespace thixo
