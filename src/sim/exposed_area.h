#pragma once

#include <vector>

#include "core/launch.h"
#include "particles/table.h"
#include "sph/discretisation.h"
#include "sph/neighbour_lists.h"

namespace thixo {

/// q(u) = uᵀ M u of a symmetric matrix.
struct QuadraticForm {
    Vec3f diagonal{}, rest{};  ///< M_xx M_yy M_zz, M_yz M_zx M_xy

    float operator()(const Vec3f& u) const {
        return diagonal.x * u.x * u.x + diagonal.y * u.y * u.y + diagonal.z * u.z * u.z +
               2 * (rest.x * u.y * u.z + rest.y * u.z * u.x + rest.z * u.x * u.y);
    }
};

/// The free surface that each particle stands for.
struct ExposedAreas {
    std::vector<Vec3f> area;  ///< out of the matter, m² (2D: m, per metre of depth)
    std::vector<float>
        alone;  ///< 1 for a drop of one particle, 0 for what has neighbours: it faces all directions
    /// (m²)², of layers and threads of single particles: √q(u) is what they turn to a wind along the unit
    /// vector u, from either side
    std::vector<QuadraticForm> thin;
};

/// With the neighbours' volumes V and the kernel W,
///
///     χᵢ = Σⱼ Vⱼ Wᵢⱼ,   aᵢ = −2 Σⱼ Vⱼ ∇Wᵢⱼ,   sᵢ = Σⱼ Vⱼ Wᵢⱼ aⱼ/χⱼ,   Aᵢ = Vᵢ w(|sᵢ| H) sᵢ.
///
/// ∫ |∇χ| dV over a smoothed step χ from 1 to 0 is the area of the step; particles lie on its inner half,
/// from 1 to ½, hence 2. Smoothing moves area between neighbours and keeps its sum (Σᵢ Vᵢ Wᵢⱼ = χⱼ). It is
/// there because particles of a liquid are in disorder: within it |a| is some 0.1/ℓ instead of 0, in changing
/// directions, and what faces the wind would be counted all through the volume, more the finer it is.
/// Smoothed, these cancel to 0.013/ℓ in the median, against 0.8/ℓ at the surface; w rises from 0 at 0.1 to 1
/// at 0.3 and leaves out the rest.
///
/// A sheet or rod of one layer has neighbours on both sides of each particle, and a = 0. It is recognised by
/// where they lie, rᵢⱼ = xᵢ − xⱼ,
///
///     Cᵢ = Σⱼ Vⱼ Wᵢⱼ r rᵀ / Σⱼ Vⱼ Wᵢⱼ r²,   eigenvalues ½ ½ 0 in a sheet, 1 0 0 in a rod, ⅓ ⅓ ⅓ in matter and at its flat surfaces.
///
/// 27 det C is 0 in layers, 0.3 in the corner of a block, 0.9 in two layers on each other. The adjugate of C
/// is λ₁λ₂ n nᵀ in a sheet with the normal n, which turns (V/ℓ) |n·u| to the wind; a rod turns (V/ℓ) √(1 −
/// uᵀCu). In 2D a line is what a sheet is in 3D.
ExposedAreas exposed_areas(const Device& device, const Discretisation& discretisation,
                           const ParticleTable& particles, const std::vector<float>& rest_density,
                           const Neighbours& all);

}  // namespace thixo
