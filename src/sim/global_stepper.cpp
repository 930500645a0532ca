#include "sim/global_stepper.h"

#include <algorithm>
#include <cmath>

#include "particles/position.h"
#include "sim/rigid_parts_of.h"

namespace thixo {

void GlobalStepper::choose(const StepInputs& in, Forces& forces, TimeStepControl& control, double end) {
    const double largest = forces.elasticity_is_implicit(in.matter)
                               ? forces.largest_acceleration()
                               : forces.find_largest_acceleration(in.device);
    control.find_limits(in, largest);
    step_ = fit_step(in, control.limit().seconds * in.model.solver.time_step_scale, end);
}

void GlobalStepper::solve_elasticity(const StepInputs& in, Forces& forces, Matter& matter,
                                     TimeStepControl& control, double end) {
    if (!forces.elasticity_is_implicit(matter)) return;
    ElasticBodies& elastic = matter.solids.elastic;
    LatticeSolids& lattice = matter.solids.lattice;
    const ParticleTable& particles = matter.particles;
    ImplicitElasticity& solver = forces.implicit_elasticity();
    ImplicitLattice& lattice_solver = forces.implicit_lattice();
    solver.begin(in.device, elastic, particles, forces.acceleration(), rigid_parts_of(matter));
    if (!lattice.empty())
        lattice_solver.begin(in.device, lattice, particles, forces.acceleration(),
                             forces.outside_acceleration());
    // The length of the step was chosen by the velocities before it. A body that springs back may be faster
    // after it: then the step was too long, and is solved for again.
    constexpr int most_attempts = 10;
    const double farthest =
        std::min(courant(forces) * matter.supports.usual(), 0.6 * matter.contacts.deformable().longest_way());
    for (int k = 0; k < most_attempts; ++k) {
        solver.solve(in.device, elastic, particles, step_.kick, step_.dt, forces.acceleration());
        if (!lattice.empty())
            lattice_solver.solve(in.device, lattice, particles, step_.kick, step_.dt, forces.acceleration());
        const double speed = std::sqrt(
            reduce_max(in.device, particles.size(), 0.f,
                       [kick = static_cast<float>(step_.kick), v = View<const Vec3f>(particles.velocity),
                        a = in.forces.acceleration()](Index i) { return norm2(v[i] + kick * a[i]); }));
        if (!(speed * step_.dt > 1.5 * farthest)) break;
        control.tighten(farthest / speed, "elastic motion");
        step_ = fit_step(in, std::max(0.25 * step_.dt, control.limit().seconds), end);
    }
    // Rigid clusters feel what their elastic neighbours have turned out to exert.
    const RigidRows& rigid = solver.rigid();
    for (Index k = 0; k < rigid.of.parts.size(); ++k) {
        const Twist more = rigid.of.times_mass(k, rigid.solution[k]);
        matter.solids.rigid.add_force(rigid.of.parts[k].cluster, more.linear, more.angular);
    }
}

void GlobalStepper::drift(const Device& device, const WallFields& walls, Forces& forces, Matter& matter,
                          Clock& clock) {
    const FluidState state = forces.fluid_state(device, walls, matter);
    const View<const Vec3f> transport = forces.transport_velocity(device, state);
    const auto dt = static_cast<float>(step_.dt);
    forces.advance_density(device, state, transport, dt);
    ParticleTable& particles = matter.particles;
    launch(device, particles.size(),
           [=, elastic = View<const std::uint32_t>(particles.elastic_index), x = View(particles.position),
            low = View(particles.position_low)](Index i) {
               if (elastic[i] == no_index) {
                   x[i] += dt * transport[i];
               } else {
                   move(x[i], low[i], dt * transport[i]);
               }
           });
    clock.record_steps(step_.dt, step_.dt, clock.frame_steps == 0);
    clock.time = step_.end;
    clock.last_step = step_.dt;
    ++clock.step;
    ++clock.frame_steps;
}

/// Passes over the pairs take a third longer with a skin. Where the flow uses it up within a step, lists are
/// built without.
float GlobalStepper::skin(double motion, double finest_support) const {
    return motion < 0.5 * usual_skin * finest_support ? usual_skin : 0.f;
}

StepCount GlobalStepper::count(const StepInputs& in) const {
    return {in.clock.step - 1, in.clock.step, in.clock.last_step};
}

}  // namespace thixo
