#include "sim/events.h"

#include <tuple>
#include <type_traits>

#include <fmt/format.h>

#include "core/error.h"
#include "core/hash.h"
#include "sim/derive.h"
#include "sim/event_effects.h"
#include "sim/simulation.h"
#include "sim/snapshot.h"

namespace thixo {

namespace {

auto fields(const GrabAction& a) { return std::tie(a.hand, a.at, a.radius, a.whole_bodies, a.liquids); }
auto fields(const HeatAction& a) { return std::tie(a.hand, a.at, a.radius, a.power); }
auto fields(const PourAction& a) {
    return std::tie(a.hand, a.material, a.at, a.direction, a.radius, a.speed, a.temperature);
}
auto fields(const DragAction& a) { return std::tie(a.hand, a.to, a.seconds); }
auto fields(const ReleaseAction& a) { return std::tie(a.hand); }
auto fields(const PushAction& a) { return std::tie(a.at, a.radius, a.impulse); }
auto fields(const CutAction& a) { return std::tie(a.from, a.to, a.depth); }
auto fields(const GravityAction& a) { return std::tie(a.acceleration); }
auto fields(const MaterialAction& a) {
    return std::tie(a.name, a.young_modulus, a.damping, a.viscosity, a.melting_point, a.freezing_point);
}

template <class T>
std::uint64_t hash_of(const T& value, std::uint64_t seed) {
    static_assert(std::is_arithmetic_v<T>);
    return hash_bytes(&value, sizeof value, seed);
}
std::uint64_t hash_of(const std::string& text, std::uint64_t seed) {
    return hash_bytes(text.data(), text.size(), seed);
}
std::uint64_t hash_of(const Vec3d& v, std::uint64_t seed) {
    return hash_of(v.z, hash_of(v.y, hash_of(v.x, seed)));
}
std::uint64_t hash_of(const std::optional<double>& value, std::uint64_t seed) {
    return value ? hash_of(*value, mix(seed)) : seed + 1;
}

std::uint64_t hash_of(const Event& event) {
    std::uint64_t hash = hash_of(event.step, event.action.index());
    std::visit(
        [&](const auto& action) {
            std::apply([&](const auto&... field) { ((hash = hash_of(field, hash)), ...); }, fields(action));
        },
        event.action);
    return hash;
}

[[noreturn]] void refuse(const Event& event, std::string_view reason) {
    throw InputError(event.origin.empty()
                         ? std::string(reason)
                         : fmt::format("{}: at step {}: {}", event.origin, event.step, reason));
}

}  // namespace

void Events::load(const Snapshot& snapshot) {
    snapshot.read([&] { visit_state(*this, SnapshotReader(snapshot)); });
}

Model Events::replay(Model model) {
    if (applied_.size() > events_.size())
        throw InputError(
            fmt::format("{} events were applied before the checkpoint was written, but there are {}",
                        applied_.size(), events_.size()));
    for (std::size_t k = 0; k < applied_.size(); ++k) {
        if (hash_of(events_[k]) != applied_[k].hash) refuse(events_[k], "another event was applied before");
        hands_.apply(events_[k].action, applied_[k].time, model);
    }
    return model;
}

ChangedModel replay_events(Model model, const Snapshot& snapshot, std::vector<Event> events) {
    auto restored = std::make_unique<Events>(std::move(events));
    restored->load(snapshot);
    model = restored->replay(std::move(model));
    return {std::move(model), std::move(restored)};
}

void Events::apply_due(Simulation& simulation) {
    const std::uint64_t step = simulation.clock().step;
    while (applied_.size() < events_.size() && events_[applied_.size()].step <= step) {
        const Event& event = events_[applied_.size()];
        if (event.step < step) refuse(event, fmt::format("the simulation is at step {} already", step));
        take_in(simulation, event);
    }
}

void Events::apply(Simulation& simulation, Event event) {
    if (event.step != simulation.clock().step)
        refuse(event, fmt::format("step {} is not the next one, {}", event.step, simulation.clock().step));
    const auto next = static_cast<std::ptrdiff_t>(applied_.size());
    take_in(simulation, event);
    events_.insert(events_.begin() + next, std::move(event));
}

void Events::take_in(Simulation& simulation, const Event& event) {
    const AppliedEvent entry{event.step, simulation.clock().time, hash_of(event)};
    const Hands before = hands_;
    try {
        EventEffects(simulation, hands_).apply(event.action);
    } catch (const InputError& error) {
        hands_ = before;
        refuse(event, error.what());
    }
    applied_.push_back(entry);
}

}  // namespace thixo
