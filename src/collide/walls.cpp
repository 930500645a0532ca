#include "collide/walls.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "collide/heat_contacts.h"

namespace thixo {

namespace {

/// Kinds with a closed formula are as fast as a grid, and exact.
bool is_costly(const Shape& shape) {
    return std::visit(
        []<class Kind>(const Kind&) {
            return is_alternative<Kind, std::variant<Union, Difference, Intersection, SmoothUnion, Bunny,
                                                     Duck, Mesh, HeightField>>;
        },
        shape.kind);
}

/// Half a spacing from sample to sample with the usual support of two spacings.
std::unique_ptr<const DistanceGrid> sampled(const Shape& shape, int dimensions, double reach) {
    const Bounds region = surface_bounds(shape);
    if (!is_costly(shape) || !region.has_end()) return nullptr;
    return std::make_unique<const DistanceGrid>(
        [&](const Vec3d& x) { return signed_distance(shape, x, dimensions); }, region,
        DistanceGridSettings{.cell = reach / 4, .band = reach, .dimensions = dimensions});
}

/// In the frame of the obstacle, outwards.
DistanceGrid::Sample distance_to_shape(const Wall& wall, const Vec3d& x) {
    if (const Vec3f at = to_float(x); wall.grid && wall.grid->covers(at)) return wall.grid->at(at);
    const SignedDistance s = signed_distance(*wall.shape, x, wall.dimensions);
    return {static_cast<float>(s.distance), to_float(s.gradient)};
}

/// What a wall may be off a plane, or lack in thickness, within the spacing of a particle, in that spacing. A
/// ball of the radius R is √(R² + ℓ²) − R off: it allows 0.8 R. tests/unit/collide/walls_test.cpp pins it.
constexpr float flat_enough = 0.35f;

/// Whether a wall whose nearest place is given is as good as a plane to a particle of the spacing ℓ at x.
bool looks_flat(const Wall& wall, const Vec3f& x, const WallDistance& nearest, float l) {
    const auto [d, n] = nearest;
    const Vec3f foot = x - d * n;
    if (distance_to(wall, foot - l * n).distance > (flat_enough - 1) * l) return false;
    // Two directions along the wall; in the plane one, the other is z.
    const Vec3f along = wall.dimensions == 2
                            ? Vec3f{-n.y, n.x, 0}
                            : normalized(cross(n, std::abs(n.x) < 0.6f ? Vec3f{1, 0, 0} : Vec3f{0, 1, 0}));
    const Vec3f across = cross(n, along);
    for (const Vec3f& t : {along, -along, across, -across}) {
        if (wall.dimensions == 2 && std::abs(t.z) > 0.5f) continue;
        if (std::abs(distance_to(wall, foot + l * t).distance) > flat_enough * l) return false;
    }
    return true;
}

}  // namespace

WallDistance distance_to_surface(const Wall& wall, const Vec3f& x) {
    const Vec3d own = wall.pose ? wall.pose->from_world(to_double(x)) : to_double(x);
    if (is_outside(wall, to_float(own), wall.reach)) return {std::numeric_limits<float>::infinity(), {}};
    auto [d, n] = distance_to_shape(wall, own);
    if (wall.pose) n = to_float(wall.pose->rotated(to_double(n)));
    return wall.inside ? WallDistance{-d, -n} : WallDistance{d, n};
}

Vec3f velocity_of_surface(const Wall& wall, const Vec3f& x) {
    const Vec3d world = to_double(x);
    const Placement& place = wall.shape->placement;
    const Vec3d v =
        wall.deforming->velocity_at(place.to_local(wall.pose->from_world(world)), wall.dimensions);
    return to_float(wall.pose->velocity_at(world) + wall.pose->rotated(place.scale * place.rotate.apply(v)));
}

Walls::Walls(const std::vector<Obstacle>& obstacles, int dimensions, double reach) {
    for (const bool moving : {true, false}) {
        for (std::uint32_t k = 0; k < obstacles.size(); ++k) {
            const bool moves = obstacles[k].motion.moves() || obstacles[k].animation;
            if (moves == moving) add(obstacles[k], k, dimensions, reach);
        }
    }
    find_room();
    move_to(0);
}

void Walls::find_room() {
    constexpr float far = std::numeric_limits<float>::infinity();
    room_low_ = {-far, -far, -far};
    room_high_ = {far, far, far};
    struct Side {
        Vec3f normal;
        float Vec3f::*axis;
    };
    constexpr Side sides[] = {{{1, 0, 0}, &Vec3f::x}, {{0, 1, 0}, &Vec3f::y}, {{0, 0, 1}, &Vec3f::z}};
    for (Index k = 0; k < walls_.size(); ++k) {
        const Wall& wall = walls_[k];
        bool is_side = false;
        for (const auto& [normal, axis] : sides) {
            if (wall.shape || wall.pose) continue;
            if (wall.normal == normal) room_low_.*axis = std::max(room_low_.*axis, wall.offset);
            if (wall.normal == -normal) room_high_.*axis = std::min(room_high_.*axis, -wall.offset);
            is_side = is_side || wall.normal == normal || wall.normal == -normal;
        }
        if (!is_side) others_.push_back(k);
    }
}

void Walls::add(const Obstacle& obstacle, std::uint32_t number, int dimensions, double reach) {
    Wall kind{.inside = obstacle.inside,
              .dimensions = dimensions,
              .friction = static_cast<float>(obstacle.friction),
              .restitution = static_cast<float>(obstacle.restitution),
              .no_slip = obstacle.no_slip,
              .obstacle = number,
              .heats = obstacle.temperature.has_value(),
              .temperature = static_cast<float>(obstacle.temperature.value_or(0)),
              .resistance = static_cast<float>(obstacle.heat_transfer ? 1 / *obstacle.heat_transfer : 0.0)};
    if (obstacle.motion.moves() || obstacle.animation) {
        Bounds box = bounds(obstacle.shape);
        if (dimensions == 2) box.min.z = box.max.z = 0;
        const Placement& place = obstacle.shape.placement;
        auto moving = Moving{obstacle.motion, {}, obstacle.name, box, nullptr, place.scale};
        if (obstacle.animation) {
            moving.sequence = obstacle.animation->sequence;
            moving.bounds =
                moving.sequence->bounds().around_images([&](const Vec3d& x) { return place.to_world(x); });
        }
        moving_.push_back(std::make_unique<Moving>(std::move(moving)));
        kind.pose = &moving_.back()->pose;
    }
    if (obstacle.animation) return add_deforming(kind, obstacle, reach);
    const Shape& shape = obstacle.shape;
    if (const auto* plane = std::get_if<Plane>(&shape.kind)) {
        const auto [point, normal] = placed(*plane, shape.placement);
        const Vec3d n = normalized(normal);
        add_plane(kind, obstacle.inside ? -n : n, point);
    } else if (const auto* box = std::get_if<Box>(&shape.kind); box && obstacle.inside) {
        add_container(kind, *box, shape.placement, dimensions);
    } else if (const auto* cylinder = std::get_if<Cylinder>(&shape.kind); cylinder && obstacle.inside) {
        add_container(kind, *cylinder, shape.placement, dimensions, reach);
    } else {
        add_shape(kind, shape, dimensions, reach);
    }
}

void Walls::add_plane(const Wall& kind, const Vec3d& normal, const Vec3d& point) {
    const double offset = dot(normal, point);
    if (kind.pose) moving_planes_.push_back({walls_.size(), normal, offset});
    walls_.push_back(kind);
    walls_.back().normal = to_float(normal);
    walls_.back().offset = static_cast<float>(offset);
}

void Walls::add_container(const Wall& kind, const Box& box, const Placement& place, int dimensions) {
    const Vec3d low = place.to_world(box.min), high = place.to_world(box.max);
    const Vec3d axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int a = 0; a < dimensions; ++a) {
        const Vec3d n = place.rotate.apply(axes[a]);
        add_plane(kind, n, low);
        add_plane(kind, -n, high);
    }
}

