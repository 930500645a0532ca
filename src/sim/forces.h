#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "body/matter.h"
#include "elastic/implicit.h"
#include "fluid/fluid.h"
#include "heat/expansion.h"
#include "lattice/implicit_lattice.h"
#include "sim/active_rows.h"
#include "sim/body_response.h"
#include "sim/emitters_and_sinks.h"
#include "sim/kinematics.h"
#include "sim/model.h"
#include "sim/wall_fields.h"
#include "sim/wall_friction.h"

namespace thixo {

/// Densities, pressures and accelerations, for all rows or the active ones: the evaluation that both steppers
/// share. And the solvers of what is not explicit: incompressible pressure, implicit viscosity, implicit
/// elasticity.
class Forces {
public:
    explicit Forces(const Model& model);

    /// What the pair loops of the fluid work on.
    FluidState fluid_state(const Device& device, const WallFields& walls, Matter& matter,
                           const Rows& rows = {}) const;

    /// The same for solvers whose impulses act on bodies over a step of dt (s), which answer them as rigid
    /// bodies, or elastic ones that are implicit. Holds until it is called again.
    FluidState bound_state(const Device& device, const WallFields& walls, Matter& matter, double dt);

    /// How bodies answer the impulses of contacts in a step of dt (s).
    BodyAnswer body_answer(const Device& device, Matter& matter, double dt);

    /// Runs a solver that changes velocities of single rows, over dt (s), and lets implicit elastic bodies
    /// answer what it did to theirs. Returns what it returns: whether it did.
    bool answer_changes(const Device& device, Matter& matter, double dt, const std::function<bool()>& solve);

    /// The same for contacts, solve(ease, again), whose impulses have to stop whole bodies: the solver learns
    /// from the answers how easily each elastic body moves (RigidContacts::solve), and goes on until little
    /// is left.
    bool answer_contacts(const Device& device, Matter& matter, double dt,
                         const std::function<bool(View<const float>, bool)>& solve);

    // One evaluation, in this order.
    void compute_density(const Device& device, const FluidState& state);
    void compute_pressure(const Device& device, ParticleTable& particles);
    /// Gravity, pressure, viscosity, surface tension and accelerations from outside (m/s², empty: none); in
    /// front of openings the acceleration of the jet instead.
    void compute_fluid_forces(const Device& device, const WallFields& walls, const EmittersAndSinks& emitters,
                              double time, const Rows& rows, View<const Vec3f> external, Matter& matter);
    /// Forces of lattice solids; those that are implicit do not limit the step, nor those of elastic bodies.
    void add_lattice_forces(const Device& device, const Kinematics& kinematics, Matter& matter);
    /// Elastic forces; then rigid bodies sum up the accelerations of their rows, and kinematic rows have
    /// none.
    void add_elastic_forces(const Device& device, const Kinematics& kinematics, Matter& matter);

    /// The largest acceleration (m/s²) that counts for the length of a step, found anew.
    double find_largest_acceleration(const Device& device);
    double largest_acceleration() const { return double{largest_}; }

    /// The solvers below change velocities. Each returns whether it did. `flow_step` finds the step (s) that
    /// the flow alone would allow.
    bool solve_divergence(const Device& device, const FluidState& state, double last_step,
                          const FlowStep& flow_step);
    bool solve_density(const Device& device, const FluidState& state, double dt, const FlowStep& flow_step);
    bool solve_viscosity(const Device& device, const FluidState& state, double dt);

    /// Velocities that move particles: those of the table, or smoothed ones [XSPH].
    View<const Vec3f> transport_velocity(const Device& device, const FluidState& state);
    /// The continuity equation over one step of dt (s), where densities follow it.
    void advance_density(const Device& device, const FluidState& state, View<const Vec3f> transport,
                         float dt);
    /// The rates of the densities of active rows that take steps of these lengths (s).
    void find_density_rates(const Device& device, const FluidState& state, View<const float> steps,
                            View<float> rates);

    /// From now on `held_acceleration` is what forces would give kinematic rows (m/s²), which do not follow
    /// them.
    void watch_holds() { watch_holds_ = true; }
    View<const Vec3f> held_acceleration() const { return held_acceleration_; }

    const PressureSolver& pressure() const { return fluid_.pressure(); }
    /// Whether implicit elasticity replaces the accelerations of elastic rows and of those of lattices.
    bool elasticity_is_implicit(const Matter& matter) const {
        return implicit_ && matter.solids.deformable();
    }
    /// Whether elastic bodies answer the impulses of solvers as a whole.
    bool bodies_answer(const Matter& matter) const { return answers_ && elasticity_is_implicit(matter); }
    /// Friction of implicit elastic bodies at walls, over a step of dt (s). Returns whether it changed
    /// velocities.
    bool solve_wall_friction(const Device& device, const Walls& walls, double dt, Matter& matter);
    const WallFriction& wall_friction() const { return wall_friction_; }
    ImplicitElasticity& implicit_elasticity() { return implicit_elasticity_; }
    const ImplicitElasticity& implicit_elasticity() const { return implicit_elasticity_; }
    ImplicitLattice& implicit_lattice() { return implicit_lattice_; }
    const ImplicitLattice& implicit_lattice() const { return implicit_lattice_; }
    /// Accelerations by all forces but those of lattices, where these are implicit.
    View<const Vec3f> outside_acceleration() const { return outside_; }
    const Fluid& fluid() const { return fluid_; }

    View<const Vec3f> acceleration() const { return acceleration_; }
    View<Vec3f> acceleration() { return acceleration_; }
    View<float> wall_push() { return wall_push_; }  ///< acceleration by the pressure of walls, m/s²
    /// Particles whose forces were evaluated so far, each as often as they were.
    std::uint64_t evaluations() const { return evaluations_; }
    void reset_evaluations() { evaluations_ = 0; }

    /// Arrays with an entry for each row that last from one set of active rows to the next.
    template <class Visit>
    void visit_rows(const Visit& visit) {
        visit(acceleration_);
        visit(wall_push_);
    }
    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        visit_state(self.implicit_elasticity_, visit);
    }

    std::size_t bytes() const;

private:
    /// What impulses on the rows of an elastic body would do to free particles, Σ J²/m, and what they did, Σ
    /// J·Δv.
    struct Work {
        double free = 0, done = 0;
    };
    /// Lets bodies answer what a solver changed, from motions `before` of the rigid parts on. `ease`: as the
    /// solver took it.
    std::vector<Work> take_up(const Device& device, Matter& matter, const std::vector<Twist>& before,
                              View<const float> ease);

    Vec3f gravity_;
    std::vector<ThermalExpansion> expansion_;  ///< of each material; empty where none expands
    bool implicit_;                            ///< elasticity
    bool answers_;                             ///< pressure is solved for
    bool by_continuity_, smoothed_;
    Fluid fluid_;
    ImplicitElasticity implicit_elasticity_;
    ImplicitLattice implicit_lattice_;
    std::vector<Vec3f> outside_;  ///< accelerations but for those by lattices, where they are implicit
    BodyResponse response_;
    WallFriction wall_friction_;
    std::vector<Vec3f> contact_change_;  ///< of each member of contacts, as if it were free, m/s
    std::vector<Vec3f> acceleration_;    ///< m/s²
    std::vector<float> wall_push_;
    std::vector<Vec3f> held_acceleration_;  ///< empty unless it is watched
    bool watch_holds_ = false;
    std::vector<Vec3f> transport_;  ///< empty without XSPH
    float largest_ = 0;
    std::uint64_t evaluations_ = 0;
};

}  // namespace thixo
