#pragma once

#include <algorithm>

#include "physics/bodies.h"

namespace thixo {

/// How much of a particle lies on the positive side of a plane that its center is `spacings` from.
inline double part_beyond(double spacings) { return std::clamp(spacings + 0.5, 0.0, 1.0); }

/// Level of the water beside a body in a tank, by weight: the mass above `bottom`, 2.5 spacings and more
/// beside the body, over its area. The highest particles do not show it: the outermost layer of a liquid
/// sinks a little into the next one, and not every column of particles ends with one of that layer. Sides of
/// the tank are `half` from its axis.
inline double water_level(const ParticleTable& p, const Model& model, const Census& body, double half,
                          double bottom) {
    const double l = model.particles.spacing;
    const bool flat = model.dimensions == 2;
    const double x0 = std::max(-half, body.low.x - 2.5 * l), x1 = std::min(half, body.high.x + 2.5 * l);
    const double z0 = std::max(-half, body.low.z - 2.5 * l), z1 = std::min(half, body.high.z + 2.5 * l);
    double volume = 0;
    for (Index i = 0; i < p.size(); ++i) {
        if (p.phase[i] != Phase::liquid) continue;
        const Vec3d x = to_double(p.position[i]);
        const double away =
            std::max({x0 - x.x, x.x - x1, flat ? x0 - x.x : z0 - x.z, flat ? x0 - x.x : x.z - z1});
        volume +=
            p.mass[i] / model.materials[0].density * part_beyond((x.y - bottom) / l) * part_beyond(away / l);
    }
    const double area = flat ? 2 * half - (x1 - x0) : 4 * half * half - (x1 - x0) * (z1 - z0);
    return bottom + volume / area;
}

}  // namespace thixo