void Walls::add_container(const Wall& kind, const Cylinder& cylinder, const Placement& place, int dimensions,
                          double reach) {
    const Vec3d from = place.to_world(cylinder.from), to = place.to_world(cylinder.to),
                axis = normalized(to - from);
    const double radius = place.scale * cylinder.radius;
    add_plane(kind, axis, from);
    add_plane(kind, -axis, to);
    if (dimensions == 2) {
        const Vec3d n{axis.y, -axis.x, 0};
        add_plane(kind, n, from - radius * n);
        add_plane(kind, -n, from + radius * n);
    } else {
        // Far beyond the ends the side has ends of its own: within them it is the nearest place everywhere.
        const Vec3d beyond = (norm(to - from) + 2 * radius) * axis;
        add_shape(kind, Cylinder{from - beyond, to + beyond, radius}, dimensions, reach);
    }
}

void Walls::add_shape(const Wall& kind, const Shape& shape, int dimensions, double reach) {
    shapes_.push_back(std::make_unique<const Shape>(shape));
    grids_.push_back(sampled(shape, dimensions, reach));
    Bounds box = bounds(shape);
    if (dimensions == 2) box.min.z = box.max.z = 0;
    walls_.push_back(kind);
    walls_.back().shape = shapes_.back().get();
    walls_.back().grid = grids_.back().get();
    walls_.back().low = to_float(box.min);
    walls_.back().high = to_float(box.max);
    walls_.back().reach = static_cast<float>(reach);
}

