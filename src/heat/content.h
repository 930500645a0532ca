#pragma once

#include <algorithm>
#include <vector>

#include "particles/material.h"
#include "particles/table.h"

namespace thixo {

/// Temperature and latent heat that belong to a content of heat.
struct HeatContent {
    double temperature;  ///< T, °C
    double latent;       ///< λ, J/kg
};

/// Thermal constants of one material. The state of its matter is its heat content
///
///     h = c T + λ   (J/kg, zero at 0 °C),
///
/// where λ is the latent heat taken up so far: 0 below the freezing point, L above the melting point, in
/// proportion to T between them. Where both are the same point, T stays there while λ goes from 0 to L.
/// Temperature and λ are functions of h, so heat can be added in any portions, and comes out again the same
/// way.
struct HeatConstants {
    double c = 4186;                   ///< J/(kg K)
    double k = 0;                      ///< W/(m K)
    double freezing = 0, melting = 0;  ///< °C
    double latent = 0;                 ///< L, J/kg; 0 for what does not melt

    HeatConstants() = default;
    explicit HeatConstants(const Material& material)
        : c(material.heat.specific_heat),
          k(material.heat.diffusivity > 0 ? material.heat.diffusivity * material.density * c
                                          : material.heat.conductivity) {
        if (!material.heat.melting_point) return;
        melting = *material.heat.melting_point;
        freezing = material.heat.freezing_point.value_or(melting);
        latent = material.heat.latent_heat;
    }

    /// λ of matter that was made at a temperature. At the one point of a material whose points coincide, its
    /// phase is.
    double latent_at(double temperature, Phase phase) const {
        if (temperature < freezing) return 0;
        if (temperature > melting) return latent;
        if (freezing < melting) return latent * (temperature - freezing) / (melting - freezing);
        return phase == Phase::liquid ? latent : 0;
    }

    HeatContent split(double h) const {
        if (h <= c * freezing) return {h / c, 0};
        if (h >= c * melting + latent) return {(h - latent) / c, latent};
        const double fraction = (h - c * freezing) / change();
        return {freezing + fraction * (melting - freezing), fraction * latent};
    }

    /// ∂T/∂h, kg K/J: zero while it melts at one temperature.
    double warming(double h) const {
        const bool between = h > c * freezing && h < c * melting + latent;
        return between ? (melting - freezing) / change() : 1 / c;
    }

private:
    double change() const { return c * (melting - freezing) + latent; }  ///< from freezing to melting, J/kg
};

/// The heat of rows. It is kept in three floats, so that what a step adds is not lost in the rounding of a
/// temperature.
struct HeatColumns {
    View<const HeatConstants> constants;
    View<const std::uint16_t> material;
    View<float> temperature, latent, low;

    double operator[](Index i) const {
        return constants[material[i]].c * temperature[i] + latent[i] + low[i];
    }
    void set(Index i, double h) const {
        const HeatContent content = constants[material[i]].split(h);
        temperature[i] = static_cast<float>(content.temperature);
        latent[i] = static_cast<float>(content.latent);
        low[i] = static_cast<float>(h - constants[material[i]].c * temperature[i] - latent[i]);
    }
};

inline std::vector<HeatConstants> heat_constants(const std::vector<Material>& materials) {
    return {materials.begin(), materials.end()};
}

inline HeatColumns heat_columns(View<const HeatConstants> constants, ParticleTable& particles) {
    return {constants, particles.material, particles.temperature, particles.latent, particles.heat_low};
}

}  // namespace thixo
