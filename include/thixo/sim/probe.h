#pragma once

#include <string>

#include "thixo/core/vec.h"

namespace thixo {

/// What a probe measures.
enum class ProbeKind {
    level,  ///< height of a liquid above a point
    front,  ///< how far a liquid has come in a direction
    point,  ///< pressure, density, temperature and velocity at a point
    flow,   ///< volume and mass through a rectangle
    force,  ///< force and torque on an obstacle, or of what holds matter
    body    ///< mass, place, pose, momentum and spin of a solid
};

/// An instrument: it measures at the end of each frame and changes nothing.
struct Probe {
    std::string name = {};
    ProbeKind kind = ProbeKind::point;
    std::string of = {};           ///< an obstacle, grab or object; of liquids a material; empty: any liquid
    Vec3d at{0, 0, 0};             ///< m: the place; of a force the point that torques are about
    Vec3d direction{1, 0, 0};      ///< of a front, or across the rectangle of a flow
    Vec3d up{0, 1, 0};             ///< direction of the rectangle's height
    double width = 0, height = 0;  ///< m, of the rectangle
    double radius = 0;             ///< m, of the column a level is found in; 0: the support radius
};

}  // namespace thixo
