#include <algorithm>

#include "fluid/fluid.h"

namespace thixo {

namespace {

/// pᵢ = max(0, c² (ρᵢ − ρ₀))   [DC99, eq. 1]
struct StateEquation {
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const float> rho;
    View<const Vec3f> v;
    View<float> p;
    View<Packed4> velocity_pressure;

    void operator()(Index i) const {
        const FluidConstants& c = constants[material[i]];
        p[i] = std::max(0.f, c.sound_speed2 * (rho[i] - c.rest_density));
        const float s = rho[i] / c.rest_density;
        velocity_pressure[i] = {v[i].x, v[i].y, v[i].z, p[i] / (s * s)};
    }
};

}  // namespace

void Fluid::compute_pressure(const Device& device, ParticleTable& particles) {
    const Index n = particles.size();
    velocity_pressure_.resize(n + 1);
    velocity_pressure_[n] = {};
    launch(device, n,
           StateEquation{constants_, particles.material, particles.density, particles.velocity,
                         particles.pressure, View(velocity_pressure_)});
    if (!mixed_viscosity_) return;
    viscosity_.resize(n + 1);
    launch(device, n,
           [=, constants = View<const FluidConstants>(constants_),
            material = View<const std::uint16_t>(particles.material),
            out = View(viscosity_)](Index i) { out[i] = constants[material[i]].viscosity; });
}

}  // namespace thixo
