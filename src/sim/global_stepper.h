#pragma once

#include "sim/stepper.h"

namespace thixo {

/// All particles take the same step: leapfrog, v += ½ (Δt' + Δt) a, then x += Δt v, with Δt' the last step.
class GlobalStepper final : public Stepper {
public:
    void begin(const StepInputs&) override {}
    ActiveRows active() const override { return {}; }
    bool at_start() const override { return true; }

    void choose(const StepInputs& in, Forces& forces, TimeStepControl& control, double end) override;
    void solve_elasticity(const StepInputs& in, Forces& forces, Matter& matter, TimeStepControl& control,
                          double end) override;

    StepLengths lengths(const ParticleTable&) const override {
        return {static_cast<float>(step_.kick), static_cast<float>(step_.dt)};
    }
    const TimeStep& step() const override { return step_; }
    double synchronisation_time() const override { return step_.end; }

    void drift(const Device& device, const WallFields& walls, Forces& forces, Matter& matter,
               Clock& clock) override;
    bool permute(const Device&, View<const Index>) override { return false; }
    float skin(double motion, double finest_support) const override;
    StepCount count(const StepInputs& in) const override;
    std::size_t bytes() const override { return 0; }

private:
    TimeStep step_;
};

}  // namespace thixo
