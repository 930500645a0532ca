#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "thixo/adapt/settings.h"
#include "thixo/collide/obstacle.h"
#include "thixo/core/vec.h"
#include "thixo/elastic/settings.h"
#include "thixo/fluid/contact_angle.h"
#include "thixo/fluid/settings.h"
#include "thixo/heat/sources.h"
#include "thixo/particles/emitter.h"
#include "thixo/particles/grab.h"
#include "thixo/particles/material.h"
#include "thixo/particles/object.h"
#include "thixo/particles/sink.h"
#include "thixo/sim/force_field.h"
#include "thixo/sim/probe.h"
#include "thixo/sph/kernel_name.h"

namespace thixo {

struct ParticleSettings {
    double spacing = 0.01;  ///< m, distance between neighbouring particles at rest
    double support = 2;     ///< kernel support radius in spacings
};

enum class TimeStepMethod { global, individual };

/// What `solver.preset` chooses: methods, tolerances and with them the length of steps.
enum class SolverPreset { accurate, fast };

struct SolverSettings : FluidMethods, ElasticMethods {
    SolverPreset preset = SolverPreset::accurate;
    KernelName kernel = KernelName::cubic_spline;
    TimeStepMethod time_step = TimeStepMethod::global;
    double time_step_scale = 1;  ///< multiplies the automatic time step; above 1 at one's own risk
};

/// What does not change during a run; the particle table is what does.
struct Model {
    int dimensions = 3;
    std::uint64_t seed = 1;
    Vec3d gravity{0, -9.81, 0};  ///< m/s²
    ParticleSettings particles = {};
    SolverSettings solver = {};
    AdaptivitySettings adaptivity = {};
    std::vector<Material> materials = {};
    std::vector<ContactAngle> contact_angles = {};
    std::vector<Object> objects = {};
    std::vector<Obstacle> obstacles = {};
    std::vector<Emitter> emitters = {};
    std::vector<Sink> sinks = {};
    std::vector<Heater> heaters = {};
    Ambient ambient = {};
    std::vector<Pause> pauses = {};
    std::vector<Grab> grabs = {};
    std::vector<ForceField> force_fields = {};
    std::vector<Probe> probes = {};
};

}  // namespace thixo
