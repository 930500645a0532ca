#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/vec.h"
#include "particles/emitter.h"

namespace thixo {

/// m², in 2D m.
double area(const Opening& opening, int dimensions);

/// Perpendicular to a direction, and as upright as it can be.
Vec3d upright(const Vec3d& direction);

/// The space in front of an opening in which the velocity of its jet is prescribed.
struct Nozzle {
    Vec3f center, direction, across, up;
    float half_width, half_height;  ///< m
    bool round;                     ///< an ellipse rather than a rectangle
    float behind, ahead;            ///< how far it reaches along the direction, m

    bool holds(const Vec3f& x) const {
        const Vec3f r = x - center;
        const float along = dot(r, direction), u = dot(r, across) / half_width, w = dot(r, up) / half_height;
        if (!(along > -behind && along < ahead)) return false;
        return round ? u * u + w * w < 1 : std::abs(u) < 1 && std::abs(w) < 1;
    }
};

/// A quarter of a spacing wider than the opening, half a spacing behind it and `length` (m) ahead.
Nozzle nozzle_of(const Emitter& emitter, double spacing, double length, int dimensions);

/// An emitter's layers of particles, and when they are due.
///
/// A layer is a square lattice stretched a little, so that its N particles share the area A of the opening
/// evenly. Each stands for the volume V of a lattice cell, so a layer is due every τ = N V / Q seconds for a
/// rate Q, and with Q = A × speed the layers stand N V / A apart: the jet has its rest density. Below that
/// rate they stand farther apart.
class EmitterLayers {
public:
    EmitterLayers(const Emitter& emitter, double spacing, int dimensions);

    /// Places of one layer's particles when it is due, m.
    const std::vector<Vec3d>& points() const { return points_; }

    /// The distance of neighbours in the jet, the shortest of those within a layer and between layers (m).
    double pitch() const { return pitch_; }

    /// How many layers are due until a time (s), that time included.
    std::uint64_t due(double time) const;

    /// When layer k = 0, 1, … is due: half a period after the start, and then every period (s).
    double time_of(std::uint64_t k) const { return start_ + (static_cast<double>(k) + 0.5) * period_; }

private:
    std::vector<Vec3d> points_;
    double pitch_ = 0, period_ = 0, start_ = 0, stop_ = 0;
};

}  // namespace thixo
