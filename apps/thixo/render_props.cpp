#include "render_props.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "particles/emitter_layers.h"

namespace thixo {
namespace {

/// Length and wall of the tube, in halves of the opening's smaller side.
constexpr double tube_length = 1.2, tube_wall = 0.25;

}  // namespace

std::vector<RenderObstacle> Prop::at(double time) const {
    std::vector<RenderObstacle> now = parts;
    for (RenderObstacle& part : now) part.pose = motion.at(time);
    return now;
}

Rotation rotation_to(const Vec3d& x, const Vec3d& y, const Vec3d& z) {
    const double degree = std::numbers::pi / 180;
    // Straight up or down: one of the other two angles is free.
    if (std::abs(x.z) > 1 - 1e-12) {
        const double sign = x.z < 0 ? 1 : -1;
        return Rotation({std::atan2(sign * y.x, y.y) / degree, sign * 90, 0});
    }
    return Rotation({std::atan2(y.z, z.z) / degree, -std::asin(x.z) / degree, std::atan2(x.y, x.x) / degree});
}

Prop spout_around(const Emitter& emitter, double spacing, int dimensions) {
    const Vec3d d = normalized(emitter.direction), p = emitter.position;
    const auto* rectangle = std::get_if<Rectangle>(&emitter.opening);
    const double gap = 0.5 * spacing;
    Difference tube;
    if (rectangle && dimensions == 3) {
        const Vec3d up = norm2(emitter.up) > 0 ? normalized(emitter.up - dot(emitter.up, d) * d) : upright(d);
        const double half = 0.5 * std::min(rectangle->width, rectangle->height), wall = tube_wall * half;
        const Placement place{1, rotation_to(cross(up, d), up, d), p};
        const auto box = [&](double margin, double back, double front) {
            const double x = 0.5 * rectangle->width + margin, y = 0.5 * rectangle->height + margin;
            return Shape(Box{{-x, -y, back}, {x, y, front}}, place);
        };
        tube.shapes = {box(gap + wall, -tube_length * half, 0),
                       box(gap, wall - tube_length * half, tube_length * half)};
    } else {
        const double half = rectangle ? 0.5 * rectangle->width : std::get<Disc>(emitter.opening).radius;
        const double wall = tube_wall * half;
        tube.shapes = {Cylinder{p - d * (tube_length * half), p, half + gap + wall},
                       Cylinder{p - d * (tube_length * half - wall), p + d * half, half + gap}};
    }
    return {.name = emitter.name,
            .parts = {{.shape = Shape(std::move(tube))}},
            .colour = spout_colour,
            .start = emitter.start,
            .stop = emitter.stop};
}

}  // namespace thixo
