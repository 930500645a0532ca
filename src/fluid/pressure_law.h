#pragma once

#include "core/real.h"
#include "fluid/constants.h"

namespace thixo {

// Pressures as functions of the compression s = ρ/ρ₀.

/// p = c² (ρ − ρ₀)   [DC99, eq. 1], [SSP07, eq. 9]
struct StateEquation {
    THIXO_HOST_DEVICE float operator()(const FluidConstants& c, float s) const {
        return c.sound_speed2 * c.rest_density * (s - 1);
    }
};

/// p = ρ₀c²/7 ((ρ/ρ₀)⁷ − 1), the weakly compressible fluid of [BIT09]
struct Tait {
    THIXO_HOST_DEVICE float operator()(const FluidConstants& c, float s) const {
        const float s2 = s * s;
        return c.sound_speed2 * c.rest_density * (s2 * s2 * s2 * s - 1) / 7;
    }
};

}  // namespace thixo
