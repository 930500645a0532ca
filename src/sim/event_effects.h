#pragma once

#include "sim/hands.h"
#include "sim/simulation.h"

namespace thixo {

/// Carries an action over to the parts of a simulation, between two steps. What follows from the model alone
/// is made anew from the state, as when a run is resumed: so both give the same bits.
class EventEffects {
public:
    EventEffects(Simulation& simulation, Hands& hands) : sim_(simulation), hands_(hands) {}

    /// Throws an InputError, and leaves the simulation as it is, if the action makes no sense; the hands may
    /// have changed then.
    void apply(const Action& action);

private:
    void begin(const GrabAction& grab);
    void begin(const HeatAction& heat);
    void begin(const PourAction& pour);
    void change_hand(const Action& action, std::uint64_t number);
    void push(const PushAction& push);
    void cut(const CutAction& cut);
    /// Goes on from the same state with what the action makes of the model.
    void remodel(const Action& action);

    Simulation& sim_;
    Hands& hands_;
};

}  // namespace thixo
