#include "sim/state_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/state_check.h"
#include "sim/derive.h"

namespace thixo {

namespace {

bool is_finite(const Vec3d& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

template <class T, class Fits>
void check_each(std::string_view section, const std::vector<T>& values, const Fits& fits) {
    for (const T& value : values)
        if (!fits(value)) refuse_state(section, "it has a value that is not possible");
}

void check_clock(const Clock& clock) {
    // Frames and steps are counted on; numbers near the end of what they can hold cannot have been reached.
    constexpr std::uint64_t most = std::uint64_t{1} << 62;
    for (const double seconds : {clock.time, clock.last_step, clock.frame_step_min, clock.frame_step_max})
        if (!(seconds >= 0) || !std::isfinite(seconds))
            refuse_state("clock", "{} s is not possible", seconds);
    for (const std::uint64_t count : {clock.step, clock.frame, clock.frame_steps})
        if (count > most) refuse_state("clock", "a count of {} is not possible", count);
    if (clock.in_frame > 1) refuse_state("clock", "it is neither in a frame nor between two");
}

void check_ids(const ParticleTable& particles, std::uint64_t next_id) {
    std::vector<std::uint32_t> ids = particles.id;
    std::sort(ids.begin(), ids.end());
    const auto twice = std::adjacent_find(ids.begin(), ids.end());
    if (twice != ids.end()) refuse_state("id", "two particles have the number {}", *twice);
    if (!ids.empty() && ids.back() >= next_id)
        refuse_state("id", "number {} is not below the next one, {}", ids.back(), next_id);
    if (next_id > std::uint64_t{std::numeric_limits<std::uint32_t>::max()} + 1)
        refuse_state("clock", "the next particle has the number {}", next_id);
}

void check_columns(const ParticleTable& particles) {
    const auto finite_vector = [](const Vec3f& a) { return is_finite(a); };
    const auto finite = [](float a) { return std::isfinite(a); };
    const auto positive = [](float a) { return a > 0 && std::isfinite(a); };
    check_each("position", particles.position, finite_vector);
    check_each("position_low", particles.position_low, finite_vector);
    check_each("velocity", particles.velocity, finite_vector);
    check_each("mass", particles.mass, positive);
    check_each("radius", particles.radius, positive);
    check_each("density", particles.density, finite);
    check_each("pressure", particles.pressure, finite);
    check_each("temperature", particles.temperature, finite);
    check_each("latent", particles.latent, finite);
    check_each("heat_low", particles.heat_low, finite);
    check_each("contact_slack", particles.contact_slack, finite);
    check_each("last_step", particles.last_step, [](float a) { return a >= 0 && std::isfinite(a); });
    check_each("phase", particles.phase, [](Phase phase) { return phase <= Phase::rigid; });
}

void check_lineage(const Lineage& lineage, const ParticleTable& particles) {
    // Each number was given by a different entry.
    for (const BodyChange& change : lineage) {
        if (change.event > BodyEvent::melted)
            refuse_state("lineage", "event {} does not exist", static_cast<std::uint32_t>(change.event));
        if (change.body == 0 || change.body > lineage.size() || change.parent > lineage.size())
            refuse_state("lineage", "body {} or its parent {} is not among {}", change.body, change.parent,
                         lineage.size());
    }
    const std::uint32_t last = last_body(lineage);
    check_each("body", particles.body, [last](std::uint32_t body) { return body <= last; });
}

void check_kinematic_places(const std::vector<KinematicPlace>& places, const ParticleTable& particles) {
    const auto not_before = [](const KinematicPlace& a, const KinematicPlace& b) { return a.id >= b.id; };
    if (std::adjacent_find(places.begin(), places.end(), not_before) != places.end())
        refuse_state("kinematic_places", "they are not in the order of ids");
    for (const KinematicPlace& place : places)
        if (place.kinematic_id == 0 || !is_finite(place.position) || !is_finite(place.velocity))
            refuse_state("kinematic_places", "particle {} has no place", place.id);
    const auto by_id = [](const KinematicPlace& place, std::uint32_t id) { return place.id < id; };
    for (Index i = 0; i < particles.size(); ++i) {
        if (particles.kinematic_id[i] == 0) continue;
        const auto place = std::lower_bound(places.begin(), places.end(), particles.id[i], by_id);
        if (place == places.end() || place->id != particles.id[i])
            refuse_state("kinematic_id", "kinematic particle {} has no place", particles.id[i]);
    }
}

void check_rigid_numbers(const RigidState& rigid) {
    for (const RigidBody& body : rigid.bodies) {
        const bool finite = std::isfinite(body.mass) && is_finite(body.center) && is_finite(body.velocity) &&
                            is_finite(body.angular_momentum) && is_finite(body.prescribed_spin) &&
                            is_finite(body.orientation.v) && std::isfinite(body.orientation.w);
        if (!finite) refuse_state("rigid_bodies", "the motion of body {} is not finite", body.number);
    }
    for (const RigidMember& member : rigid.members)
        if (!is_finite(member.place)) refuse_state("rigid_members", "particle {} has no place", member.id);
}

/// What must fit the model.
void check_against_model(const Simulation& simulation, const Model& model) {
    const ParticleTable& particles = simulation.particles();
    const std::size_t materials = model.materials.size(), holds = holds_of(model).size();
    for (const std::uint16_t material : particles.material)
        if (material >= materials) refuse_state("material", "there is no material {}", material);
    for (const std::uint16_t motion : particles.kinematic_id)
        if (motion > holds) refuse_state("kinematic_id", "prescribed motion {} does not exist", motion);
    for (const KinematicPlace& place : simulation.kinematics().places())
        if (place.kinematic_id > holds)
            refuse_state("kinematic_places", "prescribed motion {} does not exist", place.kinematic_id);
    const EmitterState& emitters = simulation.emitter_state();
    check_length("layers", emitters.layers.size(), model.emitters.size());
    check_length("held", emitters.held.size(), model.emitters.size());
    check_length("removed", emitters.removed.size(), model.sinks.size());
    check_length("probes", simulation.instruments().sums().size(), model.probes.size());
    simulation.elastic().loaded().check(particles, model.materials);
    simulation.lattice().loaded().check(particles, model.materials, model.dimensions);
    simulation.rigid().state().check_holds(holds);
}

}  // namespace

void check_particles(const Clock& clock, const ParticleTable& particles, const NeighbourSearch& search) {
    check_clock(clock);
    check_ids(particles, clock.next_id);
    check_columns(particles);
    check_each("built_positions", search.built_positions(), [](const Vec3f& a) { return is_finite(a); });
    const float skin = search.skin();
    if (!(skin >= 0 && skin <= 1)) refuse_state("skin", "{} support radii are not possible", skin);
}

void check_state(const Simulation& simulation) {
    const Clock& clock = simulation.clock();
    const ParticleTable& particles = simulation.particles();
    check_particles(clock, particles, simulation.neighbour_search());
    check_lineage(simulation.lineage(), particles);
    check_kinematic_places(simulation.kinematics().places(), particles);
    simulation.elastic().loaded().check(particles);
    check_each("elastic_guess", simulation.implicit_elasticity().guess(),
               [](const Vec3f& a) { return is_finite(a); });
    simulation.lattice().loaded().check(particles);
    simulation.rigid().state().check(particles);
    check_rigid_numbers(simulation.rigid().state());
    check_each("rigid_contacts", simulation.rigid_contacts().memory(),
               [](const ContactMemory& memory) { return is_finite(memory.impulse); });
    check_each("probes", simulation.instruments().sums(), [](const ImpulseSum& sum) {
        return is_finite(sum.impulse) && is_finite(sum.angular_impulse) && sum.seconds >= 0 &&
               std::isfinite(sum.seconds);
    });
    check_each("events", simulation.events().applied(), [&clock](const AppliedEvent& event) {
        return event.step <= clock.step && event.time >= 0 && event.time <= clock.time;
    });
    check_against_model(simulation, simulation.model());
}

}  // namespace thixo
