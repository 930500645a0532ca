#include <algorithm>
#include <limits>

#include "fluid/fluid.h"

namespace thixo {

namespace {

/// p = c² (ρ − ρ₀)   [DC99, eq. 1], [SSP07, eq. 9]
struct StateEquation {
    float operator()(const FluidConstants& c, float s) const {
        return c.sound_speed2 * c.rest_density * (s - 1);
    }
};

/// p = ρ₀c²/7 ((ρ/ρ₀)⁷ − 1), the weakly compressible fluid of [BIT09]
struct Tait {
    float operator()(const FluidConstants& c, float s) const {
        const float s2 = s * s;
        return c.sound_speed2 * c.rest_density * (s2 * s2 * s2 * s - 1) / 7;
    }
};

/// The pressure of each row, not below `lowest`, packed with its velocity for the pair loop. Where liquids are solved for, their
/// pressure stays as it is, and out of the loop; rigid bodies, which meet nobody else by pressure, have none then.
template <class Law>
struct Pressure {
    Law law;
    float lowest;
    bool elastic_only;
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const Phase> phase;
    View<const float> rho;
    View<const Vec3f> v;
    View<float> p;
    View<Packed4> velocity_pressure;

    void operator()(Index i) const {
        if (elastic_only && phase[i] != Phase::elastic) {
            velocity_pressure[i] = {v[i].x, v[i].y, v[i].z, 0};
            return;
        }
        const FluidConstants& c = constants[material[i]];
        const float s = rho[i] / c.rest_density;
        p[i] = std::max(lowest, law(c, s));
        velocity_pressure[i] = {v[i].x, v[i].y, v[i].z, p[i] / (s * s)};
    }
};

}  // namespace

void Fluid::compute_pressure(const Device& device, ParticleTable& particles) {
    const Index n = particles.size();
    // Only where liquids are solved for it matters who else has a pressure.
    solids_ =
        !incompressible() || reduce_max(device, n, 0, [phase = View<const Phase>(particles.phase)](Index i) {
                                 return phase[i] == Phase::liquid ? 0 : 1;
                             }) > 0;
    velocity_pressure_.resize(n + 1);
    velocity_pressure_[n] = {};
    // Where neighbours are missing, at a free surface, the sum falls below the rest density, and tension would pull
    // particles into clumps.
    const float lowest = methods_.tension ? -std::numeric_limits<float>::infinity() : 0.f;
    const auto apply = [&](auto law) {
        launch(device, n,
               Pressure{law, lowest, incompressible(), View<const FluidConstants>(constants_),
                        View<const std::uint16_t>(particles.material), View<const Phase>(particles.phase),
                        View<const float>(particles.density), View<const Vec3f>(particles.velocity),
                        View(particles.pressure), View(velocity_pressure_)});
    };
    methods_.pressure == PressureMethod::tait ? apply(Tait{}) : apply(StateEquation{});
}

}  // namespace thixo
