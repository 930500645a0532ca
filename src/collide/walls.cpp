#include "collide/walls.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace thixo {

namespace {

/// Kinds that are told by one formula are as quick to ask as a grid, and exact.
bool is_costly(const Shape& shape) {
    return std::visit(
        []<class Kind>(const Kind&) {
            return is_alternative<
                Kind, std::variant<Union, Difference, SmoothUnion, Bunny, Duck, Mesh, HeightField>>;
        },
        shape.kind);
}

/// Half a spacing from sample to sample with the usual support of two spacings.
std::unique_ptr<const DistanceGrid> sampled(const Shape& shape, int dimensions, double reach) {
    const Bounds region = surface_bounds(shape);
    if (!is_costly(shape) || !std::isfinite(norm(region.size()))) return nullptr;
    return std::make_unique<const DistanceGrid>(
        [&](const Vec3d& x) { return signed_distance(shape, x, dimensions); }, region,
        DistanceGridSettings{.cell = reach / 4, .band = reach, .dimensions = dimensions});
}

}  // namespace

WallDistance distance_to(const Wall& wall, const Vec3f& x) {
    if (!wall.shape) return {dot(wall.normal, x) - wall.offset, wall.normal};
    const bool in_reach = x.x > wall.reach_min.x && x.y > wall.reach_min.y && x.z > wall.reach_min.z &&
                          x.x < wall.reach_max.x && x.y < wall.reach_max.y && x.z < wall.reach_max.z;
    // Far outside a container is deep inside its wall, so only solid shapes may be skipped.
    if (!wall.inside && !in_reach) return {std::numeric_limits<float>::infinity(), {}};
    if (wall.grid && wall.grid->covers(x)) {
        const auto [d, n] = wall.grid->at(x);
        return wall.inside ? WallDistance{-d, -n} : WallDistance{d, n};
    }
    const SignedDistance s = signed_distance(*wall.shape, to_double(x), wall.dimensions);
    const float d = static_cast<float>(s.distance);
    const Vec3f n = to_float(s.gradient);
    return wall.inside ? WallDistance{-d, -n} : WallDistance{d, n};
}

Walls::Walls(const std::vector<Obstacle>& obstacles, int dimensions, double reach) {
    for (const Obstacle& obstacle : obstacles) {
        if (const auto* plane = std::get_if<Plane>(&obstacle.shape.kind)) {
            const auto [point, normal] = placed(*plane, obstacle.shape.placement);
            const Vec3d n = normalized(normal);
            add_plane(obstacle, obstacle.inside ? -n : n, point);
        } else if (const auto* box = std::get_if<Box>(&obstacle.shape.kind); box && obstacle.inside) {
            add_container(obstacle, *box, dimensions);
        } else {
            add_shape(obstacle, dimensions, reach);
        }
    }
}

void Walls::add_plane(const Obstacle& obstacle, const Vec3d& normal, const Vec3d& point) {
    walls_.push_back({.normal = to_float(normal),
                      .offset = static_cast<float>(dot(normal, point)),
                      .friction = static_cast<float>(obstacle.friction),
                      .restitution = static_cast<float>(obstacle.restitution)});
}

void Walls::add_container(const Obstacle& obstacle, const Box& box, int dimensions) {
    const Placement& place = obstacle.shape.placement;
    const Vec3d low = place.to_world(box.min), high = place.to_world(box.max);
    const Vec3d axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int a = 0; a < dimensions; ++a) {
        const Vec3d n = place.rotate.apply(axes[a]);
        add_plane(obstacle, n, low);
        add_plane(obstacle, -n, high);
    }
}

void Walls::add_shape(const Obstacle& obstacle, int dimensions, double reach) {
    shapes_.push_back(std::make_unique<const Shape>(obstacle.shape));
    grids_.push_back(sampled(obstacle.shape, dimensions, reach));
    Bounds box = bounds(obstacle.shape);
    if (dimensions == 2) box.min.z = box.max.z = 0;
    const Vec3d r{reach, reach, reach};
    walls_.push_back({.shape = shapes_.back().get(),
                      .grid = grids_.back().get(),
                      .inside = obstacle.inside,
                      .reach_min = to_float(box.min - r),
                      .reach_max = to_float(box.max + r),
                      .dimensions = dimensions,
                      .friction = static_cast<float>(obstacle.friction),
                      .restitution = static_cast<float>(obstacle.restitution)});
}

void Walls::sense(const Device& device, View<const Vec3f> x, const HalfSpaceIntegral& integral,
                  View<WallTerm> out) const {
    launch(device, static_cast<Index>(x.size()), [=, walls = view(), &integral](Index i) {
        WallTerm term;
        for (const Wall& wall : walls) {
            const WallDistance to_wall = distance_to(wall, x[i]);
            term.add(integral.at(to_wall.distance, to_wall.normal));
        }
        out[i] = term;
    });
}

void ResolveContacts::operator()(Index i) const {
    for (const Wall& wall : walls) {
        const auto [d, n] = distance_to(wall, x[i]);
        if (d >= touching) continue;
        float impulse = push[i];
        const float approach = -dot(v[i], n);
        if (d < nearest) {
            x[i] += (nearest - d) * n;
            if (approach > 0) {
                v[i] += (1 + wall.restitution) * approach * n;
                impulse += (1 + wall.restitution) * approach;
            }
        }
        // Coulomb: friction takes at most μ times the normal impulse from the sliding speed.
        const Vec3f slide = v[i] - dot(v[i], n) * n;
        const float speed = norm(slide);
        if (speed > 0) v[i] -= std::min(1.f, wall.friction * impulse / speed) * slide;
    }
}

}  // namespace thixo
