#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "adapt/adaptivity.h"
#include "body/matter.h"
#include "core/launch.h"
#include "core/time_step.h"
#include "heat/heat_flow.h"
#include "phase/transitions.h"
#include "sim/clock.h"
#include "sim/emitters_and_sinks.h"
#include "sim/forces.h"
#include "sim/kinematics.h"
#include "sim/model.h"
#include "sim/stage.h"
#include "sim/stepper.h"
#include "sim/time_step_control.h"
#include "sim/wall_fields.h"

namespace thixo {

/// A saved state: with the model, all that the future of a run depends on.
struct Snapshot {
    Clock clock;
    ParticleTable particles;
    std::vector<Vec3f> built_positions;  ///< positions when the neighbour lists were last built
    float skin = usual_skin;             ///< that they were built with
    EmitterState traffic;
    std::vector<KinematicPlace> held_places;
    Lineage lineage;
    ElasticState elastic;
    std::vector<Vec3f> elastic_guess;  ///< where implicit elasticity starts
    LatticeState lattice;
    RigidState rigid;
    std::vector<ContactMemory> rigid_contacts;
};

/// Matter in motion: an immutable model and the particles that it moves.
class Simulation {
public:
    Simulation(Model model, ParticleTable particles, Device device = {});
    Simulation(Model model, Snapshot snapshot, Device device = {});

    /// One step of the length the model allows, but not beyond `end` (s); steps share what is left before it
    /// evenly. Throws a RunError that names particle, material and cause when the state is about to run away.
    void step(double end);

    /// Particles whose forces were evaluated so far, each as often as they were.
    std::uint64_t evaluations() const { return forces_.evaluations(); }

    /// Steps to the end of the next frame. Returns false if `interrupted` asked to stop on the way.
    bool advance_frame(double frame_end, const std::function<bool()>& interrupted);

    const Model& model() const { return model_; }
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
    const HeatFlow& heat() const { return heat_; }
    const Adaptivity& adaptivity() const { return adaptivity_; }
    const BodyContact& contact() const { return matter_.contacts.deformable(); }
    const NeighbourSearch& neighbour_search() const { return matter_.search; }
    const TimeStepLimit& time_step_limit() const { return time_step_.limit(); }
    double support() const { return matter_.supports.usual(); }
    /// Since `reset_stage_times`, without which none are kept.
    const StageTimes& stage_times() const { return times_; }
    void reset_stage_times() { times_.reset(); }

    /// Mean number of particles within a particle's support.
    double mean_neighbours() const { return matter_.mean_neighbours(device_); }

    /// Main memory that grows with the number of particles.
    std::size_t bytes() const;

private:
    /// All parts, nothing computed yet.
    Simulation(Device device, Model model, ParticleTable particles);

    void find_neighbours();
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
    void adapt();
    bool change_sizes();

    /// The rows whose velocities a solver changes.
    enum class Changes { all, solids };
    /// Runs a solver that changes velocities and returns whether it did, over a step. Every solver runs through this
    /// function, because it restores behind each what holds for velocities whatever a solver did: jets in front of openings are
    /// guided (not again where only solids have changed), kinematic rows have their prescribed velocity, and rigid bodies take
    /// the momentum that their rows got. Refuses velocities that diverge.
    void solve_velocities(Changes rows, const TimeStep& over, const std::function<bool()>& solve);
    void check_divergence(const Rows& rows, const StepLengths& lengths);

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
    StageTimes times_;
};

}  // namespace thixo
