#include "geometry/extent.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "geometry/mesh_distance.h"

namespace thixo {

namespace {

constexpr double pi = std::numbers::pi;

Extent extent_of(const Box& box, int dimensions) {
    const Vec3d size = box.max - box.min;
    if (dimensions == 2) return {std::min(size.x, size.y), size.x * size.y};
    return {std::min({size.x, size.y, size.z}), size.x * size.y * size.z};
}

Extent extent_of(const Sphere& sphere, int dimensions) {
    const double r = sphere.radius;
    return {2 * r, dimensions == 2 ? pi * r * r : 4.0 / 3.0 * pi * r * r * r};
}

Extent extent_of(const Ellipsoid& ellipsoid, int dimensions) {
    const Vec3d& r = ellipsoid.radii;
    if (dimensions == 2) return {2 * std::min(r.x, r.y), pi * r.x * r.y};
    return {2 * std::min({r.x, r.y, r.z}), 4.0 / 3.0 * pi * r.x * r.y * r.z};
}

Extent extent_of(const Cylinder& cylinder, int dimensions) {
    const double length = norm(cylinder.to - cylinder.from), r = cylinder.radius;
    return {std::min(length, 2 * r), length * (dimensions == 2 ? 2 * r : pi * r * r)};
}

Extent extent_of(const Capsule& capsule, int dimensions) {
    const double length = norm(capsule.to - capsule.from), r = capsule.radius;
    if (dimensions == 2) return {2 * r, 2 * r * length + pi * r * r};
    return {2 * r, pi * r * r * (length + 4.0 / 3.0 * r)};
}

Extent extent_of(const Torus& torus, int dimensions) {
    // Pappus: the cross-section times the way of its centre.
    const double way = 2 * pi * torus.major_radius, r = torus.minor_radius;
    return {2 * r, way * (dimensions == 2 ? 2 * r : pi * r * r)};
}

std::size_t count_parts(const Shape& shape) {
    return std::visit(
        [](const auto& kind) {
            std::size_t count = 1;
            if constexpr (requires { kind.shapes; })
                for (const Shape& part : kind.shapes) count += count_parts(part);
            return count;
        },
        shape.kind);
}

/// Kinds without a formula for their volume.
template <class Kind>
concept Sampled = std::is_same_v<Kind, Union> || std::is_same_v<Kind, Difference> ||
    std::is_same_v<Kind, Intersection> || std::is_same_v<Kind, SmoothUnion> || std::is_same_v<Kind, Fill> ||
    std::is_same_v<Kind, Bunny> || std::is_same_v<Kind, Duck> || std::is_same_v<Kind, Mesh>;

double smallest_side(const Vec3d& size, int dimensions) {
    return dimensions == 2 ? std::min(size.x, size.y) : std::min({size.x, size.y, size.z});
}

/// Sampled on a grid over the bounds; where the surface passes a sample within half a cell, in part.
template <Sampled Kind>
Extent sample_extent(const Kind& kind, int dimensions) {
    const Bounds box = bounds(kind);
    Vec3d size = box.size();
    if (dimensions == 2) size.z = 0;
    const double longest = std::max({size.x, size.y, size.z});
    if (!(longest > 0) || !std::isfinite(longest)) return {};
    // Many parts make many distances a sample: fewer samples then, so that a check stays a matter of seconds.
    const double affordable = std::cbrt(3e7 / static_cast<double>(count_parts(kind)));
    const double cell = longest / std::clamp(affordable, 8.0, 48.0);
    const auto count = [&](double length) { return std::max(1, static_cast<int>(std::ceil(length / cell))); };
    const int nx = count(size.x), ny = count(size.y), nz = dimensions == 2 ? 1 : count(size.z);
    double filled = 0;
    for (int k = 0; k < nz; ++k) {
        for (int j = 0; j < ny; ++j) {
            for (int i = 0; i < nx; ++i) {
                const Vec3d x{box.min.x + (i + 0.5) * cell, box.min.y + (j + 0.5) * cell,
                              dimensions == 2 ? 0 : box.min.z + (k + 0.5) * cell};
                filled += std::clamp(0.5 - signed_distance(kind, x, dimensions).distance / cell, 0.0, 1.0);
            }
        }
    }
    return {smallest_side(size, dimensions), filled * (dimensions == 2 ? cell * cell : cell * cell * cell)};
}

template <Sampled Kind>
Extent extent_of(const Kind& kind, int dimensions) {
    return sample_extent(kind, dimensions);
}

/// A bunny or duck differs from that of height 1 by its scale alone, so each is sampled once in a run of the
/// program.
template <class Figure>
Extent extent_of_figure(double height, int dimensions) {
    static const Extent flat = sample_extent(Figure{}, 2), solid = sample_extent(Figure{}, 3);
    const Extent& one = dimensions == 2 ? flat : solid;
    return {height * one.smallest,
            one.volume * (dimensions == 2 ? height * height : height * height * height)};
}
Extent extent_of(const Bunny& bunny, int dimensions) {
    return extent_of_figure<Bunny>(bunny.height, dimensions);
}
Extent extent_of(const Duck& duck, int dimensions) { return extent_of_figure<Duck>(duck.height, dimensions); }

Extent extent_of(const Mesh& mesh, int dimensions) {
    if (dimensions == 2) return sample_extent(mesh, dimensions);
    return {smallest_side(mesh.distance->bounds().size(), 3), mesh.distance->volume()};
}

Extent extent_of(const Plane&, int) { return {}; }
Extent extent_of(const HeightField&, int) { return {}; }
template <LayerKind Kind>
Extent extent_of(const Kind&, int) {
    return {};
}

template <class Kind>
double smallest_of(const Kind& kind, int dimensions) {
    return extent_of(kind, dimensions).smallest;
}
template <Sampled Kind>
double smallest_of(const Kind& kind, int dimensions) {
    const Vec3d size = bounds(kind).size();
    const bool finite = std::isfinite(size.x + size.y + (dimensions == 2 ? 0 : size.z));
    return finite ? smallest_side(size, dimensions) : 0;
}

}  // namespace

Extent extent(const Shape& shape, int dimensions) {
    const double s = shape.placement.scale;
    const Extent own = std::visit([&](const auto& kind) { return extent_of(kind, dimensions); }, shape.kind);
    return {s * own.smallest, own.volume * (dimensions == 2 ? s * s : s * s * s)};
}

double smallest_extent(const Shape& shape, int dimensions) {
    return shape.placement.scale *
           std::visit([&](const auto& kind) { return smallest_of(kind, dimensions); }, shape.kind);
}

}  // namespace thixo
