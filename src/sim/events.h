#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/state.h"
#include "sim/applied_event.h"
#include "sim/hands.h"

namespace thixo {

class Simulation;
struct Snapshot;

/// What is done to a simulation from outside, before which step: given beforehand, or while it runs. With the
/// events that were applied, and when, the model of a run that is resumed is the one it had.
class Events {
public:
    /// In the order of their steps.
    explicit Events(std::vector<Event> events = {}) : events_(std::move(events)) {}

    /// Loads which events were applied.
    void load(const Snapshot& snapshot);
    /// What those made of the scene's model. Throws an InputError if the first events are not those that were
    /// applied.
    Model replay(Model model);

    /// Applies the events of the step that is about to begin.
    void apply_due(Simulation& simulation);

    /// Applies an event now, before those that are still to come. Throws an InputError that says why if it
    /// makes no sense, and changes nothing then.
    void apply(Simulation& simulation, Event event);

    /// Those that were applied come first.
    const std::vector<Event>& all() const { return events_; }
    const std::vector<AppliedEvent>& applied() const { return applied_; }
    const Hands& hands() const { return hands_; }

    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        visit("events", self.applied_, StateOrder::listed);
    }

private:
    void take_in(Simulation& simulation, const Event& event);

    std::vector<Event> events_;
    std::vector<AppliedEvent> applied_;
    Hands hands_;
};

/// A model as events made it.
struct ChangedModel {
    Model model;
    std::unique_ptr<Events> events;
};
/// What the events that were applied before a state was saved made of the scene's model.
ChangedModel replay_events(Model model, const Snapshot& snapshot, std::vector<Event> events);

}  // namespace thixo
