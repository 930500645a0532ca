#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "adapt/adaptivity.h"
#include "body/matter.h"
#include "core/launch.h"
#include "core/time_step.h"
#include "heat/heat_flow.h"
#include "phase/transitions.h"
#include "sim/balance.h"
#include "sim/clock.h"
#include "sim/emitters_and_sinks.h"
#include "sim/events.h"
#include "sim/force_fields.h"
#include "sim/forces.h"
#include "sim/instruments.h"
#include "sim/kinematics.h"
#include "sim/model.h"
#include "sim/snapshot.h"
#include "sim/stage.h"
#include "sim/step_record.h"
#include "sim/stepper.h"
#include "sim/time_step_control.h"
#include "sim/wall_fields.h"

namespace thixo {

/// Matter in motion: a model, which only events change, and the particles that it moves.
class Simulation {
public:
    Simulation(Model model, ParticleTable particles, Device device = {}, std::vector<Event> events = {});
    /// Goes on from a saved state. Throws an InputError if that does not fit the model, or the events.
    Simulation(Model model, Snapshot snapshot, Device device = {}, std::vector<Event> events = {});

    /// Before the first step: moves solids that lie on something, and liquids beside them, to where their
    /// weight takes them. Bodies keep their undeformed state. Then finds densities, pressures and forces of
    /// the start, which the first frame shows, and what limits the first step, which `check` reports.
    void take(const Balance& balance);

    /// One step of the length the model allows, but not beyond `end` (s); steps share what is left before it
    /// evenly. Throws a RunError that names particle, material and cause when the state is about to run away.
    void step(double end);

    /// Particles whose forces were evaluated so far, each as often as they were.
    std::uint64_t evaluations() const { return forces_.evaluations(); }

    /// What is counted and summed over a frame begins anew, unless a frame has begun already: the first step
    /// of a frame that is taken by `step` follows this.
    void begin_frame();

    /// Steps to the end of the next frame. Returns false if `interrupted` returned true on the way.
    bool advance_frame(double frame_end, const std::function<bool()>& interrupted);

    /// Accelerations (m/s²) from outside, one for each row; `add` gets zeros and is called before the forces
    /// of every evaluation. It must follow from the state and the time alone, or the run is not repeatable.
    using ExternalAcceleration = std::function<void(const Simulation& simulation, View<Vec3f> add)>;
    void set_external_acceleration(ExternalAcceleration external) { external_ = std::move(external); }

    // What a program may change between two steps.

    /// Velocities, m/s. Rows of rigid bodies and of prescribed motions get theirs from those.
    View<Vec3f> velocities() {
        record_.clear();
        return matter_.particles.velocity;
    }
    /// Gives each row heat, J; a negative number takes it, but not below absolute zero. What melts or freezes
    /// does so in the next step.
    void add_heat(View<const double> joules);
    /// Adds particles of liquid, but for those that would start in a wall or closer than 0.8 spacings to
    /// another particle; returns how many.
    std::size_t add_liquid(const LiquidKind& kind, std::vector<Vec3d> points);
    /// Removes the rows that are marked, which must be liquid.
    void remove_liquid(View<const std::uint8_t> marked);

    /// An action of a person or a program, before the next step. Throws an InputError that says why if it
    /// makes no sense.
    void apply(Action action) { events_->apply(*this, {clock_.step, std::move(action)}); }

    /// As events made it.
    const Model& model() const { return model_; }
    const Events& events() const { return *events_; }
    const Device& device() const { return device_; }
    const ParticleTable& particles() const { return matter_.particles; }
    const Clock& clock() const { return clock_; }
    const EmittersAndSinks& emitters() const { return emitters_; }
    const EmitterState& emitter_state() const { return emitter_state_; }
    const Kinematics& kinematics() const { return kinematics_; }
    const Lineage& lineage() const { return matter_.solids.lineage; }
    const ElasticBodies& elastic() const { return matter_.solids.elastic; }
    const LatticeSolids& lattice() const { return matter_.solids.lattice; }
    const RigidBodies& rigid() const { return matter_.solids.rigid; }
    const RigidContacts& rigid_contacts() const { return matter_.contacts.rigid(); }
    const ImplicitElasticity& implicit_elasticity() const { return forces_.implicit_elasticity(); }
    const ImplicitLattice& implicit_lattice() const { return forces_.implicit_lattice(); }
    const HeatFlow& heat() const { return heat_; }
    const Adaptivity& adaptivity() const { return adaptivity_; }
    const BodyContact& contact() const { return matter_.contacts.deformable(); }
    const NeighbourSearch& neighbour_search() const { return matter_.search; }
    const Instruments& instruments() const { return instruments_; }
    const TimeStepLimit& time_step_limit() const { return time_step_.limit(); }
    double support() const { return matter_.supports.usual(); }
    /// Since `reset_stage_times`, without which none are kept.
    const StageTimes& stage_times() const { return times_; }
    void reset_stage_times() { times_.reset(); }

