#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "core/file_hash.h"
#include "geometry/surface_settings.h"
#include "io/particle_formats.h"
#include "particles/object.h"
#include "sim/model.h"

namespace thixo {

struct OutputSettings {
    std::vector<ParticleFormat> particles{ParticleFormat::ply};
    std::optional<SurfaceOutput> surface;  ///< none: no surfaces are made while the run goes on
    int checkpoint_every = 0;  ///< frames between checkpoints that are kept; 0 keeps the newest only
};

/// Content of a scene file.
struct Scene {
    std::string name;
    double duration = 5;     ///< s
    double frame_rate = 30;  ///< frames per simulated second
    Model model;             ///< dimensions, seed, gravity, particles, solver, materials, obstacles
    std::vector<Object> objects;
    OutputSettings output;
    FileHashes files;  ///< the meshes and images that it refers to, as they were when it was loaded
};

/// Frames a run writes after the first one at t = 0.
inline int frame_count(const Scene& scene) {
    return static_cast<int>(std::lround(scene.duration * scene.frame_rate));
}

}  // namespace thixo
