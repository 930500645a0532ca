#pragma once

#include <cstdint>

#include "core/view.h"

namespace thixo {

/// Constants of one material as pair loops read them.
struct FluidConstants {
    float rest_density;  ///< ρ₀, kg/m³
    float sound_speed2;  ///< c², m²/s²
    float
        friction;  ///< of a pair the mean: μ (Pa s) for `laplacian` and `implicit`, η c ρ₀ h for `artificial`
};

/// Friction of each row: that of its material, or what its temperature makes of it.
struct RowFriction {
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const float> rows;  ///< empty while the materials' constants apply

    float operator()(Index i) const { return rows.empty() ? constants[material[i]].friction : rows[i]; }
};

}  // namespace thixo
