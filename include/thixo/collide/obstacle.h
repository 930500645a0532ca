#pragma once

#include <optional>
#include <string>

#include "thixo/geometry/motion.h"
#include "thixo/geometry/shape.h"

namespace thixo {

/// Scenery that is not made of particles.
struct Obstacle {
    std::string name = {};
    Shape shape = Plane{};
    bool inside = false;     ///< true: the shape is a container and matter stays inside it
    double friction = 0;     ///< Coulomb coefficient
    bool no_slip = false;    ///< viscous fluid sticks to it
    double restitution = 0;  ///< share of the normal speed that a bouncing particle keeps, 0 to 1
    Motion motion = {};      ///< prescribed motion; the shape is where it is before it
    std::optional<double> temperature = {};    ///< °C; none: it insulates
    std::optional<double> heat_transfer = {};  ///< W/(m² K); none: perfect contact
};

}  // namespace thixo