/// The distance is exact and not sampled: a grid would have to be made anew in each step.
void Walls::add_deforming(const Wall& kind, const Obstacle& obstacle, double reach) {
    deforming_.push_back(std::make_unique<Deforming>(
        Deforming{walls_.size(), obstacle.shape, obstacle.animation->sequence, {}, 0}));
    walls_.push_back(kind);
    walls_.back().shape = &deforming_.back()->shape;
    walls_.back().deforming = &deforming_.back()->now;
    walls_.back().reach = static_cast<float>(reach);
}

void Walls::move_to(double time) {
    for (const auto& moving : moving_) moving->pose = moving->motion.at(time);
    for (const auto& mesh : deforming_) {
        if (mesh->now.distance && mesh->sequence->is_same(mesh->time, time)) continue;
        mesh->now = mesh->sequence->at(time);
        mesh->time = time;
        std::get<Mesh>(mesh->shape.kind).distance = mesh->now.distance;
        const Bounds box = bounds(mesh->shape);
        walls_[mesh->wall].low = to_float(box.min);
        walls_[mesh->wall].high = to_float(box.max);
    }
    for (const MovingPlane& plane : moving_planes_) {
        // n·x = o in the obstacle's frame is Rn·x = o + Rn·t in the world.
        Wall& wall = walls_[plane.wall];
        const Vec3d n = wall.pose->rotated(plane.normal);
        wall.normal = to_float(n);
        wall.offset = static_cast<float>(plane.offset + dot(n, wall.pose->translation));
    }
}

void Walls::sense(const Device& device, View<const Vec3f> x, const HalfSpaceIntegral& integral,
                  View<WallTerm> out, View<WallMotion> motion, const WallSubjects& of) const {
    launch(device, static_cast<Index>(x.size()), of.rows, [=, room = room(), &integral](Index i) {
        WallTerm term;
        WallMotion moving;
        const float reach = of.supports.empty() ? integral.reach() : of.supports[i],
                    size = reach / integral.reach();
        const bool liquid = of.phase.empty() || of.phase[i] == Phase::liquid;
        const WallForm form = liquid ? of.liquids : WallForm::energy;
        for (const Wall& wall : room.near(x[i], reach)) {
            if (is_beyond(wall, x[i], reach)) continue;
            const WallDistance to_wall = distance_to(wall, x[i]);
            if (to_wall.distance >= reach) continue;
            const WallTerm one = integral.at(to_wall.distance, to_wall.normal, size, form);
            const Overlap count = term.add(one);
            if (motion.empty()) continue;
            const Vec3f v = velocity_at(wall, x[i]);
            moving.approach = count.before * moving.approach + count.added * dot(v, one.gradient);
            const float drag = wall.no_slip ? integral.drag(to_wall.distance, size) : 0.f;
            moving.drag += drag;
            moving.pull += drag * v;
        }
        out[i] = term;
        if (!motion.empty()) motion[i] = moving;
    });
}

