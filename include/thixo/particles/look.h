#pragma once

#include <optional>

#include "thixo/core/vec.h"

namespace thixo {

/// What matter looks like in pictures. `automatic` follows from the names and constants of a material.
enum class LookPreset {
    automatic,
    water,
    tea,
    ice,
    glass,
    jelly,
    wax,
    chocolate,
    clay,
    rubber,
    metal,
    stone,
    lava,
};

/// A preset and what is changed of it. It has no effect on the simulation.
struct LookSettings {
    LookPreset preset = LookPreset::automatic;
    std::optional<Vec3d> colour = {};             ///< sRGB, 0 to 1
    std::optional<double> roughness = {};         ///< 0: polished, 1: dull
    std::optional<double> refractive_index = {};  ///< of what is clear, and of the gloss of what is not
    std::optional<double> depth =
        {};  ///< m; clear matter is coloured, and cloudy matter lit, through this much of it
    std::optional<double> glow = {};  ///< factor on the black body radiation
};

/// Of a material: in both phases, or different ones.
struct MaterialLook {
    LookSettings both = {};
    std::optional<LookSettings> liquid = {};
    std::optional<LookSettings> solid = {};
};

}  // namespace thixo
