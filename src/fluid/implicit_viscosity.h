#pragma once

#include <vector>

#include "fluid/fluid.h"

namespace thixo {

/// Viscosity by backward Euler, for honey and lava: no time step is too long for it.
///
///     m v − Δt F(v) = m v*,   Fᵢ = 2(d+2) V⁰ᵢ Σⱼ V⁰ⱼ μᵢⱼ (vᵢⱼ·xᵢⱼ)/(xᵢⱼ² + h²/100) ∇Wᵢⱼ + V⁰ᵢ μᵢ Σₖ Dₖ (vₖ − vᵢ)
///
/// Forces between particles are central (Monaghan 2005, as Weiler et al. 2018 solve for): what turns as a rigid body feels
/// nothing, and a thread of honey can coil, where the Laplacian [SSP07, eq. 8] holds it back at its surface. The matrix is symmetric
/// and positive definite: conjugate gradients with a diagonal preconditioner.
class ImplicitViscosity {
public:
    ImplicitViscosity(double tolerance, KernelName kernel, double support, int dimensions);

    /// Replaces the velocities v* by v.
    void solve(const Device& device, const FluidState& state, const Fluid& fluid, double dt);

    int iterations() const { return iterations_; }  ///< of the last step
    std::size_t bytes() const;

private:
    double tolerance_;
    KernelName kernel_;
    double support_;
    int dimensions_;
    int iterations_ = 0;
    std::vector<Packed4> search_;  ///< direction of search; w: inverse of the diagonal
    std::vector<Vec3f> residual_, product_;
    std::vector<float> friction_;  ///< μ of each row
};

}  // namespace thixo
