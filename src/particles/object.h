#pragma once

#include <string>

#include "geometry/shape.h"
#include "particles/table.h"

namespace thixo {

/// How particles are arranged at the start. `closest` is cubic closest packed in 3D, hexagonal in 2D;
/// `layered_hexagonal` stacks level hexagonal layers, each in the hollows of the one below [DC99, sec. 7.1].
enum class Lattice { cubic, closest, layered_hexagonal };

/// A shape filled with particles of one material.
struct Object {
    std::string name;
    std::string material;  ///< key in the scene's materials
    Phase phase = Phase::liquid;
    double temperature = 20;          ///< °C
    Vec3d velocity{0, 0, 0};          ///< m/s
    Vec3d angular_velocity{0, 0, 0};  ///< rad/s about the shape's centre
    Lattice lattice = Lattice::cubic;
    Shape shape = Box{};
};

}  // namespace thixo