/// The wall is a half space of the particle's own matter, whose surface has the wall's temperature: then the
/// temperature behind it is extrapolated as velocities are behind a no-slip wall, and the weight
/// is D = drag(d). That is a layer of the area A = V D d and the thickness d, k A/d (T_wall − T); with a
/// contact of resistance R it becomes A/(d/k + R).
void Walls::sense_heat(const Device& device, View<const Vec3f> x, View<const std::uint16_t> material,
                       View<const float> conductivity, const HalfSpaceIntegral& integral, View<WallHeat> out,
                       View<const float> supports) const {
    launch(device, static_cast<Index>(x.size()), [=, room = room(), &integral](Index i) {
        const float reach = supports.empty() ? integral.reach() : supports[i],
                    size = reach / integral.reach();
        const float nearest = 0.125f * reach;  // resolution of drag(d)
        WallHeat sum;
        for (const Wall& wall : room.near(x[i], reach)) {
            if (is_beyond(wall, x[i], reach)) continue;
            const float d = distance_to(wall, x[i]).distance;
            if (d >= reach) continue;
            const float weight = integral.weight(d / size);
            sum.cover += weight;
            if (!wall.heats) continue;
            const float contact = 1 + wall.resistance * conductivity[material[i]] / std::max(d, nearest);
            const float exchange = exchange_by_distance(wall, d, conductivity[material[i]], integral, size);
            sum.exchange += exchange;
            sum.pull += exchange * wall.temperature;
            sum.matter += weight / contact;
        }
        out[i] = sum;
    });
}

void Walls::limit_sizes(const Device& device, View<const Vec3f> x, View<const float> supports, float spacing,
                        View<float> sizes) const {
    launch(device, static_cast<Index>(x.size()), [=, walls = view()](Index i) {
        float size = sizes[i];
        for (const Wall& wall : walls) {
            if (size <= 1) return;
            if (!wall.shape || is_beyond(wall, x[i], supports[i])) continue;
            const WallDistance nearest = distance_to(wall, x[i]);
            if (!(nearest.distance < supports[i])) continue;
            while (size > 1 && !looks_flat(wall, x[i], nearest, size * spacing)) size *= 0.8f;
            sizes[i] = size = std::max(1.f, size);
        }
    });
}

bool Walls::any_heats() const {
    return std::any_of(walls_.begin(), walls_.end(), [](const Wall& wall) { return wall.heats; });
}

bool Walls::act_on_velocity() const {
    return any_moves() || std::any_of(walls_.begin(), walls_.end(), [](const Wall& w) { return w.no_slip; });
}

namespace {

/// Bounds of the particles, for unbounded obstacles.
Bounds bounds_of(const Device& device, View<const Vec3f> x) {
    return reduce(
        device, static_cast<Index>(x.size()), Bounds{},
        [=](Index i) {
            return Bounds{to_double(x[i]), to_double(x[i])};
        },
        [](Bounds a, const Bounds& b) {
            a.include(b);
            return a;
        });
}

}  // namespace

void Walls::limit_time_step(const Device& device, View<const Vec3f> x, double time, double distance,
                            TimeStepLimit& limit) const {
    for (const auto& moving : moving_) {
        const bool bounded = moving->bounds.has_end();
        const Bounds box = bounded ? moving->bounds : bounds_of(device, x);
        if (box.empty()) continue;
        // The other limits bound the length of this step.
        const double end = std::isfinite(limit.seconds) ? time + limit.seconds : time;
        double fastest = top_speed(moving->motion, box, !bounded, time, end);
        if (moving->sequence) fastest += moving->scale * moving->sequence->top_speed(time, end);
        limit.tighten(distance / fastest, [&] { return "motion of `" + moving->name + "`"; });
    }
}

}  // namespace thixo
