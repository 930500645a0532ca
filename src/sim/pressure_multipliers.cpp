#include "sim/pressure_multipliers.h"

#include <algorithm>
#include <cmath>

#include "fluid/pressure_methods.h"

namespace thixo {

namespace {

/// The soft law has its largest P, ρ₀c²/4, at s = 2; below this fraction it rises steeply enough to part
/// particles.
constexpr float largest_fraction = 0.2f;

}  // namespace

/// p(s)/s² = P by Newton's method with the slope at s = 1; s − 1 is some percent, and so is what a step
/// leaves of the error.
float PressureMultipliers::compression_at(const FluidConstants& c, float pressure) const {
    float s = 1;
    for (int k = 0; k < 8; ++k) {
        const float p = entry_of(law_).law(c, s);
        s = std::clamp(s - (p / (s * s) - pressure) / (c.rest_density * c.sound_speed2), 1.f, 1.5f);
    }
    return s;
}

void PressureMultipliers::start(const Device& device, const ParticleTable& particles) {
    multipliers_.resize(particles.size());
    launch(device, particles.size(),
           [run = run_, material = View<const std::uint16_t>(particles.material),
            id = View<const std::uint32_t>(particles.id), rho = View<const float>(particles.density),
            p = View<const float>(particles.pressure), out = View(multipliers_)](Index i) {
               const float s = rho[i] / run[material[i]].rest_density;
               out[id[i]] = {s, p[i] / (s * s)};
           });
}

/// (s − 1)/s² = q = P/(ρ₀c²) has the solution (1 − √(1 − 4q))/(2q).
void PressureMultipliers::soften(const Device& device, ParticleTable& particles) const {
    launch(device, particles.size(),
           [soft = soft_, run = run_, material = View<const std::uint16_t>(particles.material),
            id = View<const std::uint32_t>(particles.id), from = View<const Multiplier>(multipliers_),
            rho = View(particles.density)](Index i) {
               const FluidConstants& c = soft[material[i]];
               const Multiplier& at = from[id[i]];
               const float s = rho[i] / c.rest_density,
                           q = std::clamp(at.pressure / (c.rest_density * c.sound_speed2) + s - at.s, 0.f,
                                          largest_fraction);
               rho[i] = c.rest_density * (q > 1e-6f ? (1 - std::sqrt(1 - 4 * q)) / (2 * q) : 1 + q);
           });
}

float PressureMultipliers::update(const Device& device, const ParticleTable& particles) {
    return reduce_max(
        device, particles.size(), 0.f,
        [this, material = View<const std::uint16_t>(particles.material),
         id = View<const std::uint32_t>(particles.id), rho = View<const float>(particles.density),
         p = View<const float>(particles.pressure), out = View(multipliers_)](Index i) {
            const FluidConstants& soft = soft_[material[i]];
            const float stiffness = soft.rest_density * soft.sound_speed2,
                        apparent = rho[i] / soft.rest_density, pressure = p[i] / (apparent * apparent);
            Multiplier& at = out[id[i]];
            const float s = at.s + (pressure - at.pressure) / stiffness;
            at = {compression_at(run_[material[i]], pressure), pressure};
            return pressure > 0 ? std::abs(s - at.s) : 0.f;
        });
}

void PressureMultipliers::recall(const ParticleTable& particles, Index row, float& density,
                                 float& pressure) const {
    const Multiplier& at = multipliers_[particles.id[row]];
    density = run_[particles.material[row]].rest_density * at.s;
    pressure = at.pressure * at.s * at.s;
}

}  // namespace thixo
