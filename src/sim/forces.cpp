#include "sim/forces.h"

#include <algorithm>
#include <cmath>

#include "sim/derive.h"
#include "sim/largest.h"

namespace thixo {

Forces::Forces(const Model& model)
    : gravity_(to_float(model.gravity)),
      implicit_(model.solver.elasticity == ElasticIntegrator::implicit),
      by_continuity_(model.solver.density == DensityMethod::continuity),
      smoothed_(model.solver.xsph > 0),
      fluid_(model.materials, model.solver, discretisation_of(model), model.contact_angles),
      implicit_elasticity_(model.solver) {
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

void Forces::add_lattice_forces(const Device& device, Matter& matter) {
    matter.solids.lattice.add_forces(device, matter.particles, acceleration_);
}

void Forces::add_elastic_forces(const Device& device, const Kinematics& kinematics, Matter& matter) {
    // Elastic forces that are solved for do not limit the step: it need not follow what they would do alone.
    held_acceleration_.clear();
    if (elasticity_is_implicit(matter)) {
        if (watch_holds_) held_acceleration_ = acceleration_;
        kinematics.clear_acceleration(device, matter.particles, acceleration_);
        find_largest_acceleration(device);
    }
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
    return fluid_.bytes() + implicit_elasticity_.bytes() +
           (acceleration_.capacity() + held_acceleration_.capacity() + transport_.capacity()) *
               sizeof(Vec3f) +
           wall_push_.capacity() * sizeof(float);
}

}  // namespace thixo
