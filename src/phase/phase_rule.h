#pragma once

#include <algorithm>
#include <limits>

#include "particles/material.h"
#include "particles/table.h"

namespace thixo {

/// The phase of one material as a function of its temperature [SSP07, fig. 5]: liquid above the melting point, elastic at full
/// stiffness or rigid below the freezing point, and between them elastic, the softer the warmer. If both points are the same, a
/// particle keeps its phase there until it has taken up all of the latent heat, or given off all of it.
struct PhaseRule {
    bool changes = false;             ///< false: the phase never changes
    float freezing = 0, melting = 0;  ///< °C
    float latent = 0;                 ///< J/kg
    Phase cold = Phase::elastic;      ///< below the freezing point

    PhaseRule() = default;
    explicit PhaseRule(const Material& material) {
        if (!material.heat.melting_point) return;
        changes = true;
        melting = static_cast<float>(*material.heat.melting_point);
        freezing = static_cast<float>(material.heat.freezing_point.value_or(*material.heat.melting_point));
        latent = static_cast<float>(material.heat.latent_heat);
        cold = material.solid.cold == ColdState::rigid ? Phase::rigid : Phase::elastic;
    }

    /// Temperatures between which matter of a phase certainly keeps it. Nearly all of it is there.
    struct Range {
        float low, high;
        bool holds(float temperature) const { return temperature > low && temperature < high; }
    };
    Range safe(Phase now) const {
        constexpr float far = std::numeric_limits<float>::infinity();
        if (!changes) return {-far, far};
        return now == Phase::liquid ? Range{melting, far} : Range{-far, now == cold ? freezing : -far};
    }

    /// The phase that matter takes at a temperature, with the latent heat it took up so far (J/kg).
    Phase next(Phase now, float temperature, float taken_up) const {
        if (!changes) return now;
        if (temperature < freezing) return cold;
        if (temperature > melting) return Phase::liquid;
        if (freezing < melting) return temperature < melting ? Phase::elastic : Phase::liquid;
        if (taken_up >= latent && latent > 0) return Phase::liquid;
        if (taken_up <= 0 && latent > 0) return cold;
        return now;
    }

    /// Whether its stiffness ever differs from that of the cold solid.
    bool softens() const { return changes && freezing < melting; }

    /// Young's modulus in that of the cold solid: (T_m − T)/(T_m − T_f) between the points. A thousandth stays, so that a body
    /// that is about to melt still has an inner order.
    float stiffness(float temperature) const {
        if (!softens()) return 1;
        return std::clamp((melting - temperature) / (melting - freezing), 1e-3f, 1.f);
    }
};

}  // namespace thixo
