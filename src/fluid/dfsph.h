#pragma once

#include <vector>

#include "fluid/fluid.h"

namespace thixo {

/// What the lattice at rest tells about how impulses act on each other.
struct DfsphLattice {
    float eigenvalue;  ///< λ, the largest of the system over its diagonal
    float pull;        ///< τ (1/m), the most that neighbours can do in one direction
};

/// Divergence-free SPH, Bender & Koschier 2015: pressure impulses J (Pa s) that leave no compression behind, found by
/// Jacobi iteration in the volume form of `Fluid`. An impulse changes velocities by
///
///     Δvᵢ = −(Jᵢ gᵢ + Σⱼ V⁰ⱼ Jⱼ ∇Wᵢⱼ)/ρ₀ᵢ,   gᵢ = Σⱼ V⁰ⱼ ∇Wᵢⱼ + ∇γᵢ
///
/// and velocities change the compression at the rate
///
///     dsᵢ/dt = vᵢ·gᵢ − Σⱼ V⁰ⱼ vⱼ·∇Wᵢⱼ − Σₖ vₖ·∇γₖ      (k: walls)
///
/// The two are each other's transpose, so that impulses do no work but what they take from compression. J ≥ 0: fluid pushes
/// and does not pull.
class Dfsph {
public:
    Dfsph(const DfsphSettings& settings, KernelName kernel, double support, int dimensions, double spacing);

    /// Density, gᵢ and the diagonal of the system, for the positions as they are.
    void prepare(const Device& device, const FluidState& state, Fluid& fluid);

    /// Takes away the rate of compression of the velocities as they are. `flow_step` is the step that the flow alone would
    /// allow: those that something else cuts shorter are solved more exactly.
    void solve_divergence(const Device& device, const FluidState& state, const Fluid& fluid, double last_step,
                          double flow_step);

    /// Changes the velocities so that in `flow_step` a fifth of the compression goes and none comes; sets the pressure, and what walls gave in
    /// `wall_push` (m/s²).
    void solve_density(const Device& device, const FluidState& state, const Fluid& fluid, double dt,
                       double flow_step, View<float> wall_push);

    /// Iterations of the last step.
    int density_iterations() const { return density_iterations_; }
    int divergence_iterations() const { return divergence_iterations_; }

    std::size_t bytes() const;

private:
    /// What the iterations are for.
    struct Goal {
        float surface = 0;  ///< where the sum is below this, particles are still free to gather
        float closing = 0;  ///< how fast what is loose may close up, 1/s
        float easing = 0;   ///< share of a compression to be taken away, 1/s
        double error = 0;   ///< mean rate of compression that may be left, 1/s
        int at_least = 1;   ///< iterations

        /// Rate (1/s) at which the compression s shall fall; negative: may grow.
        float correction(float s) const;
    };

    void pack(const Device& device, const FluidState& state, const Fluid& fluid);
    void apply(const Device& device, const FluidState& state, const Fluid& fluid, View<const float> target);
    int iterate(const Device& device, const FluidState& state, const Fluid& fluid, const Goal& goal);

    DfsphSettings settings_;
    KernelName kernel_;
    double support_;
    int dimensions_;
    DfsphLattice lattice_;
    int density_iterations_ = 0, divergence_iterations_ = 0;
    std::vector<Packed4> gradient_;       ///< gᵢ; w: Jacobi's step α that converges
    std::vector<Packed4> records_;        ///< two a row: x and V⁰ times the change of J; V⁰ v
    std::vector<float> impulse_;          ///< J
    std::vector<float> applied_, ahead_;  ///< J that the velocities have felt, and where momentum leads
};

}  // namespace thixo
