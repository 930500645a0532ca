#include "scene/vessels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "scene/wording.h"

namespace thixo {

namespace {

const Obstacle& find(const Model& model, const std::string& name) {
    std::vector<std::string_view> names;
    for (const Obstacle& obstacle : model.obstacles) {
        if (obstacle.name == name) return obstacle;
        names.push_back(obstacle.name);
    }
    throw InputError(fmt::format("there is no obstacle {}{}", thixo::quoted(name), suggestion(name, names)));
}

/// As the obstacle is at the start.
Cavity::FreeDistance free_distance(const Obstacle& obstacle, int dimensions) {
    return [shape = obstacle.shape, pose = obstacle.motion.at(0), sign = obstacle.inside ? -1. : 1.,
            dimensions](const Vec3d& x) {
        const SignedDistance s = signed_distance(shape, pose.from_world(x), dimensions);
        return SignedDistance{sign * s.distance, sign * pose.rotated(s.gradient)};
    };
}

}  // namespace

std::shared_ptr<const Cavity> Vessels::cavity(const Fill& fill) const {
    const Obstacle& obstacle = find(model_, fill.inside);
    const Bounds own = surface_bounds(obstacle.shape);
    Vec3d size = own.size();
    if (model_.dimensions == 2) size.z = 0;
    const double longest = std::max({size.x, size.y, size.z});
    if (!std::isfinite(longest))
        throw InputError(fmt::format("the obstacle `{}` is unbounded and holds nothing", obstacle.name));
    // Cells as fine as particles, but not more than some hundred thousand of them.
    const double cell = std::max(0.5 * model_.particles.spacing, longest / 64);
    const Bounds vessel = obstacle.motion.moves() ? moved(own, obstacle.motion.at(0)) : own;
    const Cavity::FreeDistance free = free_distance(obstacle, model_.dimensions);
    auto cavity = std::make_shared<const Cavity>(free, vessel, fill.level, cell, model_.dimensions);
    if (!cavity->empty()) return cavity;
    const double highest = highest_level(free, vessel, cell, model_.dimensions);
    if (!std::isfinite(highest))
        throw InputError(
            fmt::format("the obstacle `{}` is no vessel: a liquid runs out of it at every level, "
                        "or its walls are closer together than two cells of {:.3g} m",
                        obstacle.name, cell));
    throw InputError(
        fill.level > highest
            ? fmt::format("a liquid of level {:g} m runs out of `{}`; it holds up to about {:.3g} m",
                          fill.level, obstacle.name, highest)
            : fmt::format("`{}` holds nothing below {:g} m: its bottom is higher", obstacle.name,
                          fill.level));
}

}  // namespace thixo
