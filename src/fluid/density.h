#pragma once

#include "fluid/constants.h"
#include "sph/half_space.h"
#include "sph/pairs.h"

namespace thixo {

/// ρᵢ = ρ₀ (Σⱼ V⁰ⱼ Wᵢⱼ + γᵢ), self included.
template <class Pairs>
struct Density {
    Pairs pairs;
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const WallTerm> walls;
    View<float> rho;

    template <class Width>
    THIXO_HOST_DEVICE void operator()(const Width& width, Index i) const {
        typename Width::Real sums{};
        pairs.for_each(width, i, [&](const auto& pair) { sums += pair.volume * pair.value(); });
        const float s = width.sum(sums), self = pairs.self(i).w * pairs.row(i).self();
        if (width.writes()) rho[i] = constants[material[i]].rest_density * (self + s + walls[i].share);
    }
};

}  // namespace thixo
