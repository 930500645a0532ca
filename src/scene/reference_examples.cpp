#include "scene/reference.h"

namespace thixo {

namespace {

// The names that examples refer to are those of the scene that the test puts them into: the objects `pool`
// (of `water`), `die` (rigid, of `wood`) and `gel` (elastic, of `jelly`), the obstacle `tank`.
constexpr ReferenceExample sections[] = {
    {"particles", R"("particles": { "spacing": 0.01 })"},
    {"solver", R"("solver": { "pressure": "dfsph", "viscosity": "implicit" })"},
    {"solver.dfsph", R"("solver": { "pressure": "dfsph", "dfsph": { "density_error": 0.001 } })"},
    {"adaptivity", R"("solver": { "density": "continuity" }, "adaptivity": { "coarsest": 3 })"},
    {"materials.NAME", R"("materials": {
  "water": { "density": 998, "liquid": { "sound_speed": 30, "viscosity": 0.05 } },
  "candle": { "like": "wax", "heat": { "melting_point": 55 } }
})"},
    {"materials.NAME.liquid",
     R"("materials": { "oil": { "density": 911, "liquid": { "sound_speed": 20, "viscosity": 0.08, "surface_tension": 0.032 } } })"},
    {"materials.NAME.liquid.viscosity_table.N",
     R"("materials": { "syrup": { "density": 1400, "liquid": { "viscosity_table": [
  { "temperature": 20, "viscosity": 15 },
  { "temperature": 60, "viscosity": 0.4 }
] } } })"},
    {"materials.NAME.solid",
     R"("materials": { "jelly": { "density": 1020, "solid": { "model": "corotated", "young_modulus": 5000, "poisson_ratio": 0.4 } } })"},
    {"materials.NAME.heat", R"("materials": { "butter": { "density": 910,
  "heat": { "specific_heat": 2500, "conductivity": 0.2, "latent_heat": 60000, "melting_point": 32 } } })"},
    {"materials.NAME.look",
     R"("materials": { "paint": { "density": 1200, "look": { "preset": "rubber", "colour": [0.8, 0.1, 0.1] } } })"},
    {"materials.NAME.look.liquid",
     R"("materials": { "candy": { "density": 1400, "look": { "preset": "glass", "liquid": { "preset": "tea" } } } })"},
    {"contact_angles.N",
     R"("materials": { "water": { "density": 998, "liquid": { "surface_tension": 0.073 } } },
"contact_angles": [ { "liquid": "water", "solid": "tank", "angle": 60 } ])"},
    {"scale", R"("scale": { "heat": 100, "stiffness": 0.01 })"},
    {"objects.N", R"("objects": [
  { "name": "ball", "material": "rubber", "velocity": [2, 0, 0], "shape": { "sphere": { "center": [0, 0.3, 0], "radius": 0.05 } } },
  { "name": "pond", "material": "water", "shape": { "fill": { "inside": "tank", "level": 0.2 } } }
])"},
    {"objects.N.held.N", R"("objects": [
  { "name": "bar", "material": "jelly", "shape": { "box": { "min": [0, 0.2, 0], "max": [0.3, 0.25, 0.05] } },
    "held": [ { "region": { "box": { "min": [-1, 0, -1], "max": [0.03, 1, 1] } }, "until": 2 } ] }
])"},
    {"objects.N.held.N.motion", R"("obstacles": [
  { "name": "paddle", "shape": { "box": { "min": [-0.1, 0, -0.01], "max": [0.1, 0.1, 0.01] } },
    "motion": { "pivot": [0, 0.05, 0], "interpolation": "smooth",
                "keyframes": [ { "time": 0 }, { "time": 2, "rotate": [0, 360, 0] } ] } }
])"},
    {"objects.N.held.N.motion.keyframes.N", R"("obstacles": [
  { "name": "piston", "shape": { "box": { "min": [-0.1, 0, -0.1], "max": [-0.05, 0.3, 0.1] } },
    "motion": { "keyframes": [ { "time": 0.5 }, { "time": 1, "translate": [0.1, 0, 0] } ] } }
])"},
    {"objects.N.skin", R"("objects": [
  { "name": "dice", "material": "wood", "phase": "rigid", "skin": "shape",
    "shape": { "box": { "min": [0, 0.3, 0], "max": [0.1, 0.4, 0.1] } } }
])"},
    {"obstacles.N", R"("obstacles": [
  { "name": "basin", "shape": { "box": { "min": [-0.2, 0, -0.2], "max": [0.2, 0.5, 0.2] } }, "inside": true },
  { "name": "plate", "shape": { "plane": { "normal": [0, 1, 0] } }, "temperature": 150, "friction": 0.5 }
])"},
    {"obstacles.N.animation", R"("obstacles": [
  { "name": "wing", "shape": { "mesh": { "file": "wing_0001.obj" } },
    "animation": { "last_file": "wing_0003.obj", "frame_rate": 24, "repeat": true } }
])"},
    {"emitters.N", R"("emitters": [
  { "material": "water", "position": [0, 0.4, 0], "direction": [0, -1, 0], "speed": 1.5, "stop": 3,
    "opening": { "disc": { "radius": 0.03 } } }
])"},
    {"sinks.N", R"("sinks": [ { "shape": { "box": { "min": [-1, -1, -1], "max": [1, -0.5, 1] } } } ])"},
    {"heaters.N", R"("heaters": [
  { "name": "lamp", "region": { "sphere": { "center": [0, 0.2, 0], "radius": 0.1 } }, "temperature": 300 }
])"},
    {"pauses.N", R"("pauses": [ { "objects": ["die"], "start": 0, "stop": 1 } ])"},
    {"grabs.N", R"("grabs": [
  { "name": "hand", "region": { "sphere": { "center": [-0.1, 0.25, 0], "radius": 0.1 } }, "objects": ["die"], "stop": 1,
    "motion": { "keyframes": [ { "time": 0 }, { "time": 1, "translate": [0, 0.2, 0] } ] } }
])"},
    {"force_fields.N",
     R"("force_fields": [ { "kind": "wind", "velocity": [8, 0, 0] }, { "kind": "point", "center": [0, 0.5, 0], "strength": 20 } ])"},
    {"force_fields.N.keyframes.N", R"("force_fields": [
  { "kind": "vortex", "strength": 30, "keyframes": [ { "time": 0, "factor": 0 }, { "time": 2, "factor": 1 } ] }
])"},
    {"probes.N", R"("probes": [
  { "name": "gauge", "kind": "level", "at": [0, 0, 0] },
  { "name": "load", "kind": "force", "of": "tank" },
  { "name": "die", "kind": "body", "of": "die" }
])"},
    {"ambient", R"("ambient": { "temperature": 25, "heat_transfer": 10 })"},
    {"output", R"("output": { "particles": ["ply", "vtu"], "checkpoint_every": 50 })"},
    {"output.surface",
     R"("output": { "surface": { "method": "anisotropic", "smooth": 10, "by": "material" } })"},
    {"output.picture", R"("output": { "picture": { "colour_by": "temperature", "min": 20, "max": 90 } })"},
    {"provenance", R"("provenance": { "program": "thixo 0.1.0", "command": "thixo run scene.json" })"},
};

