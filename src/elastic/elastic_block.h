#pragma once

#include "core/mat3.h"
#include "core/quaternion.h"
#include "core/simd.h"

namespace thixo {

template <class T>
void set_lane(Sym3<Lanes>& to, Index l, const Mat3<T>& a) {
    const auto number = [](T value) { return static_cast<float>(value); };
    to.xx[l] = number(a.x.x);
    to.yy[l] = number(a.y.y);
    to.zz[l] = number(a.z.z);
    to.xy[l] = number(a.x.y);
    to.xz[l] = number(a.x.z);
    to.yz[l] = number(a.y.z);
}

/// What is precomputed for the neighbourhoods of eight elastic indices, side by side. Entries behind the last
/// index are zero.
///
///     Sᵢ = I + Rᵢᵀ Σⱼ V̄ⱼ wᵢⱼ (xⱼᵢ − Rᵢ Xⱼᵢ) Xⱼᵢᵀ Lᵢ,   Mᵢ = Σⱼ V̄ⱼ wᵢⱼ Xⱼᵢ Xⱼᵢᵀ
///
/// is the deformation gradient turned back, of displacements ū = Rᵀx − X.
struct ElasticBlock {
    Lanes inverse_volume;     ///< 1/V̄, m⁻³
    Lanes lambda, mu;         ///< Lamé's constants of a neighbourhood of its rank, Pa
    Lanes kappa;              ///< stiffness of deformations that the strain does not see, Pa
    Lanes damping;            ///< τ, s
    Sym3<Lanes> correction;   ///< L
    Sym3<Lanes> rest;         ///< M L: the sums of the undeformed state
    Sym3<Lanes> fit;          ///< M⁺
    Sym3<Lanes> span;         ///< M M⁺: projects on the directions in which there are neighbours
    LaneMask corrected;       ///< L = M⁺, and it has a rotation
    LaneMask turned;          ///< it has a rotation
    LaneMask turned_by_mass;  ///< its rotation is that of the mass moment
    LaneMask green;           ///< Green's strain instead of the linear one
};

/// Plastic strain and its limits of eight elastic indices.
struct PlasticBlock {
    Sym3<Lanes> strain;                  ///< ε_p, in the undeformed frame
    Lanes elastic_limit, plastic_limit;  ///< γ₁, γ₂; infinite where there is none
    Lanes relaxed;  ///< fraction of the elastic strain of shear that becomes plastic next
    Lanes bulk;     ///< 1/d, or 0 where the whole strain counts as shear: of layers and rods
    Lanes hourglass = Lanes{} + 1.f;  ///< fraction of κ that has become stiff again, see `stiffen_hourglass`
};

/// How the forces of eight elastic indices change by small displacements: what the linear model does not
/// know.
struct Tangent {
    Quaternion<Lanes> rotation{{}, Lanes{} + 1.f};             ///< of the neighbourhood
    Lanes stiffness = Lanes{} + 1.f, damping = Lanes{} + 1.f;  ///< in those of the undeformed state
};

/// What a particle exerts on its reference neighbours: one cache line, all that the second pass reads of a
/// neighbour.
struct alignas(64) Exerted {
    Packed4 position;  ///< high part of its position; w: κ
    Packed4 q[3];      ///< rows of Q; w: low part of its position
};

}  // namespace thixo
