#pragma once

#include "physics/tank.h"

namespace thixo {

inline Material rubber(double young_modulus, double density = 1000, double poisson_ratio = 0.3) {
    Material out{.name = "rubber", .density = density};
    out.solid.young_modulus = young_modulus;
    out.solid.poisson_ratio = poisson_ratio;
    return out;
}

inline Object elastic(Shape shape) {
    return {.name = "body", .material = "rubber", .phase = Phase::elastic, .shape = std::move(shape)};
}

/// A bar along x from 0 to `length` whose cross-section is `across` particles wide in every direction,
/// resting.
inline Box bar(double spacing, int along, int across) {
    const double half = 0.5 * across * spacing;
    return {{0, -half, -half}, {along * spacing, half, half}};
}

/// Strain and hourglass energy and kinetic energy together, J. Velocities are half a step behind: good for
/// its drift.
inline double mechanical_energy(const Simulation& sim) {
    double kinetic = 0;
    for (Index i = 0; i < sim.particles().size(); ++i)
        kinetic += 0.5 * sim.particles().mass[i] * norm2(to_double(sim.particles().velocity[i]));
    return kinetic + sim.elastic().energy(sim.device());
}

}  // namespace thixo