constexpr ReferenceExample shapes[] = {
    {"box", R"({ "box": { "min": [0, 0, 0], "max": [0.2, 0.1, 0.2] } })"},
    {"sphere", R"({ "sphere": { "center": [0, 0.3, 0], "radius": 0.1 } })"},
    {"plane", R"({ "plane": { "point": [0, 0, 0], "normal": [0.2, 1, 0] } })"},
    {"ellipsoid", R"({ "ellipsoid": { "center": [0, 0.3, 0], "radii": [0.2, 0.1, 0.1] } })"},
    {"cylinder", R"({ "cylinder": { "from": [0, 0, 0], "to": [0, 0.3, 0], "radius": 0.1 } })"},
    {"capsule", R"({ "capsule": { "from": [-0.1, 0.1, 0], "to": [0.1, 0.1, 0], "radius": 0.05 } })"},
    {"torus",
     R"({ "torus": { "center": [0, 0.1, 0], "axis": [0, 1, 0], "major_radius": 0.2, "minor_radius": 0.05 } })"},
    {"union", R"({ "union": { "shapes": [
  { "sphere": { "center": [0, 0.1, 0], "radius": 0.1 } },
  { "sphere": { "center": [0, 0.25, 0], "radius": 0.07 } }
] } })"},
    {"difference", R"({ "difference": { "shapes": [
  { "cylinder": { "from": [0, 0, 0], "to": [0, 0.3, 0], "radius": 0.12 } },
  { "cylinder": { "from": [0, 0.03, 0], "to": [0, 0.4, 0], "radius": 0.09 } }
] } })"},
    {"intersection", R"({ "intersection": { "shapes": [
  { "sphere": { "center": [0, 0, 0], "radius": 0.2 } },
  { "box": { "min": [-0.2, -0.2, -0.2], "max": [0.2, 0, 0.2] } }
] } })"},
    {"smooth_union", R"({ "smooth_union": { "blend": 0.05, "shapes": [
  { "sphere": { "center": [-0.08, 0.1, 0], "radius": 0.1 } },
  { "sphere": { "center": [0.08, 0.1, 0], "radius": 0.1 } }
] } })"},
    {"bunny", R"({ "bunny": { "height": 0.2 }, "translate": [0, 0.1, 0] })"},
    {"duck", R"({ "duck": { "height": 0.2 } })"},
    {"mesh", R"({ "mesh": { "file": "wing_0001.obj" }, "scale": 0.5 })"},
    {"height_field",
     R"json({ "height_field": { "min": [-1, 0, -1], "max": [1, 0.3, 1], "formula": "0.1 + 0.1*sin(4*x)*cos(3*z)" } })json"},
    {"fill", R"({ "fill": { "inside": "tank", "level": 0.2 } })"},
    {"rectangle", R"({ "rectangle": { "width": 0.5, "depth": 0.3 }, "translate": [0, 0.4, 0] })"},
    {"disc", R"({ "disc": { "radius": 0.2 }, "translate": [0, 0.4, 0] })"},
    {"sombrero", R"({ "sombrero": { "size": 0.5, "height": 0.1, "waves": 3 }, "translate": [0, 0.4, 0] })"},
    {"height_sheet",
     R"json({ "height_sheet": { "min": [-0.2, 0.3, -0.2], "max": [0.2, 0.5, 0.2], "formula": "0.4 + 0.05*sin(10*x)" } })json"},
    {"mesh_surface", R"({ "mesh_surface": { "file": "wing_0001.obj" } })"},
    {"curve", R"({ "curve": { "points": [[0, 0.5, 0], [0.1, 0.4, 0], [0.2, 0.5, 0]], "smooth": true } })"},
    {"helix", R"({ "helix": { "radius": 0.1, "pitch": 0.05, "turns": 4 }, "translate": [0, 0.2, 0] })"},
};

constexpr ReferenceExample openings[] = {
    {"disc", R"({ "disc": { "radius": 0.03 } })"},
    {"rectangle", R"({ "rectangle": { "width": 0.1, "height": 0.04 } })"},
};

}  // namespace

std::span<const ReferenceExample> scene_examples() { return sections; }
std::span<const ReferenceExample> shape_examples() { return shapes; }
std::span<const ReferenceExample> opening_examples() { return openings; }

}  // namespace thixo
