#pragma once

#include <vector>

#include "fluid/dfsph_iterations.h"
#include "fluid/pressure_solver.h"

namespace thixo {

/// How impulses act on each other in the lattice at rest.
struct DfsphLattice {
    float eigenvalue;  ///< λ, the largest of the system over its diagonal
    float pull;        ///< τ (1/m), the most that neighbours can do in one direction
};

/// Divergence-free SPH, Bender & Koschier 2015: pressure impulses J (Pa s) that leave no compression behind,
/// found by a coarse correction (coarse_pressure.h) and Jacobi iteration in the volume form of `Fluid`, for
/// particles of one size or of several. An impulse changes velocities by
///
///     Δvᵢ = −(Jᵢ gᵢ + Σⱼ V⁰ⱼ Jⱼ ∇Wᵢⱼ)/ρ₀ᵢ,   gᵢ = Σⱼ V⁰ⱼ ∇Wᵢⱼ + ∇γᵢ
///
/// and velocities change the compression at the rate
///
///     dsᵢ/dt = vᵢ·gᵢ − Σⱼ V⁰ⱼ vⱼ·∇Wᵢⱼ − Σₖ vₖ·∇γₖ      (k: walls)
///
/// The two are each other's transpose, so that impulses do no work but what they take from compression. J ≥
/// 0: fluid pushes and does not pull.
///
/// The contact pressure of elastic solids is part of the same system, but soft: it follows p = ρ₀c² (s − 1)
/// with the s at the end of the step, J/Δt = ρ₀c² (s + Δt ds/dt − 1), so that their rows have the excess
/// ds/dt + (s − 1)/Δt − J/(ρ₀c²Δt²). Implicit in time, it is stable for any step; and where a row's sum
/// consists of a few far neighbours, whose small gradients would require arbitrary impulses, the law bounds
/// them.
class Dfsph : public PressureSolver {
public:
    Dfsph(const DfsphSettings& settings, const Discretisation& discretisation,
          const std::vector<FluidConstants>& constants);

    /// Density, gᵢ and the diagonal of the system, for the positions as they are.
    void compute_density(const Device& device, const FluidState& state) override;

    /// None acts through forces: pressures are those of the last solve.
    bool compute_pressure(const Device& device, ParticleTable& particles,
                          View<Packed4> velocity_pressure) override;

    /// Takes away the rate of compression of the velocities as they are. Steps that something else than the
    /// flow cuts shorter are solved more exactly.
    bool solve_divergence(const Device& device, const FluidState& state, double last_step,
                          const FlowStep& flow_step) override;

    /// Changes the velocities so that in `flow_step` a fifth of the compression goes and none comes.
    bool solve_density(const Device& device, const FluidState& state, double dt, const FlowStep& flow_step,
                       View<float> wall_push) override;

    bool follows_density(Phase) const override { return false; }
    /// It looks ahead, and stands twice what others do.
    double courant() const override { return 0.2; }
    bool looks_ahead() const override { return settings_.long_steps; }
    /// Velocities end with the step, as the positions do.
    double kick(double, double dt) const override { return dt; }
    void limit_time_step(const Device& device, const ParticleTable& particles, double support, bool loose,
                         TimeStepLimit& limit) const override;
    std::size_t bytes() const override;

    /// Iterations of the last step.
    int density_iterations() const { return density_iterations_; }
    int divergence_iterations() const { return divergence_iterations_; }

private:
    DfsphIterations iterations_;
    DfsphSettings settings_;
    std::vector<FluidConstants> constants_;
    int dimensions_;
    DfsphLattice lattice_;
    bool mixed_density_ = false;
    int density_iterations_ = 0, divergence_iterations_ = 0;
    std::vector<float> rest_density_;  ///< of each row and the padding; where materials differ in it
};

}  // namespace thixo
