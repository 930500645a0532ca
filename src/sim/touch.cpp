#include "sim/touch.h"

#include <cmath>
#include <limits>

#include "geometry/layer.h"

namespace thixo {

namespace {

constexpr double touching = 0.15;  ///< in spacings

/// What is known of the place where two shapes come nearest to each other.
struct Approach {
    double gap = std::numeric_limits<double>::infinity();       ///< m, between the shapes
    double distance = std::numeric_limits<double>::infinity();  ///< m, of the nearest particle
    Vec3d normal;                                               ///< there, towards the particles
};

/// The gap is at most d − t for every particle at the distance d from the other and the depth t below its own surface, and as small as that for the
/// one whose nearest places on both surfaces are where they meet.
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

void move(std::vector<Vec3d>& points, const Approach& approach, double spacing, int dimensions) {
    if (!(std::abs(approach.gap) < touching * spacing)) return;
    Vec3d way = (0.5 * spacing - approach.distance) * approach.normal;
    if (dimensions == 2) way.z = 0;
    // Positions in single precision are no better than this.
    if (norm(way) < 1e-5 * spacing) return;
    for (Vec3d& x : points) x += way;
}

}  // namespace

void bring_into_contact(const Model& model, const Walls& walls, const std::vector<Object>& objects,
                        std::size_t object, std::vector<Vec3d>& points) {
    const Object& own = objects[object];
    if (is_layer(own.shape)) return;
    const double spacing = model.particles.spacing, reach = 2 * spacing;
    for (const Wall& wall : walls.view()) {
        move(points,
             approach(own, model.dimensions, reach, points,
                      [&](const Vec3d& x) {
                          const WallDistance d = distance_to(wall, to_float(x));
                          return SignedDistance{d.distance, to_double(d.normal)};
                      }),
             spacing, model.dimensions);
    }
    for (std::size_t k = 0; k < object; ++k) {
        if (objects[k].phase == Phase::liquid || is_layer(objects[k].shape)) continue;
        const Bounds box = bounds(objects[k].shape).grown(reach);
        move(points,
             approach(own, model.dimensions, reach, points,
                      [&](const Vec3d& x) {
                          return box.holds(x) ? signed_distance(objects[k].shape, x, model.dimensions)
                                              : SignedDistance{std::numeric_limits<double>::infinity(), {}};
                      }),
             spacing, model.dimensions);
    }
}

}  // namespace thixo
