#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/random.h"
#include "core/vec.h"
#include "particles/material.h"
#include "particles/table.h"
#include "sph/neighbours.h"

namespace thixo {

/// The solid neighbours of a particle.
struct SolidNeighbours {
    int count = 0;
    float slip = 0;  ///< |v − v̄|, m/s: speed relative to their mean velocity; 0 without any
};

/// The solid neighbours within `reach` (m) of a row.
inline SolidNeighbours solid_neighbours(const ParticleTable& particles, const Neighbours& neighbours,
                                        Index row, float reach) {
    SolidNeighbours out;
    Vec3f mean{};
    for (const Index j : neighbours.of(row)) {
        if (particles.phase[j] == Phase::liquid) continue;
        if (!(norm2(particles.position[j] - particles.position[row]) < reach * reach)) continue;
        ++out.count;
        mean += particles.velocity[j];
    }
    if (out.count > 0) out.slip = norm(particles.velocity[row] - mean / static_cast<float>(out.count));
    return out;
}

/// Rates of melting and freezing, where phase changes are stochastic [WHP06, eq. 15, 16]:
///
///     λ_melt = κ_m max(0, T − T_m),   λ_freeze = κ_f max(0, T_f − T) n̂/(1 + |v − v̄|/u)   (1/s)
///
/// n̂ = max(0, n − n₀) counts solid neighbours beyond n₀, and is at least 1 where n₀ = 0: then liquids freeze without any. A
/// change happens within Δt with the probability 1 − exp(−λ Δt): the expected number does not depend on the time step.
struct PhaseChance {
    bool acts = false;                          ///< false: the phase follows the temperature at once
    float freezing = 0, melting = 0;            ///< T_f, T_m, °C
    float melting_rate = 0, freezing_rate = 0;  ///< κ_m, κ_f, 1/(s K)
    int neighbours = 0;                         ///< n₀
    float speed = 0;                            ///< u, m/s; 0: motion has no influence

    PhaseChance() = default;
    explicit PhaseChance(const Material& material) {
        const HeatSettings& heat = material.heat;
        if (!heat.melting_point || heat.transition != PhaseTransition::stochastic) return;
        acts = true;
        melting = static_cast<float>(*heat.melting_point);
        freezing = static_cast<float>(heat.freezing_point.value_or(*heat.melting_point));
        melting_rate = static_cast<float>(heat.melting_rate);
        freezing_rate = static_cast<float>(heat.freezing_rate);
        neighbours = heat.freezing_neighbours;
        speed = static_cast<float>(heat.freezing_speed);
    }

    /// 1/s, at a temperature in °C.
    float rate_of_melting(float temperature) const {
        return melting_rate * std::max(0.f, temperature - melting);
    }
    float rate_of_freezing(float temperature, const SolidNeighbours& solids) const {
        const int beyond = std::max(solids.count - neighbours, neighbours == 0 ? 1 : 0);
        const float slowed_by = speed > 0 ? 1 + solids.slip / speed : 1.f;
        return freezing_rate * std::max(0.f, freezing - temperature) * static_cast<float>(beyond) / slowed_by;
    }
};

/// Whether something that happens at a rate (1/s) happens to a particle in a step of dt seconds.
inline bool changes_phase(float rate, double dt, std::uint64_t seed, std::uint32_t id, std::uint64_t step) {
    const float draw = to_unit(random_words(seed, id, step, Purpose::phase_change)[0]);
    return draw < -std::expm1(-double{rate} * dt);
}

}  // namespace thixo
