#pragma once

#include "particles/material.h"

namespace thixo {

/// Thermal expansion of a liquid, by Boussinesq: the density differs from ρ₀ in its weight alone,
///
///     ρ g = ρ₀ (1 − β (T − T₀)) g
///
/// so that mass and volume of a particle stay what they are.
struct ThermalExpansion {
    double rate = 0;       ///< β, 1/K
    double reference = 0;  ///< T₀, °C

    explicit ThermalExpansion(const HeatSettings& heat)
        : rate(heat.expansion), reference(heat.reference_temperature) {}

    /// Weight at the temperature t (°C), in that at T₀.
    double weight(double t) const { return 1 - rate * (t - reference); }
};

}  // namespace thixo
