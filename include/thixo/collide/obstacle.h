#pragma once

#include <optional>
#include <string>

#include "thixo/geometry/mesh_animation.h"
#include "thixo/geometry/motion.h"
#include "thixo/geometry/shape.h"

#include "thixo/particles/look.h"

namespace thixo {

/// A shape without particles that matter collides with.
struct Obstacle {
    std::string name = {};
    Shape shape = Plane{};
    bool inside = false;     ///< true: the shape is a container and matter stays inside it
    double friction = 0;     ///< Coulomb coefficient
    bool no_slip = false;    ///< viscous fluid sticks to it
    double restitution = 0;  ///< coefficient of restitution, 0 to 1
    Motion motion = {};      ///< prescribed motion, applied to the shape
    std::optional<MeshAnimation> animation = {};  ///< the shape is a mesh that deforms; moved by `motion` too
    std::optional<double> temperature = {};       ///< °C; none: adiabatic
    std::optional<double> heat_transfer = {};     ///< W/(m² K); none: perfect contact
    LookSettings look = {};                       ///< in pictures
};

}  // namespace thixo
