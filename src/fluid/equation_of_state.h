#pragma once

#include <algorithm>

#include "fluid/pressure_law.h"
#include "fluid/pressure_solver.h"

namespace thixo {

/// The pressure of each row, not below `lowest`, packed with its velocity for the pair loop.
template <class Law>
struct Pressure {
    Law law;
    float lowest;
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const float> rho;
    View<const Vec3f> v;
    View<float> p;
    View<Packed4> velocity_pressure;

    void operator()(Index i) const {
        const FluidConstants& c = constants[material[i]];
        const float s = rho[i] / c.rest_density;
        p[i] = std::max(lowest, law(c, s));
        velocity_pressure[i] = {v[i].x, v[i].y, v[i].z, p[i] / (s * s)};
    }
};

template <class Law>
void apply_law(const Device& device, Law law, float lowest, View<const FluidConstants> constants,
               ParticleTable& particles, View<Packed4> velocity_pressure) {
    launch(device, particles.size(),
           Pressure<Law>{law, lowest, constants, View<const std::uint16_t>(particles.material),
                         View<const float>(particles.density), View<const Vec3f>(particles.velocity),
                         View(particles.pressure), velocity_pressure});
}

}  // namespace thixo
