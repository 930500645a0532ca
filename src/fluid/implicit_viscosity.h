#pragma once

#include <vector>

#include "fluid/constants.h"
#include "fluid/fluid_state.h"

namespace thixo {

/// Viscosity by backward Euler, for honey and lava: stable for any time step, for particles of one size or of
/// several.
///
///     m v − Δt F(v) = m v*,   Fᵢ = 2(d+2) V⁰ᵢ Σⱼ V⁰ⱼ μᵢⱼ (vᵢⱼ·xᵢⱼ)/(xᵢⱼ² + h²/100) ∇Wᵢⱼ + V⁰ᵢ μᵢ Σₖ Dₖ (vₖ − vᵢ)
///
/// Forces between particles are central (Monaghan 2005, as Weiler et al. 2018 solve for): what turns as a
/// rigid body feels nothing, and a thread of honey can coil, where the Laplacian [SSP07, eq. 8] holds it back
/// at its surface. The matrix is symmetric and positive definite: conjugate gradients with a diagonal
/// preconditioner.
class ImplicitViscosity {
public:
    ImplicitViscosity(double tolerance, const Discretisation& discretisation);

    /// Replaces the velocities v* by v. `wall_friction` multiplies the friction beside walls that fluid
    /// sticks to.
    void solve(const Device& device, const FluidState& state, const RowFriction& friction,
               float wall_friction, double dt);

    int iterations() const { return iterations_; }  ///< of the last step
    std::size_t bytes() const;

private:
    double tolerance_;
    int dimensions_;
    float softening_;  ///< h²/100 for particles of the model's size, m²
    int iterations_ = 0;
    std::vector<Packed4> search_;  ///< direction of search; w: inverse of the diagonal
    std::vector<Vec3f> residual_, product_;
    std::vector<float> friction_;  ///< μ of each row
};

}  // namespace thixo
