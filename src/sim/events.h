#pragma once

#include <string>
#include <vector>

#include "core/state.h"
#include "sim/applied_event.h"
#include "sim/hands.h"

namespace thixo {

class Simulation;

/// What is done to a simulation from outside, before which step: given beforehand, or while it runs. With the events that were applied, and
/// when, the model of a run that is resumed is the one it had.
class Events {
public:
    /// In the order of their steps.
    explicit Events(std::vector<Event> events = {}) : events_(std::move(events)) {}

    /// Takes up a saved state; returns what the events made of the scene's model. Throws an InputError if the first events are not those
    /// that were applied.
    Model restore(std::vector<AppliedEvent> applied, Model model);

    /// Applies the events of the step that is about to begin.
    void apply_due(Simulation& simulation);

    /// Applies an event now, before those that are still to come. Throws an InputError that says why if it makes no sense, and changes
    /// nothing then.
    void apply(Simulation& simulation, Event event);

    /// Those that were applied come first.
    const std::vector<Event>& all() const { return events_; }
    const std::vector<AppliedEvent>& applied() const { return applied_; }
    const Hands& hands() const { return hands_; }

    template <class Visitor>
    void visit_state(Visitor&& visit) const {
        visit("events", applied_, StateOrder::listed);
    }

private:
    void take_in(Simulation& simulation, const Event& event);

    std::vector<Event> events_;
    std::vector<AppliedEvent> applied_;
    Hands hands_;
};

}  // namespace thixo
