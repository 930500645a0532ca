#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "thixo/geometry/surface_settings.h"
#include "thixo/io/particle_format.h"
#include "thixo/sim/model.h"

namespace thixo {

/// What the colours of pictures show: how matter looks, or an attribute of the particles.
enum class Colouring {
    look,
    speed,
    temperature,
    density,
    pressure,
    phase,
    material,
    object,
    body,
    radius,
    mass,
    rim,
    x,
    y,
    z
};

/// What `thixo render` shows where its options do not say. It has no effect on the simulation.
struct PictureOutput {
    std::optional<Colouring> colour_by =
        {};  ///< none: looks in 3D; in 2D temperature where it varies, or speed
    std::optional<double> min =
        {};  ///< lower end of the colours, in the unit of the attribute; none: from all frames
    std::optional<double> max = {};  ///< upper end, likewise
};

struct OutputSettings {
    std::vector<ParticleFormat> particles{ParticleFormat::ply};
    std::optional<SurfaceOutput> surface = {};  ///< none: no surfaces are made while the run goes on
    PictureOutput picture = {};
    int checkpoint_every = 0;  ///< frames between checkpoints that are kept; 0 keeps the newest only
};

/// How a resolved scene came about: `scene.json` in the folder of a run has it. It changes nothing.
struct Provenance {
    std::string program = {};   ///< "thixo 0.1.0"
    std::string commit = {};    ///< "a8f7011c0f2d"
    std::string compiler = {};  ///< "GNU 12.2.0, x86-64-v3"
    std::string command = {};   ///< as it was typed
    std::string date = {};      ///< UTC: "2026-11-18T02:13:54Z"
};

/// Content of a scene file.
struct Scene {
    std::string name = {};
    double duration = 5;     ///< s
    double frame_rate = 30;  ///< frames per simulated second
    Model model = {};        ///< dimensions, seed, gravity, particles, solver, materials, obstacles
    Scale scale = {};        ///< of all materials, walls, heaters and the air
    OutputSettings output = {};
    std::optional<Provenance> provenance = {};
    /// Hashes of the meshes and images that it refers to, by path, as they were when it was loaded.
    std::map<std::string, std::uint64_t> files = {};
};

/// Frames a run writes after the first one at t = 0.
inline int frame_count(const Scene& scene) {
    return static_cast<int>(std::lround(scene.duration * scene.frame_rate));
}

}  // namespace thixo
