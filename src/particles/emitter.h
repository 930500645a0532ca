#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/vec.h"

namespace thixo {

/// Openings that particles come out of; in 2D segments as long as the disc is wide, or the rectangle.
struct Disc {
    double radius = 0.05;  ///< m
};
struct Rectangle {
    double width = 0.1;   ///< m, across `up`
    double height = 0.1;  ///< m, along `up`; means nothing in 2D
};
using Opening = std::variant<Disc, Rectangle>;

/// Later than any run ends, s.
inline constexpr double end_of_time = 1e6;

/// Makes particles while the simulation runs. They come in layers that fill the opening at rest density.
struct Emitter {
    std::string name;
    std::string material;  ///< key in the scene's materials
    Opening opening = Disc{};
    Vec3d position{0, 0, 0};    ///< m, the opening's centre
    Vec3d direction{0, -1, 0};  ///< out of the opening; any length
    Vec3d up{0, 0, 0};          ///< along the rectangle's height; any direction but `direction`; zero: chosen
    double speed = 1;           ///< m/s
    double rate = 0;            ///< m³/s, in 2D m²/s; 0: the opening's area times the speed
    double temperature = 20;    ///< °C
    double start = 0, stop = end_of_time;  ///< s
    std::uint16_t object = 0;  ///< number that its particles carry: they follow the scene's objects
};

/// m², in 2D m.
double area(const Opening& opening, int dimensions);

/// Perpendicular to a direction, and as upright as it can be.
Vec3d upright(const Vec3d& direction);

/// The space in front of an opening in which its jet is led.
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
/// evenly. Each stands for the volume V of a lattice cell, so a layer is due every τ = N V / Q seconds for a rate
/// Q, and with Q = A × speed the layers stand N V / A apart: the jet has its rest density. Below that rate they
/// stand farther apart.
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
