#pragma once

#include <vector>

#include "core/launch.h"
#include "particles/table.h"
#include "sph/discretisation.h"
#include "sph/neighbour_lists.h"

namespace thixo {

/// The free surface that each particle stands for.
struct ExposedAreas {
    std::vector<Vec3f> area;  ///< out of the matter, m² (2D: m, per metre of depth)
    std::vector<float>
        alone;  ///< 1 for a drop of one particle, 0 for what has neighbours: it faces all directions
};

/// With the neighbours' volumes V and the kernel W,
///
///     χᵢ = Σⱼ Vⱼ Wᵢⱼ,   aᵢ = −2 Σⱼ Vⱼ ∇Wᵢⱼ,   sᵢ = Σⱼ Vⱼ Wᵢⱼ aⱼ/χⱼ,   Aᵢ = Vᵢ w(|sᵢ| H) sᵢ.
///
/// ∫ |∇χ| dV over a smoothed step χ from 1 to 0 is the area of the step; particles lie on its inner half, from 1 to ½, hence 2. Smoothing
/// moves area between neighbours and keeps its sum (Σᵢ Vᵢ Wᵢⱼ = χⱼ). It is there because particles of a liquid are in disorder: within it |a| is some
/// 0.1/ℓ instead of 0, in changing directions, and what faces the wind would be counted all through the volume, more the finer it is.
/// Smoothed, these cancel to 0.013/ℓ in the median, against 0.8/ℓ at the surface; w rises from 0 at 0.1 to 1 at 0.3 and leaves out the rest.
ExposedAreas exposed_areas(const Device& device, const Discretisation& discretisation,
                           const ParticleTable& particles, const std::vector<float>& rest_density,
                           const Neighbours& all);

}  // namespace thixo
