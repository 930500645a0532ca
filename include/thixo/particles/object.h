#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thixo/geometry/motion.h"
#include "thixo/geometry/shape.h"
#include "thixo/particles/phase.h"
#include "thixo/particles/time_window.h"

namespace thixo {

/// How particles are arranged at the start. `closest` is cubic closest packed in 3D, hexagonal in 2D;
/// `layered_hexagonal` stacks level hexagonal layers, each in the hollows of the one below [DC99, sec. 7.1].
enum class Lattice { cubic, closest, layered_hexagonal };

/// Part of an object that is fixed, or moves along keyframes.
struct HeldRegion {
    Shape region = Box{};        ///< holds the particles that start inside
    Motion motion = {};          ///< without keyframes they stay where they are
    double until = end_of_time;  ///< s
};

/// A closed mesh that the object's particles carry; surfaces are made of it. It has no effect on the
/// simulation.
struct SkinSettings {
    std::string mesh = "shape";  ///< OBJ, PLY or STL, placed like the shape; or the object's own shape
    std::string texture = {};    ///< a picture; empty: none
    std::shared_ptr<const TriangleMesh> content = {};  ///< of the file; null until it is loaded

    bool of_shape() const { return mesh == "shape"; }
};

/// A shape filled with particles of one material.
struct Object {
    std::string name = {};
    std::string material = {};  ///< key in the scene's materials
    Phase phase = Phase::liquid;
    double temperature = 20;          ///< °C
    Vec3d velocity{0, 0, 0};          ///< m/s
    Vec3d angular_velocity{0, 0, 0};  ///< rad/s about the shape's centre
    Lattice lattice = Lattice::cubic;
    Rotation orientation{};  ///< of the lattice within the shape
    double jitter = 0;       ///< largest random displacement of a particle at the start, in spacings
    Shape shape = Box{};
    std::vector<HeldRegion> held = {};
    double release = 0;  ///< s; until then all of it stays where it is
    std::optional<SkinSettings> skin = {};
};

}  // namespace thixo
