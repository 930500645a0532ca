#include "sim/lift_off.h"

#include <algorithm>
#include <cmath>

#include "geometry/layer.h"
#include "sim/derive.h"

namespace thixo {

namespace {

constexpr double flush = 0.15;  ///< in spacings: gaps below this let nothing in
constexpr double layers =
    2;  ///< of liquid that get room below it; a single one is locked between body and floor
constexpr double level_cosine = 0.7;  ///< cosine between a floor's normal and the vertical, at least

double density_of(const Model& model, const Object& object) {
    return model.materials[material_index(model, object.material)].density;
}

/// Mass of the liquid in place of the object over that of the object.
double buoyancy(const Model& model, const std::vector<Object>& objects, const Object& own,
                const std::vector<Vec3d>& points) {
    double displaced = 0;
    for (const Vec3d& x : points) {
        double heaviest = 0;
        for (const Object& liquid : objects) {
            if (liquid.phase != Phase::liquid || is_layer(liquid.shape) || !bounds(liquid.shape).holds(x))
                continue;
            if (signed_distance(liquid.shape, x, model.dimensions).distance < 0)
                heaviest = std::max(heaviest, density_of(model, liquid));
        }
        displaced += heaviest;
    }
    return displaced / (static_cast<double>(points.size()) * density_of(model, own));
}

/// Density of the heaviest liquid that the scene has or pours; 0 without one.
double heaviest_liquid(const Model& model, const std::vector<Object>& objects) {
    double heaviest = 0;
    for (const Object& object : objects)
        if (object.phase == Phase::liquid) heaviest = std::max(heaviest, density_of(model, object));
    for (const Emitter& emitter : model.emitters)
        heaviest = std::max(heaviest, model.materials[material_index(model, emitter.material)].density);
    return heaviest;
}

bool touches_a_solid(const Model& model, const std::vector<Object>& objects, std::size_t object) {
    const Bounds box = bounds(objects[object].shape).grown(0.5 * model.particles.spacing);
    for (std::size_t k = 0; k < objects.size(); ++k) {
        if (k == object || objects[k].phase == Phase::liquid) continue;
        const Bounds other = bounds(objects[k].shape);
        const bool apart = other.min.x > box.max.x || other.max.x < box.min.x || other.min.y > box.max.y ||
                           other.max.y < box.min.y ||
                           (model.dimensions == 3 && (other.min.z > box.max.z || other.max.z < box.min.z));
        if (!apart) return true;
    }
    return false;
}

}  // namespace

Afloat way_off_the_floor(const Model& model, const Walls& walls, const std::vector<Object>& objects,
                         std::size_t object, const std::vector<Vec3d>& points) {
    const Object& own = objects[object];
    const double spacing = model.particles.spacing, g = norm(model.gravity);
    if (own.phase == Phase::liquid || is_layer(own.shape) || !own.held.empty() || points.empty() ||
        !(g > 0) || norm(own.velocity) > 0 || norm(own.angular_velocity) > 0)
        return {};
    // The lowest place of the body's shape over each obstacle: distance less depth, at the particle where
    // that is least.
    const Vec3d up = model.gravity * (-1 / g);
    bool lies = false;
    for (const Wall& wall : walls.view()) {
        for (const Vec3d& x : points) {
            const WallDistance to = distance_to(wall, to_float(x));
            if (!(to.distance < 2 * spacing) || dot(to_double(to.normal), up) < level_cosine) continue;
            lies |= to.distance + signed_distance(own.shape, x, model.dimensions).distance < flush * spacing;
            if (lies) break;
        }
        if (lies) break;
    }
    if (!lies || touches_a_solid(model, objects, object)) return {};
    const double buoyant = buoyancy(model, objects, own, points);
    if (buoyant > 1) return {layers * spacing * up};
    return {.way = {},
            .stays = buoyant == 0 && own.phase == Phase::rigid &&
                     heaviest_liquid(model, objects) > density_of(model, own)};
}

}  // namespace thixo
