#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "repository.h"
#include "scene/load.h"
#include "unit/core/temporary_folder.h"

namespace thixo::test {

/// What the InputError says, or empty if there is none.
template <class Body>
std::string message_of(const Body& body) {
    try {
        body();
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

inline std::string parse_message(std::string_view text, const std::vector<std::string>& overrides = {}) {
    return message_of([&] { parse_scene(text, "x.json", overrides); });
}

/// Uses every top-level key.
inline constexpr std::string_view full_scene = R"(// A dam break.
{
  "$schema": "../schema.json",
  "name": "dam break", "dimensions": 3, "duration": 2.5, "frame_rate": 24, "seed": 18446744073709551615,
  "gravity": [0, -9.81],  /* z is 0 */
  "particles": { "spacing": 0.05, "support": 2.5 },
  "solver": { "pressure": "state_equation", "kernel": "cubic_spline", "time_step_scale": 0.5 },
  "materials": {
    "water": { "density": 998.2, "liquid": { "sound_speed": 25, "viscosity": 1e-3 } },
    "a.b \"ö\"": { "density": 800, "heat": { "specific_heat": 2000 } }
  },
  "objects": [
    { "name": "dam", "material": "water", "temperature": 12.5, "lattice": "closest",
      "shape": { "box": { "min": [0, 0, 0], "max": [0.5, 1, 0.5] } } },
    { "material": "a.b \"ö\"", "velocity": [0, -1, 0], "angular_velocity": [0, 0, 2],
      "shape": { "sphere": { "center": [1, 1, 0.25], "radius": 0.2 } } }
  ],
  "obstacles": [
    { "name": "tank", "inside": true, "friction": 0.1, "shape": { "box": { "min": [0, 0, 0], "max": [2, 2, 0.5] } } },
    { "restitution": 0.5, "shape": { "plane": { "point": [0, 0.1, 0], "normal": [0.1, 1, 0] } } }
  ],
  "output": { "particles": ["vtu", "ply"], "checkpoint_every": 10 }
}
)";

}  // namespace thixo::test
