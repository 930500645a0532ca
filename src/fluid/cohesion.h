#pragma once

#include "core/simd.h"

namespace thixo {

/// Surface tension by attraction between neighbours of the same material, Akinci, Akinci & Teschner 2013:
///
///     Fᵢⱼ = −K V⁰ᵢ V⁰ⱼ C(r/H) x̂ᵢⱼ,   C(q) = 64 · { q³(1−q)³        for q > ½
///                                              { 2q³(1−q)³ − 1/64  else
///
/// Forces are central and equal, so that momentum and angular momentum are kept.
///
/// There the strength is a number without a unit. Here it follows from the surface tension σ: cutting matter along
/// a plane breaks the pairs across it and makes two surfaces, so 2σ is the work of cutting the lattice at rest,
///
///     2σ = ½ n Σᵥ ⟨|vₓ|⟩ B(|v|),   B(r) = ∫ᵣᴴ F dr,
///
/// over all lattice vectors v, n being particles per volume and ⟨|vₓ|⟩ the mean over all directions of the cut: |v|/2 in
/// 3D, 2|v|/π in 2D.
class Cohesion {
public:
    Cohesion(double support, int dimensions, double spacing);

    /// C(r/H)/r
    template <class T>
    T over_distance(T r) const {
        const T q = smaller(r * inverse_, spread<T>(1.f));
        const T u = q * (1.f - q), cube = 64.f * u * u * u;
        return (q > 0.5f ? cube : 2.f * cube - 1.f) / larger(r, spread<T>(1e-9f / inverse_));
    }

    /// K for a material of this surface tension (N/m), whose particles stand for V⁰.
    double strength(double surface_tension, double rest_volume) const {
        return surface_tension / (tension_ * rest_volume * rest_volume);
    }

private:
    float inverse_;   ///< 1/H
    double tension_;  ///< σ for K V⁰² = 1
};

}  // namespace thixo
