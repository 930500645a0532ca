#include "sim/carve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "geometry/layer.h"
#include "particles/fit.h"
#include "particles/lattice.h"

namespace thixo {

namespace {

// A quarter and half a spacing, less the rounding of positions in single precision; the distance that solids
// keep.
constexpr double from_shapes = 0.24, from_particles = 0.49, between_solids = 0.85;

// Layers have no inside. The middle of four particles of a sheet is 0.71 spacings from each, and a particle
// that starts there would be wedged in; one that rests on the sheet is one spacing away.
constexpr double from_layers = 0.74;

// Points whose cells are cut: how deep in what cuts them they may be, so that a fifth of the cell is left,
// and where they go then, farther out than what is carved (`from_shapes`).
constexpr double lowest_room = 0.3, pushed_to = 0.3;

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
    // Sheets may have several layers, which their bounds do not include.
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
    leave_out(points, met, carving);
}

void Carver::leave_out(std::vector<Vec3d>& points, const std::vector<std::uint32_t>& met,
                       Carving& carving) const {
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

/// Distance (m) to the nearest obstacle or earlier object; particles of the latter count from half a spacing
/// on.
double Carver::room(const Vec3d& x) const {
    double room = model_.particles.spacing;
    for (const Wall& wall : walls_.view())
        room = std::min(room, double{distance_to(wall, to_float(x)).distance});
    for (std::size_t k = 0; k < bounds_.size(); ++k)
        if (bounds_[k].holds(x, room))
            room = std::min(room, signed_distance(objects_[k].shape, x, model_.dimensions).distance);
    for (int neighbour = 0; !near_.empty() && neighbour < 27; ++neighbour) {
        const auto found = near_.find(cell(x, neighbour % 3 - 1, neighbour / 3 % 3 - 1, neighbour / 9 - 1));
        if (found == near_.end()) continue;
        for (const Index j : found->second)
            room =
                std::min(room, norm(to_double(particles_.position[j]) - x) -
                                   (reach_[particles_.object[j]] - from_shapes * model_.particles.spacing));
    }
    return room;
}

/// Fraction of the shape that no obstacle and no earlier object takes, by points that lie three times as
/// close.
double Carver::free_part(const Device& device) const {
    Object own = objects_[bounds_.size()];
    own.lattice = Lattice::cubic;
    own.orientation = {};
    const double pitch = model_.particles.spacing / 3;
    std::vector<Vec3d> fine = sample(own.shape, own.lattice, pitch, model_.dimensions, device);
    fit_to_shape(own, pitch, model_.dimensions, FaceRule::half_pitch, fine);
    const double free =
        reduce_sum(device, static_cast<Index>(fine.size()), [&, x = View<const Vec3d>(fine)](Index i) {
            for (const Wall& wall : walls_.view())
                if (distance_to(wall, to_float(x[i])).distance < 0) return 0.;
            for (std::size_t k = 0; k < bounds_.size(); ++k)
                if (bounds_[k].holds(x[i]) &&
                    signed_distance(objects_[k].shape, x[i], model_.dimensions).distance < 0)
                    return 0.;
            return 1.;
        });
    return fine.empty() ? 1 : free / static_cast<double>(fine.size());
}

/// The number of what is nearest, as `what_is_at` numbers it.
std::uint32_t Carver::nearest_to(const Vec3d& x) const {
    double nearest = std::numeric_limits<double>::infinity();
    std::uint32_t what = nothing;
    const auto see = [&](double distance, std::uint32_t number) {
        if (!(distance < nearest)) return;
        nearest = distance;
        what = number;
    };
    for (const Wall& wall : walls_.view()) see(distance_to(wall, to_float(x)).distance, wall.obstacle);
    for (std::size_t k = 0; k < bounds_.size(); ++k)
        see(signed_distance(objects_[k].shape, x, model_.dimensions).distance,
            static_cast<std::uint32_t>(model_.obstacles.size() + k));
    return what;
}

void Carver::carve_to_volume(const Device& device, std::vector<Vec3d>& points, Carving& carving) const {
    const double spacing = model_.particles.spacing;
    std::vector<std::uint32_t> met(points.size());
    std::vector<double> room(points.size());
    launch(device, static_cast<Index>(points.size()),
           [this, x = View<const Vec3d>(points), met = View(met), room = View(room)](Index i) {
               met[i] = what_is_at(x[i]);
               room[i] = this->room(x[i]);
           });
    std::vector<Index> near;
    std::int64_t kept = 0;
    for (Index i = 0; i < points.size(); ++i) {
        kept += met[i] == nothing ? 1 : 0;
        if (room[i] < spacing) near.push_back(i);
    }
    const bool is_cut = kept < static_cast<std::int64_t>(points.size());
    const double volume =
        is_cut ? free_part(device) * static_cast<double>(points.size()) : static_cast<double>(points.size());
    carving.room = volume;
    std::int64_t surplus = kept - std::llround(volume);
    if (surplus != 0) {
        std::stable_sort(near.begin(), near.end(), [&](Index a, Index b) { return room[a] < room[b]; });
        for (std::size_t k = 0; k < near.size() && surplus > 0; ++k) {
            if (met[near[k]] != nothing) continue;
            met[near[k]] = nearest_to(points[near[k]]);
            --surplus;
        }
        for (std::size_t k = near.size(); k-- > 0 && surplus < 0;) {
            if (met[near[k]] == nothing || room[near[k]] < -lowest_room * spacing) continue;
            met[near[k]] = nothing;
            ++surplus;
        }
    }
    launch(device, static_cast<Index>(points.size()),
           [this, met = View<const std::uint32_t>(met), x = View(points)](Index i) {
               if (met[i] == nothing) push_out(x[i]);
           });
    leave_out(points, met, carving);
}

/// Brings a point that was kept in spite of what it is near to out of it.
void Carver::push_out(Vec3d& x) const {
    const double least = pushed_to * model_.particles.spacing;
    for (std::size_t k = 0; k < bounds_.size(); ++k) {
        if (!bounds_[k].holds(x, least)) continue;
        const SignedDistance d = signed_distance(objects_[k].shape, x, model_.dimensions);
        if (d.distance < least) x += (least - d.distance) * d.gradient;
    }
    for (const Wall& wall : walls_.view()) {
        const WallDistance d = distance_to(wall, to_float(x));
        if (d.distance < static_cast<float>(least)) x += (least - d.distance) * to_double(d.normal);
    }
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
