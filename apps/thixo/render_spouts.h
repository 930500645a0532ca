#pragma once

#include "particles/emitter.h"
#include "render/scene.h"

namespace thixo {

/// What matter comes out of, as it is drawn while the emitter is open.
struct Spout {
    RenderObstacle obstacle;
    double start = 0, stop = 0;  ///< s

    bool is_open(double time) const { return time >= start && time <= stop; }
};

/// A tube around the opening, with a wall behind it. The gap of half a spacing is what surfaces reach beyond
/// the centres of particles.
Spout spout_around(const Emitter& emitter, double spacing, int dimensions);

}  // namespace thixo
