#pragma once

#include <algorithm>
#include <limits>

#include "particles/material.h"
#include "particles/table.h"

namespace thixo {

/// Which phase matter of one material is in [SSP07, fig. 5]: liquid above the melting point, elastic at full stiffness or rigid below
/// the freezing point, and between them elastic, the softer the warmer. Where both are the same point there is no between: what
/// takes up latent heat there keeps the phase it has until it has all of it, or none.
struct PhaseRule {
    bool changes = false;             ///< false: it stays what it is
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

    /// Temperatures between which matter of a phase keeps it for sure. Nearly all of it is there.
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
