#pragma once

#include <string>

#include "core/launch.h"
#include "core/time_step.h"
#include "scene/scene.h"

namespace thixo {

/// What a run will take, estimated from a coarse copy of the scene that is run for a few seconds.
struct Forecast {
    double steps = 0;       ///< of the whole duration, at the scene's own spacing
    double cost = 0;        ///< s, of a step and a particle, in the mean of what was run
    double early_cost = 0;  ///< s, the same in the first steps
    double particles = 0;   ///< in the mean, at the scene's own spacing
    double covered = 0;     ///< s of the duration that the copy was run for
    double coarsening = 1;  ///< spacing of the copy over that of the scene
    std::string limit;      ///< what limits the step for most of the time
    bool diverged = false;

    double seconds() const { return steps * particles * cost; }
};

/// What is known of the scene itself.
struct Population {
    double particles = 0;  ///< at the start
    double emitted = 0;    ///< by the end
    TimeStepLimit first;   ///< of the first step
};

/// Runs a copy of at most some thousand particles until it ends or `budget` seconds are over.
Forecast forecast(const Scene& scene, const Device& device, const Population& population, double budget);

}  // namespace thixo
