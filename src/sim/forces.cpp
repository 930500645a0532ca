#include "sim/forces.h"

#include <cmath>

#include "core/permute.h"

namespace thixo {

namespace {

double support_of(const Model& model) { return model.particles.support * model.particles.spacing; }

}  // namespace

Forces::Forces(const Model& model)
    : gravity_(to_float(model.gravity)),
      implicit_(model.solver.elasticity == ElasticIntegrator::implicit),
      viscosity_solved_(model.solver.viscosity == ViscosityMethod::implicit),
      by_continuity_(model.solver.density == DensityMethod::continuity),
      smoothed_(model.solver.xsph > 0),
      fluid_(model.materials, model.solver, model.solver.kernel, support_of(model), model.dimensions,
             model.particles.spacing),
      dfsph_(model.solver.dfsph, model.solver.kernel, support_of(model), model.dimensions,
             model.particles.spacing),
      implicit_viscosity_(model.solver.viscosity_error, model.solver.kernel, support_of(model),
                          model.dimensions),
      implicit_elasticity_(model.solver) {}

FluidState Forces::fluid_state(const Device& device, const WallFields& walls, Matter& matter,
                               const Rows& rows) const {
    FluidState state{matter.particles, matter.search.view(), walls.terms(), walls.motion(),
                     matter.supports.mixed()};
    state.rows = rows;
    state.acceleration = acceleration_;
    state.gravity = gravity_;
    if (const RigidBodies& rigid = matter.solids.rigid; !rigid.empty())
        state.bind = [&rigid, &device](View<Packed4> records) { rigid.project_records(device, records); };
    return state;
}

void Forces::compute_density(const Device& device, const FluidState& state) {
    evaluations_ += state.rows.all ? state.particles.size() : state.rows.list.size();
    if (incompressible()) return dfsph_.prepare(device, state, fluid_);
    fluid_.compute_density(device, state);
}

void Forces::compute_pressure(const Device& device, ParticleTable& particles) {
    fluid_.compute_pressure(device, particles);
}

void Forces::compute_fluid_forces(const Device& device, const WallFields& walls,
                                  const EmittersAndSinks& emitters, double time, const Rows& rows,
                                  Matter& matter) {
    const Index n = matter.particles.size();
    acceleration_.resize(n);
    wall_push_.resize(n);
    launch(device, n, rows, [g = gravity_, a = View(acceleration_)](Index i) { a[i] = g; });
    fluid_.compute_forces(device, fluid_state(device, walls, matter, rows), acceleration_, wall_push_);
    emitters.guide_jets(device, matter.particles, time, acceleration_, rows);
}

void Forces::add_lattice_forces(const Device& device, Matter& matter) {
    matter.solids.lattice.add_forces(device, matter.particles, acceleration_);
}

void Forces::add_elastic_forces(const Device& device, const Kinematics& kinematics, Matter& matter) {
    // Elastic forces that are solved for do not limit the step: it need not follow what they would do alone.
    if (elasticity_is_implicit(matter)) {
        kinematics.clear_acceleration(device, matter.particles, acceleration_);
        const View<const Vec3f> a(acceleration_);
        largest_ =
            std::sqrt(reduce_max(device, matter.particles.size(), 0.f, [=](Index i) { return norm2(a[i]); }));
    }
    matter.solids.elastic.add_forces(device, matter.particles, acceleration_);
    matter.solids.rigid.gather_forces(device, acceleration_);
    kinematics.clear_acceleration(device, matter.particles, acceleration_);
}

double Forces::find_largest_acceleration(const Device& device) {
    const View<const Vec3f> a(acceleration_);
    largest_ = std::sqrt(reduce_max(device, static_cast<Index>(acceleration_.size()), 0.f,
                                    [=](Index i) { return norm2(a[i]); }));
    return double{largest_};
}

bool Forces::solve_divergence(const Device& device, const FluidState& state, double last_step,
                              const std::function<double()>& flow_step) {
    if (!incompressible()) return false;
    dfsph_.solve_divergence(device, state, fluid_, last_step, flow_step());
    return true;
}

bool Forces::solve_density(const Device& device, const FluidState& state, double dt,
                           const std::function<double()>& flow_step) {
    if (!incompressible()) return false;
    dfsph_.solve_density(device, state, fluid_, dt, flow_step(), wall_push_);
    return true;
}

bool Forces::solve_viscosity(const Device& device, const FluidState& state, double dt) {
    if (!viscosity_solved_) return false;
    implicit_viscosity_.solve(device, state, fluid_, dt);
    return true;
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

void Forces::permute(const Device& device, View<const Index> order) {
    thixo::permute(device, order, wall_push_);
    thixo::permute(device, order, acceleration_);
}

std::size_t Forces::bytes() const {
    return fluid_.bytes() + dfsph_.bytes() + implicit_viscosity_.bytes() + implicit_elasticity_.bytes() +
           (acceleration_.capacity() + transport_.capacity()) * sizeof(Vec3f) +
           wall_push_.capacity() * sizeof(float);
}

}  // namespace thixo
