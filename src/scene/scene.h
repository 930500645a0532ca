#pragma once

#include <string>
#include <vector>

#include "particles/object.h"
#include "sim/model.h"

namespace thixo {

enum class ParticleFormat { ply, vtu, bgeo };

struct OutputSettings {
    std::vector<ParticleFormat> particles{ParticleFormat::ply};
    int checkpoint_every = 0;  ///< frames between checkpoints that are kept; 0 keeps the newest only
};

/// A scene file, understood.
struct Scene {
    std::string name;
    double duration = 5;     ///< s
    double frame_rate = 30;  ///< frames per simulated second
    Model model;             ///< dimensions, seed, gravity, particles, solver, materials, obstacles
    std::vector<Object> objects;
    OutputSettings output;
};

}  // namespace thixo
