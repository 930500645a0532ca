#pragma once

#include <vector>

#include "fluid/coarse_pressure.h"
#include "fluid/pressure_solver.h"

namespace thixo {

/// How impulses act on each other in the lattice at rest.
struct DfsphLattice {
    float eigenvalue;  ///< λ, the largest of the system over its diagonal
    float pull;        ///< τ (1/m), the most that neighbours can do in one direction
};

/// Divergence-free SPH, Bender & Koschier 2015: pressure impulses J (Pa s) that leave no compression behind, found by
/// a coarse correction (coarse_pressure.h) and Jacobi iteration in the volume form of `Fluid`, for particles of one size or of several. An impulse
/// changes velocities by
///
///     Δvᵢ = −(Jᵢ gᵢ + Σⱼ V⁰ⱼ Jⱼ ∇Wᵢⱼ)/ρ₀ᵢ,   gᵢ = Σⱼ V⁰ⱼ ∇Wᵢⱼ + ∇γᵢ
///
/// and velocities change the compression at the rate
///
///     dsᵢ/dt = vᵢ·gᵢ − Σⱼ V⁰ⱼ vⱼ·∇Wᵢⱼ − Σₖ vₖ·∇γₖ      (k: walls)
///
/// The two are each other's transpose, so that impulses do no work but what they take from compression. J ≥ 0: fluid pushes
/// and does not pull.
///
/// The contact pressure of elastic solids is part of the same system, but soft: it follows p = ρ₀c² (s − 1) with the s at the end of the
/// step, J/Δt = ρ₀c² (s + Δt ds/dt − 1), so that their rows have the excess ds/dt + (s − 1)/Δt − J/(ρ₀c²Δt²). Implicit in time, it is
/// stable for any step; and where a row's sum consists of a few far neighbours, whose small gradients would require arbitrary impulses,
/// the law bounds them.
class Dfsph : public PressureSolver {
public:
    Dfsph(const DfsphSettings& settings, const Discretisation& discretisation,
          const std::vector<FluidConstants>& constants);

    /// Density, gᵢ and the diagonal of the system, for the positions as they are.
    void compute_density(const Device& device, const FluidState& state) override;

    /// None acts through forces: pressures are those of the last solve.
    bool compute_pressure(const Device& device, ParticleTable& particles,
                          View<Packed4> velocity_pressure) override;

    /// Takes away the rate of compression of the velocities as they are. Steps that something else than the flow cuts shorter are solved
    /// more exactly.
    bool solve_divergence(const Device& device, const FluidState& state, double last_step,
                          const FlowStep& flow_step) override;

    /// Changes the velocities so that in `flow_step` a fifth of the compression goes and none comes.
    bool solve_density(const Device& device, const FluidState& state, double dt, const FlowStep& flow_step,
                       View<float> wall_push) override;

    bool follows_density(Phase) const override { return false; }
    /// It looks ahead, and stands twice what others do.
    double courant() const override { return 0.2; }
    /// Velocities end with the step, as the positions do.
    double kick(double, double dt) const override { return dt; }
    void limit_time_step(const Device& device, const ParticleTable& particles, double support, bool loose,
                         TimeStepLimit& limit) const override;
    std::size_t bytes() const override;

    /// Iterations of the last step.
    int density_iterations() const { return density_iterations_; }
    int divergence_iterations() const { return divergence_iterations_; }

private:
    /// What the iterations are for.
    struct Goal {
        bool solids = false;  ///< whether their contact pressure is solved for, too
        float surface = 0;    ///< where the sum is below this, particles are still free to gather
        float closing = 0;    ///< how fast what is loose may close up, 1/s
        float easing = 0;     ///< 1/s, of the step by which a small compression is corrected
        double error = 0;     ///< mean rate of compression that may be left, 1/s
        int at_least = 1;     ///< iterations
        bool coarse = false;  ///< whether the coarse level corrects what has a small error, too

        /// Whether rows of this phase have an impulse of their own.
        bool includes(Phase phase) const { return phase != Phase::elastic || solids; }
        /// Rate (1/s) at which the compression s shall fall; negative: may grow.
        float correction(Phase phase, float s) const;
        /// What each Pa s of its impulse takes off a row's excess, 1/(Pa s²).
        float softness(Phase phase, const FluidConstants& constants) const;
    };

    struct Excess;
    struct Progress;
    Excess excess(const FluidState& state, const Goal& goal) const;
    template <class Use>
    void with_compression(const FluidState& state, const Use& use) const;
    void pack(const Device& device, const FluidState& state);
    void apply(const Device& device, const FluidState& state, View<const float> target);
    Progress sweep(const Device& device, const FluidState& state, const Goal& goal, float momentum,
                   float relaxation);
    /// Takes away what changes slowly from one row to the next.
    void correct_coarsely(const Device& device, const FluidState& state);
    void shorten(const Device& device, const FluidState& state, float fraction);
    int iterate(const Device& device, const FluidState& state, const Goal& goal);

    DfsphSettings settings_;
    std::vector<FluidConstants> constants_;
    int dimensions_;
    DfsphLattice lattice_;
    bool mixed_density_ = false;
    int density_iterations_ = 0, divergence_iterations_ = 0;
    std::vector<Packed4> gradient_;       ///< gᵢ; w: Jacobi's step α that converges
    std::vector<Packed4> records_;        ///< two a row: x and V⁰ times the change of J; V⁰ v
    std::vector<float> rest_density_;     ///< of each row and the padding; where materials differ in it
    std::vector<float> impulse_;          ///< J
    std::vector<float> applied_, ahead_;  ///< J that the velocities have felt, and where momentum leads
    CoarsePressure coarse_;
    bool assembled_ = false;       ///< the coarse level, for the positions as they are
    std::vector<float> fullness_;  ///< of each row's neighbourhood (CoarsePressure)
    std::vector<float> residual_;  ///< V⁰ times the excess, of rows that take part in a coarse correction
    std::vector<Packed4> before_;  ///< V⁰ v before a coarse correction
};

}  // namespace thixo
