#include "sim/carve.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace thixo {

namespace {

// A quarter and half a spacing, less the rounding of positions in single precision.
constexpr double from_shapes = 0.24, from_particles = 0.49;

bool holds(const Bounds& box, const Vec3d& x, double margin, int dimensions) {
    return x.x > box.min.x - margin && x.x < box.max.x + margin && x.y > box.min.y - margin &&
           x.y < box.max.y + margin &&
           (dimensions == 2 || (x.z > box.min.z - margin && x.z < box.max.z + margin));
}

}  // namespace

std::uint64_t Carving::carved() const {
    return std::accumulate(by_obstacle.begin(), by_obstacle.end(), std::uint64_t{0}) +
           std::accumulate(by_object.begin(), by_object.end(), std::uint64_t{0});
}

Carver::Carver(const Model& model, const std::vector<Object>& objects, const ParticleTable& particles,
               std::size_t object)
    : model_(model),
      objects_(objects),
      particles_(particles),
      object_(object),
      walls_(model.obstacles, model.dimensions, model.particles.spacing) {
    for (std::size_t k = 0; k < object; ++k) bounds_.push_back(bounds(objects[k].shape));
    const Bounds own = bounds(objects[object].shape);
    for (Index i = 0; i < particles.size(); ++i) {
        const Vec3d x = to_double(particles.position[i]);
        if (holds(own, x, from_particles * model.particles.spacing, model.dimensions))
            near_[cell(x, 0, 0, 0)].push_back(i);
    }
}

bool Carver::is_free(const Vec3d& x, Carving& carving) const {
    if (const auto obstacle = obstacle_at(x)) {
        ++carving.by_obstacle[*obstacle];
        return false;
    }
    if (const auto object = object_at(x)) {
        ++carving.by_object[*object];
        return false;
    }
    return true;
}

std::optional<std::uint32_t> Carver::obstacle_at(const Vec3d& x) const {
    const auto limit = static_cast<float>(from_shapes * model_.particles.spacing);
    for (const Wall& wall : walls_.view()) {
        if (distance_to(wall, to_float(x)).distance < limit) return wall.obstacle;
    }
    return std::nullopt;
}

std::optional<std::size_t> Carver::object_at(const Vec3d& x) const {
    const double limit = from_shapes * model_.particles.spacing;
    for (std::size_t k = 0; k < object_; ++k) {
        if (holds(bounds_[k], x, limit, model_.dimensions) &&
            signed_distance(objects_[k].shape, x, model_.dimensions).distance < limit)
            return k;
    }
    const double reach = from_particles * model_.particles.spacing;
    for (int neighbour = 0; !near_.empty() && neighbour < 27; ++neighbour) {
        const auto found = near_.find(cell(x, neighbour % 3 - 1, neighbour / 3 % 3 - 1, neighbour / 9 - 1));
        if (found == near_.end()) continue;
        for (const Index j : found->second) {
            if (norm(to_double(particles_.position[j]) - x) < reach) return particles_.object[j];
        }
    }
    return std::nullopt;
}

std::uint64_t Carver::cell(const Vec3d& x, int dx, int dy, int dz) const {
    const double size = from_particles * model_.particles.spacing;
    const auto part = [&](double coordinate, int shift) {
        const auto k = static_cast<std::int64_t>(std::floor(coordinate / size)) + shift;
        return static_cast<std::uint64_t>(k) & 0x1fffff;
    };
    return part(x.x, dx) | part(x.y, dy) << 21 | part(x.z, dz) << 42;
}

}  // namespace thixo
