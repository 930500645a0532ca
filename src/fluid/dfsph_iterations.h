#pragma once

#include <vector>

#include "core/accelerated_jacobi.h"
#include "fluid/coarse_pressure.h"
#include "fluid/constants.h"
#include "fluid/fluid_state.h"

namespace thixo {

/// The iterations of `Dfsph`: impulses of the rows, and the velocities that feel them.
class DfsphIterations {
public:
    /// What the iterations are for.
    struct Goal {
        bool solids = false;  ///< whether their contact pressure is solved for, too
        float surface = 0;    ///< where the sum is below this, particles are still free to gather
        float closing = 0;    ///< how fast what is loose may close up, 1/s
        float easing = 0;     ///< 1/s, of the step by which a small compression is corrected
        double error = 0;     ///< mean rate of compression that may be left, 1/s
        int at_least = 1;     ///< iterations
        bool coarse = false;  ///< whether the coarse level corrects what has a small error, too

        /// Whether rows of this phase have impulses.
        bool includes(Phase phase) const { return phase != Phase::elastic || solids; }
        /// Rate (1/s) at which the compression s shall fall; negative: may grow.
        float correction(Phase phase, float s) const;
        /// What each Pa s of its impulse takes off a row's excess, 1/(Pa s²).
        float softness(Phase phase, const FluidConstants& constants) const;
    };

    /// `most`: iterations of a solve.
    DfsphIterations(const Discretisation& discretisation, const std::vector<FluidConstants>& constants,
                    int most)
        : constants_(constants), most_(most), coarse_(discretisation) {}

    /// For positions and velocities as they are; `gradient`, `fullness` and `rate` are then filled in.
    void begin(const Device& device, const FluidState& state);
    /// Velocities as they are. Where they are those of `begin`, the rates are still known.
    void pack(const Device& device, const FluidState& state);
    void apply(const Device& device, const FluidState& state, View<const float> target);
    int iterate(const Device& device, const FluidState& state, const Goal& goal);

    View<Packed4> gradient() { return gradient_; }
    View<float> fullness() { return fullness_; }
    /// Of compression, until the first sweep.
    View<float> rate() { return ahead_; }
    const Packed4* records() const { return records_.data(); }
    View<float> impulse() { return impulse_; }
    View<float> applied() { return applied_; }
    std::size_t bytes() const;

private:
    struct Excess;
    struct Progress;
    /// How long steps are, in those that the diagonal allows.
    struct Steps {
        float liquid, solid;
    };
    Excess excess(const FluidState& state, const Goal& goal) const;
    template <class Use>
    void with_compression(const FluidState& state, const Use& use) const;
    Curvature measure(const Device& device, const FluidState& state, const Goal& goal);
    Progress sweep(const Device& device, const FluidState& state, const Goal& goal, float momentum,
                   const Steps& steps);
    /// Takes away what changes slowly from one row to the next.
    void correct_coarsely(const Device& device, const FluidState& state);
    void shorten(const Device& device, const FluidState& state, float fraction);

    std::vector<FluidConstants> constants_;
    int most_;
    std::vector<Packed4> gradient_;       ///< gᵢ; w: Jacobi's step α that converges
    std::vector<Packed4> records_;        ///< two a row: x and V⁰ times the change of J; V⁰ v
    std::vector<float> impulse_;          ///< J
    std::vector<float> applied_, ahead_;  ///< J that the velocities have felt, and where momentum leads
    CoarsePressure coarse_;
    bool assembled_ = false;       ///< the coarse level, for the positions as they are
    bool rate_known_ = false;      ///< `ahead_` has the rates of compression
    std::vector<float> fullness_;  ///< of each row's neighbourhood (CoarsePressure)
    std::vector<float> residual_;  ///< V⁰ times the excess, of rows that take part in a coarse correction
    std::vector<float> left_;      ///< of the excess of each row; where bodies answer
    std::vector<Packed4> before_;  ///< V⁰ v before a coarse correction
};

}  // namespace thixo
