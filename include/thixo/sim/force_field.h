#pragma once

#include <optional>
#include <string>
#include <vector>

#include "thixo/core/vec.h"
#include "thixo/geometry/shape.h"

namespace thixo {

/// What a force field does to matter.
enum class FieldKind {
    wind,     ///< drag of moving air on free surfaces
    point,    ///< towards a point, or away from it
    line,     ///< towards a line, or away from it
    vortex,   ///< around a line
    damping,  ///< against the velocity
};

/// The factor on the strength of a field at a time, linear in between.
struct FieldKeyframe {
    double time = 0;  ///< s
    double factor = 1;
};

/// A force that follows from place, velocity and time.
struct ForceField {
    std::string name = {};
    FieldKind kind = FieldKind::wind;
    std::optional<Shape> region = {};           ///< none: everywhere
    Vec3d velocity{0, 0, 0};                    ///< m/s, of the wind
    double drag = 1;                            ///< drag coefficient of a surface in the wind
    double air_density = 1.2;                   ///< kg/m³
    Vec3d center{0, 0, 0};                      ///< m: the point, or a point of the line
    Vec3d axis{0, 1, 0};                        ///< direction of the line
    double strength = 9.81;                     ///< m/s² at `radius`; negative: away, or the other way round
    double radius = 0.1;                        ///< m
    double falloff = 2;                         ///< beyond `radius` the strength falls as (radius/r)^falloff
    double rate = 1;                            ///< 1/s, of damping
    std::vector<FieldKeyframe> keyframes = {};  ///< times increase; none: a factor of 1
};

}  // namespace thixo
