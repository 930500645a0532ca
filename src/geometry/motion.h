#pragma once

#include <vector>

#include "geometry/pose.h"

namespace thixo {

/// Where something is at one moment, seen from where it was described.
struct Keyframe {
    double time = 0;           ///< s
    Vec3d translate{0, 0, 0};  ///< m
    Vec3d rotate{0, 0, 0};     ///< degrees about x, then y, then z, through the pivot
};

/// How to get from one keyframe to the next.
enum class Interpolation {
    linear,  ///< at constant rates
    smooth   ///< cubic Hermite with the slopes of Catmull and Rom: rates do not jump
};

/// A prescribed rigid motion. Angles are interpolated as they are written, not the shortest way: from 0 to
/// 3600 are ten turns. Before the first keyframe and behind the last it stands still, unless it repeats.
struct Motion {
    std::vector<Keyframe> keyframes;  ///< times increase; none: it does not move
    Vec3d pivot{0, 0, 0};  ///< m, the point that rotations leave where it is, before any translation
    Interpolation interpolation = Interpolation::linear;
    bool repeat = false;  ///< start over with the first keyframe after the last

    bool moves() const { return !keyframes.empty(); }

    /// Place and velocity at a time (s). On a keyframe of a linear motion the velocity is that of what
    /// follows.
    Pose at(double time) const;

    /// Times of the keyframes that are passed from one time to another (s); of those that are passed again,
    /// the time when they were passed first.
    std::vector<double> keyframes_between(double from, double to) const;
};

/// The highest speed (m/s) of a point of a box from one time to another (s), close to each other: rates
/// change smoothly between them but for keyframes. The box is that of the thing itself, and moves, or of the
/// world.
double top_speed(const Motion& motion, const Bounds& box, bool in_world, double from, double to);

}  // namespace thixo
