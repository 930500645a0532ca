#include "sim/forces.h"

#include <algorithm>
#include <cmath>

#include "sim/derive.h"
#include "sim/largest.h"

namespace thixo {

namespace {

ImplicitScheme scheme_of(const Model& model) {
    return entry_of(model.solver.pressure).solved ? ImplicitElasticity::for_impulses()
                                                  : ImplicitElasticity::for_forces();
}

/// Contacts of rigid bodies with elastic ones are solved for again until the impulses of a round do this
/// fraction of the work of the largest.
constexpr double contact_left = 0.01;
constexpr int most_contact_rounds = 8;

/// A body of a thousand layers.
constexpr double least_ease = 1e-3;

std::vector<Twist> part_motions(const RigidParts& parts, const RigidBodies& rigid) {
    std::vector<Twist> out;
    for (const RigidParts::Part& part : parts.parts) {
        const RigidBody& body = rigid.bodies()[part.cluster];
        out.push_back({body.velocity, body.angular_velocity()});
    }
    return out;
}

}  // namespace

Forces::Forces(const Model& model)
    : gravity_(to_float(model.gravity)),
      implicit_(model.solver.elasticity == ElasticIntegrator::implicit),
      answers_(entry_of(model.solver.pressure).solved),
      by_continuity_(model.solver.density == DensityMethod::continuity),
      smoothed_(model.solver.xsph > 0),
      fluid_(model.materials, model.solver, discretisation_of(model), model.contact_angles),
      implicit_elasticity_(model.solver, scheme_of(model)),
      implicit_lattice_(model.solver.elasticity_error, model.solver.elasticity_iterations,
                        lattice_scheme_of(scheme_of(model))),
      response_(model.solver, scheme_of(model)) {
    for (const Material& material : model.materials) expansion_.emplace_back(material.heat);
    if (std::all_of(expansion_.begin(), expansion_.end(), [](const auto& of) { return of.rate == 0; }))
        expansion_.clear();
}

FluidState Forces::fluid_state(const Device& device, const WallFields& walls, Matter& matter,
                               const Rows& rows) const {
    FluidState state{matter.particles, matter.search.view(), matter.records, walls.terms(), walls.motion()};
    state.wetted_walls = walls.wetting();
    state.rows = rows;
    state.acceleration = acceleration_;
    state.gravity = gravity_;
    if (const RigidBodies& rigid = matter.solids.rigid; !rigid.empty())
        state.bind = [&rigid, &device](View<Packed4> records) { rigid.project_records(device, records); };
    return state;
}

FluidState Forces::bound_state(const Device& device, const WallFields& walls, Matter& matter, double dt) {
    FluidState state = fluid_state(device, walls, matter);
    if (!bodies_answer(matter) || !(dt > 0)) return state;
    response_.begin(device, matter, dt);
    const std::vector<Twist> start = part_motions(response_.rigid(), matter.solids.rigid);
    state.bind = [this, &device, &solids = matter.solids, &rigid = std::as_const(matter.solids.rigid), start,
                  known = start, xv = state.records.position_volume()](View<Packed4> records) mutable {
        std::vector<RigidBodies::Velocity> motion;
        if (!rigid.empty()) motion = rigid.project_records(device, records);
        const std::vector<RigidParts::Part>& parts = response_.rigid().parts;
        for (Index k = 0; k < parts.size(); ++k) {
            const RigidBodies::Velocity& now = motion[parts[k].cluster];
            response_.push_part(k, Twist{now.linear, now.spin} - known[k]);
        }
        response_.spread(device, solids, xv, records);
        for (Index k = 0; k < parts.size(); ++k) {
            known[k] = start[k];
            known[k] += response_.part_change(k);
            motion[parts[k].cluster] = {known[k].linear, known[k].angular};
        }
        if (!parts.empty()) rigid.scatter_records(device, motion, records);
    };
    return state;
}

BodyAnswer Forces::body_answer(const Device& device, Matter& matter, double dt) {
    if (!bodies_answer(matter)) return {};
    contact_change_.clear();
    response_.begin(device, matter, dt);
    return {
        .begin =
            [this, &device] {
                response_.begin_again(device);
                contact_change_.clear();
            },
        .change =
            [this, &device, &solids = matter.solids](View<const Index> row, View<const Vec3f> start,
                                                     View<Packed4> velocity) {
                const auto n = static_cast<Index>(row.size());
                contact_change_.resize(n);
                BodyResponse& response = response_;
                launch(device, n, [=, &response, known = View(contact_change_)](Index a) {
                    const float m = response.mass(row[a]);
                    if (m == 0) return;
                    const Vec3f now = vector_of(velocity[a]) - start[a];
                    response.push(row[a], m * (now - known[a]));
                    known[a] = now;
                });
                response.answer(device, solids);
                launch(device, n, [=, &response](Index a) {
                    if (response.mass(row[a]) == 0) return;
                    const Vec3f v = response.velocity(row[a]);
                    velocity[a] = {v.x, v.y, v.z, velocity[a].w};
                });
            },
        .end =
            [this, &device, &matter] {
                response_.write(device, matter);
                const std::vector<RigidParts::Part>& parts = response_.rigid().parts;
                for (Index k = 0; k < parts.size(); ++k) {
                    const Twist change = response_.part_change(k);
                    matter.solids.rigid.change_velocity(parts[k].cluster, {change.linear, change.angular});
                }
            }};
}

std::vector<Forces::Work> Forces::take_up(const Device& device, Matter& matter,
                                          const std::vector<Twist>& before, View<const float> ease) {
    BodyResponse& response = response_;
    RigidBodies& rigid = matter.solids.rigid;
    const ParticleTable& particles = matter.particles;
    const std::vector<RigidParts::Part>& parts = response.rigid().parts;
    if (!parts.empty()) rigid.project_velocities(device, matter.particles);
    const std::vector<Twist> free = part_motions(response.rigid(), rigid);
    std::vector<Twist> known;
    for (Index k = 0; k < parts.size(); ++k) {
        known.push_back(response.part_change(k));
        response.push_part(k, free[k] - before[k]);
    }
    std::vector<std::pair<Index, Vec3f>> pushed;
    std::vector<Work> work;
    const auto push = [&](Index i) {
        const float m = i == ElasticBodies::vacant ? 0 : response.mass(i);
        if (m == 0) return;
        const Vec3f change = particles.velocity[i] - response.velocity(i);
        if (norm2(change) == 0) return;
        const std::uint32_t body = particles.body[i];
        const Vec3f impulse = (m / (ease.empty() ? 1.f : ease[body])) * change;
        response.push(i, impulse);
        if (ease.empty()) return;
        if (body >= work.size()) work.resize(body + 1);
        work[body].free += norm2(to_double(impulse)) / m;
        work[body].done -= dot(to_double(impulse), to_double(response.velocity(i)));
        pushed.emplace_back(i, impulse);
    };
    for (const Index i : matter.solids.elastic.rows()) push(i);
    for (const Index i : matter.solids.lattice.rows()) push(i);
    response.answer(device, matter.solids);
    response.write(device, matter);
    for (Index k = 0; k < parts.size(); ++k) {
        const Twist left = response.part_change(k) - known[k] - (free[k] - before[k]);
        rigid.change_velocity(parts[k].cluster, {left.linear, left.angular});
    }
    for (const auto& [i, impulse] : pushed)
        work[particles.body[i]].done += dot(to_double(impulse), to_double(response.velocity(i)));
    return work;
}

bool Forces::answer_changes(const Device& device, Matter& matter, double dt,
                            const std::function<bool()>& solve) {
    if (!bodies_answer(matter)) return solve();
    response_.begin(device, matter, dt);
    const std::vector<Twist> before = part_motions(response_.rigid(), matter.solids.rigid);
    if (!solve()) return false;
    take_up(device, matter, before, {});
    return true;
}

bool Forces::answer_contacts(const Device& device, Matter& matter, double dt,
                             const std::function<bool(View<const float>, bool)>& solve) {
    if (!bodies_answer(matter)) return solve({}, false);
    response_.begin(device, matter, dt);
    const View<const std::uint32_t> body(matter.particles.body);
    const std::uint32_t last =
        reduce_max(device, matter.particles.size(), std::uint32_t{0}, [body](Index i) { return body[i]; });
    std::vector<float> ease(last + 1, 1.f);
    bool any = false;
    double most = 0;
    for (int round = 0; round < most_contact_rounds; ++round) {
        const std::vector<Twist> before = part_motions(response_.rigid(), matter.solids.rigid);
        if (!solve(ease, round > 0)) break;
        any = true;
        const std::vector<Work> work = take_up(device, matter, before, ease);
        double all = 0;
        for (std::uint32_t b = 0; b < work.size(); ++b) {
            if (!(work[b].free > 0)) continue;
            ease[b] = static_cast<float>(std::clamp(work[b].done / work[b].free, least_ease, 1.0));
            all += work[b].done;
        }
        most = std::max(most, all);
        if (!(all > contact_left * most)) break;
    }
    return any;
}

void Forces::compute_density(const Device& device, const FluidState& state) {
    evaluations_ += state.rows.all ? state.particles.size() : state.rows.list.size();
    fluid_.compute_density(device, state);
}

void Forces::compute_pressure(const Device& device, ParticleTable& particles) {
    fluid_.compute_pressure(device, particles);
}

void Forces::compute_fluid_forces(const Device& device, const WallFields& walls,
                                  const EmittersAndSinks& emitters, double time, const Rows& rows,
                                  View<const Vec3f> external, Matter& matter) {
    const Index n = matter.particles.size();
    acceleration_.resize(n);
    wall_push_.resize(n);
    launch(device, n, rows, [g = gravity_, a = View(acceleration_)](Index i) { a[i] = g; });
    if (!expansion_.empty())
        launch(device, n, rows,
               [g = gravity_, of = View<const ThermalExpansion>(expansion_),
                material = View<const std::uint16_t>(matter.particles.material),
                phase = View<const Phase>(matter.particles.phase),
                t = View<const float>(matter.particles.temperature), a = View(acceleration_)](Index i) {
                   if (phase[i] == Phase::liquid) a[i] = g * static_cast<float>(of[material[i]].weight(t[i]));
               });
    if (!external.empty())
        launch(device, n, rows, [external, a = View(acceleration_)](Index i) { a[i] += external[i]; });
    fluid_.compute_forces(device, fluid_state(device, walls, matter, rows), acceleration_, wall_push_);
    emitters.guide_jets(device, matter.particles, time, acceleration_, rows);
}

void Forces::add_lattice_forces(const Device& device, const Kinematics& kinematics, Matter& matter) {
    // Elastic forces that are solved for do not limit the step: it need not follow what they would do alone.
    held_acceleration_.clear();
    if (elasticity_is_implicit(matter)) {
        if (watch_holds_) held_acceleration_ = acceleration_;
        kinematics.clear_acceleration(device, matter.particles, acceleration_);
        find_largest_acceleration(device);
        if (!matter.solids.lattice.empty()) outside_ = acceleration_;
    }
    matter.solids.lattice.add_forces(device, matter.particles, acceleration_);
}

void Forces::add_elastic_forces(const Device& device, const Kinematics& kinematics, Matter& matter) {
    matter.solids.elastic.add_forces(device, matter.particles, acceleration_);
    matter.solids.rigid.gather_forces(device, acceleration_);
    if (watch_holds_) {
        held_acceleration_.resize(acceleration_.size());
        launch(device, matter.particles.size(),
               [a = View<const Vec3f>(acceleration_), held = View(held_acceleration_)](Index i) {
                   held[i] += a[i];
               });
    }
    kinematics.clear_acceleration(device, matter.particles, acceleration_);
}

double Forces::find_largest_acceleration(const Device& device) {
    largest_ = std::sqrt(largest_norm2(device, acceleration_));
    return double{largest_};
}

bool Forces::solve_divergence(const Device& device, const FluidState& state, double last_step,
                              const FlowStep& flow_step) {
    return fluid_.solve_divergence(device, state, last_step, flow_step);
}

bool Forces::solve_density(const Device& device, const FluidState& state, double dt,
                           const FlowStep& flow_step) {
    return fluid_.solve_pressure(device, state, dt, flow_step, wall_push_);
}

bool Forces::solve_wall_friction(const Device& device, const Walls& walls, double dt, Matter& matter) {
    wall_friction_.clear();
    return bodies_answer(matter) && wall_friction_.solve(device, walls, wall_push_, dt, matter, response_);
}

bool Forces::solve_viscosity(const Device& device, const FluidState& state, double dt) {
    return fluid_.solve_viscosity(device, state, dt);
}

View<const Vec3f> Forces::transport_velocity(const Device& device, const FluidState& state) {
    if (!smoothed_) return state.particles.velocity;
    transport_.resize(state.particles.size());
    fluid_.smooth_velocity(device, state, transport_);
    return transport_;
}

void Forces::advance_density(const Device& device, const FluidState& state, View<const Vec3f> transport,
                             float dt) {
    if (by_continuity_) fluid_.advance_density(device, state, transport, dt);
}

void Forces::find_density_rates(const Device& device, const FluidState& state, View<const float> steps,
                                View<float> rates) {
    fluid_.find_density_rates(device, state, steps, rates);
}

std::size_t Forces::bytes() const {
    return fluid_.bytes() + implicit_elasticity_.bytes() + implicit_lattice_.bytes() + response_.bytes() +
           wall_friction_.bytes() +
           (acceleration_.capacity() + outside_.capacity() + held_acceleration_.capacity() +
            contact_change_.capacity() + transport_.capacity()) *
               sizeof(Vec3f) +
           wall_push_.capacity() * sizeof(float);
}

}  // namespace thixo
