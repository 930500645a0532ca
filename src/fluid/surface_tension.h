#pragma once

#include <vector>

#include "fluid/fluid_state.h"

namespace thixo {

/// Surface tension as a force on the surface (continuum surface force, Brackbill et al. 1992; Morris 2000):
///
///     ρ₀ aᵢ = σ kᵢ λ n̄ᵢ,   nᵢ = Σⱼ V⁰ⱼ ∇Wᵢⱼ + ∇γᵢ
///
/// with sums over neighbours of the same material: n is zero inside and points inwards at a surface. Walls,
/// and solids with a contact angle, complete the sum as if they were liquid; where the liquid ends on the
/// latter, n is turned to the angle (`impose`). Against other solids the liquid has a surface. A surface of
/// particles is rough on the scale of the kernel, and forces that follow the roughness tear it apart; so n̄
/// is n smoothed over some spacings. λ is such that the layers of a flat surface of the lattice at rest add
/// up to σ k per area. The curvature is the slope of N = n̄/|n̄| along the surface by least squares over the
/// outermost particles,
///
///     kᵢ = (d−1) Σⱼ wᵢⱼ (Nᵢ − Nⱼ)·yᵢⱼ / Σⱼ wᵢⱼ yᵢⱼ²,   wᵢⱼ = max(0, nⱼ·Nⱼ) V⁰ⱼ Wᵢⱼ,   y = (I − NᵢNᵢᵀ)(xⱼ − xᵢ),
///
/// which a half-empty neighbourhood does not bias, smoothed as well. Between two materials each pulls its own
/// surface tight: their tensions add up. The forces of one surface add up to nothing but for the error of the
/// curvature.
class SurfaceTension {
public:
    /// What liquids wet; empty where no pair has a contact angle.
    struct Contacts {
        View<const Wetting> wetting = {};
        float gamma_at_rest = 1;
    };

    explicit SurfaceTension(const Discretisation& discretisation);

    /// Adds accelerations. `tension` is σ/ρ₀ of each material (N m²/kg).
    void add(const Device& device, const FluidState& state, View<const float> tension,
             const Contacts& contacts, View<Vec3f> acceleration);

    /// What the last call gave to row i.
    Vec3f acceleration(Index i, float tension) const;

    /// Area of the surface per volume (1/m) in row i: λ |n̄|.
    float area(Index i) const { return scale_ * smooth_[i].w; }

    /// Pressure of the air on surfaces, where there are contact angles, in σ (1/m).
    float air() const;

    std::size_t bytes() const;

private:
    int dimensions_;
    double spacing_;
    float scale_;                                     ///< λ
    std::vector<float> group_;                        ///< number of each row's material
    std::vector<Vec3f> rough_;                        ///< n
    std::vector<Packed4> smooth_, other_;             ///< n̄ while it is smoothed; then N, |n̄|
    std::vector<float> outermost_;                    ///< max(0, n·N): large where no neighbour is above
    std::vector<float> curvature_, other_curvature_;  ///< k, 1/m
};

}  // namespace thixo
