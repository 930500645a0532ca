#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "adapt/settings.h"
#include "collide/obstacle.h"
#include "core/mat3.h"
#include "core/vec.h"
#include "elastic/settings.h"
#include "fluid/settings.h"
#include "heat/sources.h"
#include "particles/emitter.h"
#include "particles/grab.h"
#include "particles/hold.h"
#include "particles/material.h"
#include "particles/sink.h"
#include "sph/discretisation.h"

namespace thixo {

struct ParticleSettings {
    double spacing = 0.01;  ///< m, distance between neighbouring particles at rest
    double support = 2;     ///< kernel support radius in spacings
};

enum class TimeStepMethod { global, individual };

struct SolverSettings : FluidMethods, ElasticMethods {
    KernelName kernel = KernelName::cubic_spline;
    TimeStepMethod time_step = TimeStepMethod::global;
    double time_step_scale = 1;  ///< multiplies the automatic time step; above 1 at one's own risk
};

/// What does not change during a run; the particle table is what does.
struct Model {
    int dimensions = 3;
    std::uint64_t seed = 1;
    Vec3d gravity{0, -9.81, 0};  ///< m/s²
    ParticleSettings particles;
    SolverSettings solver;
    AdaptivitySettings adaptivity;
    std::vector<Material> materials;
    std::vector<Obstacle> obstacles;
    std::vector<Emitter> emitters;
    std::vector<Sink> sinks;
    std::vector<Heater> heaters;
    Ambient ambient;
    std::vector<Pause> pauses;
    std::vector<Grab> grabs;
    std::vector<Hold> holds;  ///< of all objects, then of the pauses, then of the grabs
    std::vector<Mat3d>
        lattice_frames;  ///< of each object's lattice at the start; upright for those behind the last
};

/// What all sums over pairs depend on.
inline Discretisation discretisation_of(const Model& model) {
    return {model.solver.kernel, model.particles.support * model.particles.spacing, model.dimensions,
            model.particles.spacing};
}

/// The number of a material that is there; that it is has been checked before.
std::uint16_t material_index(const Model& model, const std::string& name);

}  // namespace thixo
