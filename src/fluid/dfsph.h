#pragma once

#include <vector>

#include "fluid/pressure_solver.h"

namespace thixo {

/// How impulses act on each other in the lattice at rest.
struct DfsphLattice {
    float eigenvalue;  ///< λ, the largest of the system over its diagonal
    float pull;        ///< τ (1/m), the most that neighbours can do in one direction
};

/// Divergence-free SPH, Bender & Koschier 2015: pressure impulses J (Pa s) that leave no compression behind, found by
/// Jacobi iteration in the volume form of `Fluid`, for particles of one size or of several. An impulse changes velocities by
///
///     Δvᵢ = −(Jᵢ gᵢ + Σⱼ V⁰ⱼ Jⱼ ∇Wᵢⱼ)/ρ₀ᵢ,   gᵢ = Σⱼ V⁰ⱼ ∇Wᵢⱼ + ∇γᵢ
///
/// and velocities change the compression at the rate
///
///     dsᵢ/dt = vᵢ·gᵢ − Σⱼ V⁰ⱼ vⱼ·∇Wᵢⱼ − Σₖ vₖ·∇γₖ      (k: walls)
///
/// The two are each other's transpose, so that impulses do no work but what they take from compression. J ≥ 0: fluid pushes
/// and does not pull.
class Dfsph : public PressureSolver {
public:
    Dfsph(const DfsphSettings& settings, const Discretisation& discretisation,
          const std::vector<FluidConstants>& constants);

    /// Density, gᵢ and the diagonal of the system, for the positions as they are.
    void compute_density(const Device& device, const FluidState& state) override;

    /// Those of elastic bodies alone, by which they feel walls and each other.
    bool compute_pressure(const Device& device, ParticleTable& particles,
                          View<Packed4> velocity_pressure) override;

    /// Takes away the rate of compression of the velocities as they are. Steps that something else than the flow cuts shorter are solved
    /// more exactly.
    bool solve_divergence(const Device& device, const FluidState& state, double last_step,
                          const FlowStep& flow_step) override;

    /// Changes the velocities so that in `flow_step` a fifth of the compression goes and none comes.
    bool solve_density(const Device& device, const FluidState& state, double dt, const FlowStep& flow_step,
                       View<float> wall_push) override;

    bool follows_density(Phase phase) const override { return phase == Phase::elastic; }
    /// It looks ahead, and stands twice what others do.
    double courant() const override { return 0.2; }
    /// Velocities end with the step, as the positions do.
    double kick(double, double dt) const override { return dt; }
    void limit_time_step(const Device& device, const ParticleTable& particles, double support,
                         TimeStepLimit& limit) const override;
    std::size_t bytes() const override;

    /// Iterations of the last step.
    int density_iterations() const { return density_iterations_; }
    int divergence_iterations() const { return divergence_iterations_; }

private:
    /// What the iterations are for.
    struct Goal {
        float surface = 0;  ///< where the sum is below this, particles are still free to gather
        float closing = 0;  ///< how fast what is loose may close up, 1/s
        float easing = 0;   ///< fraction of a compression to be taken away, 1/s
        double error = 0;   ///< mean rate of compression that may be left, 1/s
        int at_least = 1;   ///< iterations

        /// Rate (1/s) at which the compression s shall fall; negative: may grow.
        float correction(float s) const;
    };

    void pack(const Device& device, const FluidState& state);
    void apply(const Device& device, const FluidState& state, View<const float> target);
    int iterate(const Device& device, const FluidState& state, const Goal& goal);

    DfsphSettings settings_;
    std::vector<FluidConstants> constants_;
    DfsphLattice lattice_;
    bool mixed_density_ = false;
    int density_iterations_ = 0, divergence_iterations_ = 0;
    std::vector<Packed4> gradient_;       ///< gᵢ; w: Jacobi's step α that converges
    std::vector<Packed4> records_;        ///< two a row: x and V⁰ times the change of J; V⁰ v
    std::vector<float> rest_density_;     ///< of each row and the padding; where materials differ in it
    std::vector<float> impulse_;          ///< J
    std::vector<float> applied_, ahead_;  ///< J that the velocities have felt, and where momentum leads
};

}  // namespace thixo
