#pragma once

#include "core/launch.h"
#include "lattice/lattice_points.h"
#include "lattice/lattice_sites.h"

namespace thixo {

/// What the deformation of neighbourhoods is found from.
struct MatchInputs {
    LatticePoints points;
    int dimensions;
    double spacing;                          ///< m
    View<const PointMoments> moments;        ///< of all sets of lattice points
    View<const LatticeConstants> constants;  ///< of each material
    bool damped;                             ///< some material
    const LatticeSites& sites;
    View<const std::uint32_t> docked;  ///< the particle at each lattice point, in whole lanes
    View<const Packed4> x, v;          ///< of the sites
};

/// Aᵢ = Σ xⱼᵢ lᵀ (Σ l lᵀ)⁻¹ [WHP06, eq. 4] and Rᵢ = polar(Σ xⱼᵢ lᵀ) of every site, and where some material is
/// damped the rigid motion of its neighbourhood. R of `blocks` is where the search starts.
void match_neighbourhoods(const Device& device, const MatchInputs& in, std::vector<SiteBlock>& blocks,
                          std::vector<SiteMotion>& motion);

}  // namespace thixo
