#include "sim/carve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "geometry/layer.h"

namespace thixo {

namespace {

// A quarter and half a spacing, less the rounding of positions in single precision; the distance that solids keep.
constexpr double from_shapes = 0.24, from_particles = 0.49, between_solids = 0.85;

// Layers have no inside to be told by. The middle of four particles of a sheet is 0.71 spacings from each, and
// whoever starts there would be wedged in; who rests on the sheet is one spacing away.
constexpr double from_layers = 0.74;

constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::uint64_t Carving::carved() const {
    return std::accumulate(by_obstacle.begin(), by_obstacle.end(), std::uint64_t{0}) +
           std::accumulate(by_object.begin(), by_object.end(), std::uint64_t{0});
}

Carver::Carver(const Model& model, const Walls& walls, const std::vector<Object>& objects,
               const ParticleTable& particles, std::size_t object)
    : model_(model),
      walls_(walls),
      objects_(objects),
      particles_(particles),
      solid_(objects[object].phase != Phase::liquid) {
    for (std::size_t k = 0; k < object; ++k) bounds_.push_back(bounds(objects[k].shape));
    for (std::size_t k = 0; k < object; ++k) {
        const bool solids = solid_ && objects[k].phase != Phase::liquid;
        reach_.push_back(model.particles.spacing * (solids                       ? between_solids
                                                    : is_layer(objects[k].shape) ? from_layers
                                                                                 : from_particles));
    }
    // Sheets may have several layers, which their bounds do not know of.
    const bool is_thicker = is_layer(objects[object].shape);
    const Bounds own = bounds(objects[object].shape);
    for (Index i = 0; i < particles.size(); ++i) {
        const Vec3d x = to_double(particles.position[i]);
        if (is_thicker || own.holds(x, reach_[particles.object[i]])) near_[cell(x, 0, 0, 0)].push_back(i);
    }
}

void Carver::carve(const Device& device, std::vector<Vec3d>& points, Carving& carving) const {
    std::vector<std::uint32_t> met(points.size());
    launch(device, static_cast<Index>(points.size()),
           [this, x = View<const Vec3d>(points), out = View(met)](Index i) { out[i] = what_is_at(x[i]); });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto obstacles = static_cast<std::uint32_t>(model_.obstacles.size());
        if (met[i] == nothing)
            points[kept++] = points[i];
        else if (met[i] < obstacles)
            ++carving.by_obstacle[met[i]];
        else
            ++carving.by_object[met[i] - obstacles];
    }
    points.resize(kept);
}

/// Numbers of the obstacles, behind them those of the objects, or `nothing`.
std::uint32_t Carver::what_is_at(const Vec3d& x) const {
    if (const auto obstacle = obstacle_at(x)) return *obstacle;
    if (const auto object = object_at(x))
        return static_cast<std::uint32_t>(model_.obstacles.size()) + *object;
    return nothing;
}

std::optional<std::uint32_t> Carver::obstacle_at(const Vec3d& x) const {
    const auto limit = static_cast<float>(from_shapes * model_.particles.spacing);
    for (const Wall& wall : walls_.view()) {
        if (distance_to(wall, to_float(x)).distance < limit) return wall.obstacle;
    }
    return std::nullopt;
}

std::optional<std::uint32_t> Carver::object_at(const Vec3d& x) const {
    const double limit = from_shapes * model_.particles.spacing;
    for (std::uint32_t k = 0; k < bounds_.size(); ++k) {
        if (bounds_[k].holds(x, limit) &&
            signed_distance(objects_[k].shape, x, model_.dimensions).distance < limit)
            return k;
    }
    for (int neighbour = 0; !near_.empty() && neighbour < 27; ++neighbour) {
        const auto found = near_.find(cell(x, neighbour % 3 - 1, neighbour / 3 % 3 - 1, neighbour / 9 - 1));
        if (found == near_.end()) continue;
        for (const Index j : found->second) {
            if (norm(to_double(particles_.position[j]) - x) < reach_[particles_.object[j]])
                return particles_.object[j];
        }
    }
    return std::nullopt;
}

std::uint64_t Carver::cell(const Vec3d& x, int dx, int dy, int dz) const {
    const double size = between_solids * model_.particles.spacing;
    const auto part = [&](double coordinate, int shift) {
        const auto k = static_cast<std::int64_t>(std::floor(coordinate / size)) + shift;
        return static_cast<std::uint64_t>(k) & 0x1fffff;
    };
    return part(x.x, dx) | part(x.y, dy) << 21 | part(x.z, dz) << 42;
}

}  // namespace thixo