    /// Velocities and elastic energy at the time of the positions, for the ledger.
    Synchronised synchronised() const;

    /// Mean number of particles within a particle's support.
    double mean_neighbours() const { return matter_.mean_neighbours(device_); }

    /// The one list of what a simulation consists of: visit(part) for every part that has state, or memory
    /// that grows with the number of particles. Checkpoints, the hash of the state and the count of memory
    /// follow from it.
    template <class Self, class T>
    using same_const = std::conditional_t<std::is_const_v<Self>, const T, T>;
    template <class Self, class Visit>
    static void list_parts(Self& self, const Visit& visit) {
        visit(self.clock_);
        visit(self.matter_);
        visit(self.walls_);
        visit(self.emitter_state_);
        visit(self.kinematics_);
        visit(self.forces_);
        visit(self.heat_);
        visit(self.adaptivity_);
        visit(self.record_);
        visit(self.instruments_);
        // A pointer to something that may change is not const by itself.
        visit(static_cast<same_const<Self, Stepper>&>(*self.stepper_));
        visit(static_cast<same_const<Self, Events>&>(*self.events_));
    }
    template <class Visit>
    void visit_parts(const Visit& visit) const {
        list_parts(*this, visit);
    }

    /// All that the next step depends on: visit(name, value, order).
    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        list_parts(self, [&]<class Part>(Part& part) {
            if constexpr (HasState<Part, Visitor>) visit_state(part, visit);
        });
    }

    /// Main memory that grows with the number of particles.
    std::size_t bytes() const;

private:
    friend class EventEffects;

    /// All parts, nothing computed yet.
    Simulation(Device device, Model model, ParticleTable particles);
    Simulation(Device device, ChangedModel changed, Snapshot&& snapshot);

    void find_neighbours() {
        if (!matter_.lists_are_current(device_)) build_lists();
    }
    void build_lists();
    void change_phases();
    void compute_density();
    void compute_pressure();
    void compute_forces();
    void conduct_heat();
    void kick();
    void solve_viscosity();
    void solve_pressure();
    void solve_contacts();
    void solve_rigid_contacts();
    void drift();
    void resolve_obstacles();
    void move_rigid();
    void break_bodies();
    void exchange_matter();
    /// Adds rows behind the others or removes liquid rows, and returns whether it did. Lists and supports
    /// follow.
    bool change_rows(const std::function<bool(ParticleTable& particles)>& change);
    void adapt();
    bool change_sizes();

    /// The rows whose velocities a solver changes.
    enum class Changes { all, solids };
    /// Runs a solver that changes velocities and returns whether it did, over a step. Every solver runs
    /// through this function, because it restores behind each what holds for velocities whatever a solver
    /// did: jets in front of openings are guided (not again where only solids have changed), kinematic rows
    /// have their prescribed velocity, and rigid bodies take the momentum that their rows got. Refuses
    /// velocities that diverge.
    void solve_velocities(Changes rows, const TimeStep& over, const std::function<bool()>& solve);
    void check_divergence(const Rows& rows, const StepLengths& lengths);

    /// Solvers whose kick is as long as the step, without half of the last one, have velocities of its end.
    bool velocities_end_with_step() const { return forces_.pressure().kick(0, 1) == 1; }

    StepInputs inputs() const {
        return {model_, device_, clock_, matter_, walls_, forces_, emitters_, kinematics_};
    }

    Model model_;
    Device device_;
    Clock clock_;
    Matter matter_;
    WallFields walls_;
    EmittersAndSinks emitters_;
    EmitterState emitter_state_;
    Kinematics kinematics_;
    Forces forces_;
    HeatFlow heat_;
    PhaseTransitions transitions_;
    Adaptivity adaptivity_;
    TimeStepControl time_step_;
    std::unique_ptr<Stepper> stepper_;
    std::unique_ptr<Events> events_;  ///< which may replace all else here
    StepRecord record_;
    ForceFields fields_;
    Instruments instruments_;
    ExternalAcceleration external_;  ///< empty: there is none
    StageTimes times_;
};

}  // namespace thixo
