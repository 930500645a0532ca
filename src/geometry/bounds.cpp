#include "geometry/bounds.h"

#include <algorithm>
#include <cmath>

#include "geometry/cavity.h"
#include "geometry/figures.h"
#include "geometry/layer.h"
#include "geometry/mesh_distance.h"

namespace thixo {

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// Where nested placements bring a shape.
struct Frame {
    Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};  ///< images of the axes, of length `scale`
    Vec3d origin{0, 0, 0};
    double scale = 1;

    Vec3d direction(const Vec3d& v) const { return v.x * x + v.y * y + v.z * z; }
    Vec3d point(const Vec3d& p) const { return origin + direction(p); }
    Frame with(const Placement& place) const {
        const auto axis = [&](const Vec3d& e) { return direction(place.rotate.apply(place.scale * e)); };
        return {axis({1, 0, 0}), axis({0, 1, 0}), axis({0, 0, 1}), point(place.translate),
                scale * place.scale};
    }
};

Bounds around(const Vec3d& center, const Vec3d& half) { return {center - half, center + half}; }

Bounds grown(const Bounds& box, double by) {
    return {box.min - Vec3d{by, by, by}, box.max + Vec3d{by, by, by}};
}

/// Half the extent of a circle of radius 1 around the axis.
Vec3d circle_extent(const Vec3d& axis) {
    const Vec3d a = normalized(axis);
    const auto extent = [](double cosine) { return std::sqrt(std::max(0.0, 1 - cosine * cosine)); };
    return {extent(a.x), extent(a.y), extent(a.z)};
}

Bounds bounds_of(const Shape& shape, const Frame& outer);

Bounds bounds_of(const Plane&, const Frame&) { return {{-inf, -inf, -inf}, {inf, inf, inf}}; }

Bounds bounds_of(const Box& box, const Frame& frame) {
    return Bounds{box.min, box.max}.around_images([&](const Vec3d& x) { return frame.point(x); });
}

Bounds bounds_of(const Sphere& sphere, const Frame& frame) {
    const double r = frame.scale * sphere.radius;
    return around(frame.point(sphere.center), {r, r, r});
}

Bounds bounds_of(const Ellipsoid& ellipsoid, const Frame& frame) {
    const Vec3d a = ellipsoid.radii.x * frame.x, b = ellipsoid.radii.y * frame.y,
                c = ellipsoid.radii.z * frame.z;
    return around(frame.point(ellipsoid.center),
                  {std::hypot(a.x, b.x, c.x), std::hypot(a.y, b.y, c.y), std::hypot(a.z, b.z, c.z)});
}

Bounds bounds_of(const Cylinder& cylinder, const Frame& frame) {
    const Vec3d from = frame.point(cylinder.from), to = frame.point(cylinder.to);
    const Vec3d half = frame.scale * cylinder.radius * circle_extent(to - from);
    Bounds all = around(from, half);
    all.include(around(to, half));
    return all;
}

Bounds bounds_of(const Capsule& capsule, const Frame& frame) {
    Bounds all;
    all.include(frame.point(capsule.from));
    all.include(frame.point(capsule.to));
    return grown(all, frame.scale * capsule.radius);
}

Bounds bounds_of(const Torus& torus, const Frame& frame) {
    const Vec3d circle = frame.scale * torus.major_radius * circle_extent(frame.direction(torus.axis));
    return grown(around(frame.point(torus.center), circle), frame.scale * torus.minor_radius);
}

Bounds bounds_of(const std::vector<Shape>& shapes, const Frame& frame) {
    Bounds all;
    for (const Shape& shape : shapes) all.include(bounds_of(shape, frame));
    return all;
}

Bounds bounds_of(const Union& all, const Frame& frame) { return bounds_of(all.shapes, frame); }

Bounds bounds_of(const Difference& all, const Frame& frame) { return bounds_of(all.shapes.front(), frame); }

Bounds bounds_of(const Intersection& all, const Frame& frame) {
    Bounds common = bounds_of(all.shapes.front(), frame);
    for (std::size_t i = 1; i < all.shapes.size(); ++i) {
        const Bounds next = bounds_of(all.shapes[i], frame);
        common.min = {std::max(common.min.x, next.min.x), std::max(common.min.y, next.min.y),
                      std::max(common.min.z, next.min.z)};
        common.max = {std::min(common.max.x, next.max.x), std::min(common.max.y, next.max.y),
                      std::min(common.max.z, next.max.z)};
    }
    return common;
}

Bounds bounds_of(const SmoothUnion& all, const Frame& frame) {
    // The smooth minimum grows with each of its arguments, so it is lowest where all shapes are equally near:
    // there it lies below their distance by this many blends.
    double below = 0;
    for (std::size_t i = 1; i < all.shapes.size() && below < 1; ++i)
        below += 0.25 * (1 - below) * (1 - below);
    return grown(bounds_of(all.shapes, frame), frame.scale * all.blend * below);
}

template <class Kind>
Bounds bounds_of_figure(const Kind& kind, const Frame& frame) {
    return bounds_of(figure_of(kind).box, frame.with({.scale = kind.height}));
}

Bounds bounds_of(const Bunny& bunny, const Frame& frame) { return bounds_of_figure(bunny, frame); }
Bounds bounds_of(const Duck& duck, const Frame& frame) { return bounds_of_figure(duck, frame); }

Bounds bounds_of(const Mesh& mesh, const Frame& frame) {
    Bounds all;
    for (const Vec3d& x : mesh.distance->mesh().vertices) all.include(frame.point(x));
    return all;
}

Bounds bounds_of(const Fill& fill, const Frame& frame) {
    const Bounds& own = fill.cavity->bounds();
    return bounds_of(Box{own.min, own.max}, frame);
}

Bounds bounds_of(const HeightField& field, const Frame& frame) {
    Bounds all{{-inf, -inf, -inf}, {inf, inf, inf}};
    const bool upright = frame.y.x == 0 && frame.y.y > 0 && frame.y.z == 0;
    if (upright) all.max.y = frame.point(field.max).y;
    return all;
}

template <LayerKind Kind>
Bounds bounds_of(const Kind& kind, const Frame& frame) {
    const Layer layer = layer_of(kind);
    Bounds all;
    for (const Vec3d& x : points_of(layer)) all.include(frame.point(x));
    return all;
}

Bounds bounds_of(const Shape& shape, const Frame& outer) {
    const Frame frame = outer.with(shape.placement);
    return std::visit([&](const auto& kind) { return bounds_of(kind, frame); }, shape.kind);
}

}  // namespace

void Bounds::include(const Vec3d& x) {
    min = {std::min(min.x, x.x), std::min(min.y, x.y), std::min(min.z, x.z)};
    max = {std::max(max.x, x.x), std::max(max.y, x.y), std::max(max.z, x.z)};
}

void Bounds::include(const Bounds& other) {
    if (other.empty()) return;
    include(other.min);
    include(other.max);
}

Bounds bounds(const Shape& shape) { return bounds_of(shape, {}); }

Bounds surface_bounds(const Shape& shape) {
    if (const auto* field = std::get_if<HeightField>(&shape.kind))
        return bounds(Shape(Box{field->min, field->max}, shape.placement));
    return bounds(shape);
}

}  // namespace thixo
