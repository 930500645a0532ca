#pragma once

#include <string_view>

#include "particles/material.h"

namespace thixo {

/// What V̄, the volume of a particle in sums over its body, is.
enum class BodyVolume {
    cell,    ///< the space that it fills on its lattice
    density  ///< m / Σⱼ mⱼ W(Xⱼᵢ)   [SSP07, eq. 11]
};

/// How a link is weighed, wᵢⱼ: the same from both ends.
enum class LinkWeight {
    slope,  ///< −W'(X)/X, as in SPH gradients
    value   ///< W(X), between two particles whose models both say so
};

/// Which matrix has the rotation R of a neighbourhood for its polar factor.
enum class RotationSource {
    none,        ///< R = I
    gradient,    ///< the fitted gradient A M⁺
    mass_moment  ///< Σⱼ mⱼ W(Xⱼᵢ) xⱼᵢ Xⱼᵢᵀ   [BIT09, eq. 9]
};

/// What L, the correction of the sums, is.
enum class SumCorrection {
    none,        ///< I
    first_order  ///< M⁺: sums are exact for every linear field
};

/// What an elastic model fills in of the two passes that all of them are (`ElasticBodies`):
///
///     Sᵢ = I + Rᵢᵀ Σⱼ V̄ⱼ wᵢⱼ (xⱼᵢ − Rᵢ Xⱼᵢ) Xⱼᵢᵀ Lᵢ,   Mᵢ = Σⱼ V̄ⱼ wᵢⱼ Xⱼᵢ Xⱼᵢᵀ
///
/// Each is a type in a file of its own, which `elastic_models.h` lists; it is chosen once for each material,
/// where bodies are built.
struct ElasticModel {
    SolidModel model;
    std::string_view name, help;  ///< in scene files
    BodyVolume volume;
    LinkWeight weight;
    SumCorrection correction;
    RotationSource rotation;
    bool green_strain;  ///< ½ (SᵀS − I), whatever the material says

    constexpr bool corrects() const { return correction == SumCorrection::first_order; }
    constexpr bool turns() const { return rotation != RotationSource::none; }
    constexpr bool turns_by_mass() const { return rotation == RotationSource::mass_moment; }
    constexpr bool uses_green_strain(StrainMeasure strain) const {
        return green_strain || strain == StrainMeasure::green;
    }
};

}  // namespace thixo
