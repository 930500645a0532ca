#include "sim/touch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/layer.h"

namespace thixo {

namespace {

constexpr double touching_gap = 0.15;  ///< in spacings

/// What is known of the place where two shapes come nearest to each other.
struct Approach {
    double gap = std::numeric_limits<double>::infinity();       ///< m, between the shapes
    double distance = std::numeric_limits<double>::infinity();  ///< m, of the nearest particle
    Vec3d normal;                                               ///< there, towards the particles
};

/// The gap is at most d − t for every particle at the distance d from the other and the depth t below its own
/// surface, and as small as that for the one whose nearest places on both surfaces are where they meet.
template <class DistanceTo>
Approach approach(const Object& object, int dimensions, double reach, const std::vector<Vec3d>& points,
                  const DistanceTo& distance_to) {
    Approach out;
    for (const Vec3d& x : points) {
        const SignedDistance other = distance_to(x);
        if (!(other.distance < reach)) continue;
        const double depth = -signed_distance(object.shape, x, dimensions).distance;
        out.gap = std::min(out.gap, other.distance - depth);
        if (other.distance < out.distance) {
            out.distance = other.distance;
            out.normal = other.gradient;
        }
    }
    return out;
}

bool touches(const Approach& approach, double spacing) {
    return std::abs(approach.gap) < touching_gap * spacing;
}

void move(std::vector<Vec3d>& points, Vec3d way, double spacing, int dimensions) {
    if (dimensions == 2) way.z = 0;
    // Positions in single precision are no better than this.
    if (norm(way) < 1e-5 * spacing) return;
    for (Vec3d& x : points) x += way;
}

/// How far (m) points must go along n to be one spacing above the layer that particles of an object end with
/// there. Bodies that are not convex may have no such layer: then half a spacing from the shape has to do.
double way_to_layer(const ParticleTable& particles, std::size_t object, const Approach& approach,
                    double spacing, const std::vector<Vec3d>& points) {
    double high = -std::numeric_limits<double>::infinity(), low = -high;
    for (Index i = 0; i < particles.size(); ++i)
        if (particles.object[i] == object)
            high = std::max(high, dot(approach.normal, to_double(particles.position[i])));
    for (const Vec3d& x : points) low = std::min(low, dot(approach.normal, x));
    const double way = high + spacing - low, by_shape = 0.5 * spacing - approach.distance;
    return std::abs(way - by_shape) < 0.6 * spacing ? way : by_shape;
}

}  // namespace

void bring_into_contact(const Model& model, const Walls& walls, const std::vector<Object>& objects,
                        const ParticleTable& particles, std::size_t object, std::vector<Vec3d>& points) {
    const Object& own = objects[object];
    if (is_layer(own.shape)) return;
    const double spacing = model.particles.spacing, reach = 2 * spacing;
    for (const Wall& wall : walls.view()) {
        const Approach to = approach(own, model.dimensions, reach, points, [&](const Vec3d& x) {
            const WallDistance d = distance_to(wall, to_float(x));
            return SignedDistance{d.distance, to_double(d.normal)};
        });
        if (touches(to, spacing))
            move(points, (0.5 * spacing - to.distance) * to.normal, spacing, model.dimensions);
    }
    for (std::size_t k = 0; k < object; ++k) {
        if (objects[k].phase == Phase::liquid || is_layer(objects[k].shape)) continue;
        const Bounds box = bounds(objects[k].shape).grown(reach);
        const Approach to = approach(own, model.dimensions, reach, points, [&](const Vec3d& x) {
            return box.holds(x) ? signed_distance(objects[k].shape, x, model.dimensions)
                                : SignedDistance{std::numeric_limits<double>::infinity(), {}};
        });
        if (touches(to, spacing))
            move(points, way_to_layer(particles, k, to, spacing, points) * to.normal, spacing,
                 model.dimensions);
    }
}

}  // namespace thixo
