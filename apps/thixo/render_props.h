#pragma once

#include <string>
#include <vector>

#include "particles/emitter.h"
#include "render/scene.h"
#include "thixo/geometry/motion.h"

namespace thixo {

/// What is no obstacle but is drawn because it acts on matter for a while: a spout, jaws, the tools of hands.
struct Prop {
    std::string name;
    std::vector<RenderObstacle> parts;  ///< at the origin of the motion
    Vec3d colour;
    double start = 0, stop = end_of_time;  ///< s
    Motion motion = {};

    bool is_there(double time) const { return time >= start && time <= stop; }
    /// Parts where they are at a time.
    std::vector<RenderObstacle> at(double time) const;
};

/// Matte colours of props: what lets matter out, what holds or pushes it, what heats and what cools it.
inline constexpr Vec3d spout_colour{0.42, 0.43, 0.45}, hand_colour{0.62, 0.2, 0.16},
    heating_colour{0.85, 0.42, 0.08}, cooling_colour{0.15, 0.42, 0.7};

/// Turns x, y and z into these axes, which are at right angles.
Rotation rotation_to(const Vec3d& x, const Vec3d& y, const Vec3d& z);

/// A tube around the opening of an emitter, with a wall behind it. The gap of half a spacing is what surfaces
/// reach beyond the centres of particles.
Prop spout_around(const Emitter& emitter, double spacing, int dimensions);

}  // namespace thixo
