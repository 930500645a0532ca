#pragma once

#include <vector>

#include "sim/block_time_steps.h"
#include "sim/stepper.h"

namespace thixo {

/// Every particle takes the longest step that is stable for it [DC99, sec. 5], a power of two of a block at
/// whose ends all are synchronised:
///
///     when it is active   vᵢ += ½ (Δtᵢ' + Δtᵢ) aᵢ,   ρ̇ᵢ = Σⱼ V⁰ⱼ ρ₀ (vᵢ − vⱼ)·∇W̄ᵢⱼ
///     at all times        ẋᵢ = vᵢ,   dρᵢ/dt = ρ̇ᵢ
///
/// with Δt' its last step. The kick comes as a whole: accelerations that are spread over the step while they
/// grow old feed energy into the motion. Solids and kinematic particles are synchronised: they take the same
/// steps, and a stiff body does not limit the steps of the water around it.
class BlockStepper final : public Stepper {
public:
    void begin(const StepInputs& in) override;
    ActiveRows active() const override;
    bool at_start() const override { return at_start_; }

    void choose(const StepInputs& in, Forces& forces, TimeStepControl& control, double end) override;
    /// Implicit elasticity is not needed: short steps of bodies do not shorten those of liquids.
    void solve_elasticity(const StepInputs&, Forces&, Matter&, TimeStepControl&, double) override {}

    StepLengths lengths(const ParticleTable& particles) const override {
        return {.own = own_step_, .last = particles.last_step};
    }
    const TimeStep& step() const override { return solid_step_; }
    double synchronisation_time() const override { return block_end_; }

    void drift(const Device& device, const WallFields& walls, Forces& forces, Matter& matter,
               Clock& clock) override;
    bool permute(const Device& device, View<const Index> order) override;
    float skin(double, double) const override { return usual_skin; }
    StepCount count(const StepInputs& in) const override;
    std::size_t bytes() const override;

    /// Arrays with an entry for each row that last from one set of active rows to the next.
    template <class Visit>
    void visit_rows(const Visit& visit) {
        steps_.visit_rows(visit);
        visit(stable_);
        visit(own_step_);
        visit(density_rate_);
    }

private:
    void begin_block(const StepInputs& in, Forces& forces, TimeStepControl& control, double end);
    void find_stable_steps(const StepInputs& in, const TimeStepControl& control);
    void shorten_kicks(const Device& device, View<const Vec3f> acceleration, ParticleTable& particles);

    BlockTimeSteps steps_;
    bool in_block_ = false;  ///< not all particles are synchronised
    bool at_start_ = true;
    double block_start_ = 0, block_end_ = 0;  ///< s
    double block_ = 0;                        ///< length, s
    TimeStep solid_step_;
    std::vector<float> stable_;        ///< longest stable step of each active row, s
    std::vector<float> own_step_;      ///< that each row is taking, s
    std::vector<float> density_rate_;  ///< kg/m³/s
};

}  // namespace thixo
