#include "particles/fit.h"

#include <algorithm>
#include <cmath>

#include "geometry/extent.h"
#include "particles/lattice.h"

namespace thixo {

namespace {

/// Below this nothing is changed: points keep their bits where the lattice fits.
constexpr double exact = 1e-6;

struct Axis {
    double Vec3d::*of;
    double length, pitch;
};

/// Factor for the coordinates along one edge of a box.
double stretch_along(const Axis& axis, double spacing, FaceRule rule, const std::vector<Vec3d>& points) {
    const auto [low, high] =
        std::minmax_element(points.begin(), points.end(),
                            [&](const Vec3d& a, const Vec3d& b) { return a.*axis.of < b.*axis.of; });
    const double span = (*high).*axis.of - (*low).*axis.of;
    if (span < 0.5 * axis.pitch) return 1;  // a single layer stays in the middle
    const double layers = std::round(span / axis.pitch) + 1;
    const double target =
        rule == FaceRule::half_spacing ? axis.length - spacing : axis.length * (layers - 1) / layers;
    return target > 0 ? target / span : 1;
}

/// The lattice of an upright box along its edges.
bool is_aligned_box(const Object& object, int dimensions) {
    if (!std::holds_alternative<Box>(object.shape.kind) || object.orientation.degrees() != Vec3d{})
        return false;
    // In 2D a box that is turned out of the plane is cut by it in another shape.
    const Vec3d angles = object.shape.placement.rotate.degrees();
    return dimensions == 3 || (angles.x == 0 && angles.y == 0);
}

}  // namespace

Fit fit_to_shape(const Object& object, double spacing, int dimensions, FaceRule rule,
                 std::vector<Vec3d>& points) {
    if (points.empty()) return {};
    const double cell = cell_volume(object.lattice, spacing, dimensions);
    const double volume = extent(object.shape, dimensions).volume;
    const double each = volume > 0 ? volume / static_cast<double>(points.size()) : cell;
    Vec3d factor{1, 1, 1};
    const Placement& place = object.shape.placement;
    if (rule == FaceRule::keep) return {each, 0};

    if (is_aligned_box(object, dimensions)) {
        const auto& box = std::get<Box>(object.shape.kind);
        const Vec3d size = place.scale * (box.max - box.min),
                    pitch = layer_pitch(object.lattice, spacing, dimensions);
        std::vector<Vec3d> own = points;
        for (Vec3d& x : own) x = place.rotate.undo(x);
        factor.x = stretch_along({&Vec3d::x, size.x, pitch.x}, spacing, rule, own);
        factor.y = stretch_along({&Vec3d::y, size.y, pitch.y}, spacing, rule, own);
        if (dimensions == 3) factor.z = stretch_along({&Vec3d::z, size.z, pitch.z}, spacing, rule, own);
    } else {
        const double all = std::pow(each / cell, 1.0 / dimensions);
        const double by = std::clamp(all, 1 - most_scaling, 1 + most_scaling);
        factor = {by, by, by};
    }
    const double stretch = std::max({std::abs(factor.x - 1), std::abs(factor.y - 1), std::abs(factor.z - 1)});
    if (stretch < exact) return {each, 0};
    const Vec3d center = bounds(object.shape).center();
    for (Vec3d& x : points) {
        const Vec3d from = place.rotate.undo(x - center);
        const double z = x.z;
        x = center + place.rotate.apply({factor.x * from.x, factor.y * from.y, factor.z * from.z});
        if (dimensions == 2) x.z = z;
    }
    return {each, stretch};
}

}  // namespace thixo
