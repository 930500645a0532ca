#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "adapt/adaptivity.h"
#include "collide/body_contact.h"
#include "collide/walls.h"
#include "core/launch.h"
#include "core/time_step.h"
#include "elastic/elastic_bodies.h"
#include "elastic/implicit.h"
#include "fluid/fluid.h"
#include "heat/heat_flow.h"
#include "heat/phase_chance.h"
#include "heat/phase_rule.h"
#include "lattice/lattice_solids.h"
#include "particles/bodies.h"
#include "particles/table.h"
#include "rigid/parts.h"
#include "rigid/rigid_bodies.h"
#include "rigid/rigid_contacts.h"
#include "sim/exchange.h"
#include "sim/held.h"
#include "sim/model.h"
#include "sim/paces.h"
#include "sim/phase_changes.h"
#include "sim/stage.h"
#include "sph/half_space.h"
#include "sph/neighbours.h"
#include "sph/pair_records.h"

namespace thixo {

/// Where a simulation stands in time, and what its steps were like since the last frame. Saved in
/// checkpoints.
struct Clock {
    double time = 0;          ///< s
    double last_step = 0;     ///< s, length of the last step; velocities are half of it behind the positions
    std::uint64_t step = 0;   ///< steps since the start
    std::uint64_t frame = 0;  ///< last finished frame
    std::uint64_t in_frame = 0;     ///< 1 while the next frame has begun
    std::uint64_t frame_steps = 0;  ///< steps of the last finished frame, or of the one that has begun
    double frame_step_min = 0, frame_step_max = 0;  ///< s
    std::uint64_t next_id = 0;  ///< number of the next particle that an emitter or a split makes
};

/// A saved state: with the model, all that the future of a run depends on.
struct Snapshot {
    Clock clock;
    ParticleTable particles;
    std::vector<Vec3f> built_positions;  ///< positions when the neighbour lists were last built
    float skin = usual_skin;             ///< that they were built with
    Traffic traffic;
    std::vector<HeldPlace> held_places;
    Lineage lineage;
    ElasticState elastic;
    std::vector<Vec3f> elastic_guess;  ///< where implicit elasticity starts
    LatticeState lattice;
    RigidState rigid;
    std::vector<ContactMemory> rigid_contacts;
};

/// What hangs together in solids, as `Bonds`.
struct SolidBonds {
    const ParticleTable& particles;
    const ElasticBodies& elastic;
    const LatticeSolids& lattice;
    PartLinks parts;

    template <class Visit>
    void operator()(Index row, const Visit& visit) const {
        elastic.visit_links(particles, row, visit);
        lattice.visit_docked(particles, row, visit);
        parts.visit(particles, row, visit);
    }

    /// Those for which wanted(row) holds.
    template <class Wanted, class Visit>
    void of_wanted(Index row, const Wanted& wanted, const Visit& visit) const {
        const auto ask = [&](Index other) {
            if (wanted(other)) visit(other);
        };
        elastic.visit_links(particles, row, ask);
        lattice.visit_docked(particles, row, ask);
        parts.visit_wanted(particles, row, wanted, visit);
    }
    void prefetch(Index row) const {
        elastic.prefetch_links(particles, row);
        if (particles.part[row] > 0) parts.neighbours.prefetch_list(row);
    }
};

/// Matter in motion: an immutable model and the particle table that it moves.
class Simulation {
public:
    Simulation(Model model, ParticleTable particles, Device device = {});
    Simulation(Model model, Snapshot snapshot, Device device = {});

    /// One step of the length the model allows, but not beyond `end` (s); steps share what is left before it
    /// evenly. Throws a RunError that names particle, material and cause when the state is about to run away.
    void step(double end);

    /// Particles for which forces were found so far, each as often as they were.
    std::uint64_t evaluations() const { return evaluations_; }

    /// Steps to the end of the next frame. Returns false if `interrupted` asked to stop on the way.
    bool advance_frame(double frame_end, const std::function<bool()>& interrupted);

    const Model& model() const { return model_; }
    const Device& device() const { return device_; }
    const ParticleTable& particles() const { return particles_; }
    const Clock& clock() const { return clock_; }
    const Exchange& exchange() const { return exchange_; }
    const Traffic& traffic() const { return traffic_; }
    const Held& held() const { return held_; }
    const Lineage& lineage() const { return lineage_; }
    const ElasticBodies& elastic() const { return elastic_; }
    const LatticeSolids& lattice() const { return lattice_; }
    const RigidBodies& rigid() const { return rigid_; }
    const RigidContacts& rigid_contacts() const { return rigid_contacts_; }
    const ImplicitElasticity& implicit_elasticity() const { return implicit_elasticity_; }
    const HeatFlow& heat() const { return heat_; }
    const Adaptivity& adaptivity() const { return adaptivity_; }
    const BodyContact& contact() const { return contact_; }
    const NeighbourSearch& neighbour_search() const { return search_; }
    const TimeStepLimit& time_step_limit() const { return limit_; }
    double support() const { return model_.particles.support * model_.particles.spacing; }
    Discretisation discretisation() const {
        return {model_.solver.kernel, support(), model_.dimensions, model_.particles.spacing};
    }
    /// Since `reset_stage_times`, without which none are kept.
    const StageTimes& stage_times() const { return times_; }
    void reset_stage_times() { times_.reset(); }

    /// Mean number of particles within a particle's support.
    double mean_neighbours() const;

    /// Main memory that grows with the number of particles.
    std::size_t bytes() const;

private:
    /// All parts, nothing computed yet.
    Simulation(Device device, Model model, ParticleTable particles);

    void step_together(double end);
    void find_neighbours();
    void build_lists();
    /// Within solids particles do not meet by pressure; with others they may touch. Rigid ones meet liquids alone. If only some rows
    /// have changed since it was last called, which may have linked others to each other: those.
    void separate_bodies(const PhaseChanges* changes = nullptr);
    template <class Meet>
    void filter_around(const PhaseChanges& changes, const Meet& meet);
    bool deforms() const { return !elastic_.empty() || !lattice_.empty(); }  ///< some solid
    bool has_solids() const { return deforms() || !rigid_.empty(); }
    std::vector<Mat3d> lattice_frames() const;  ///< of every object
    void dock_lattices();
    /// Finds and numbers what hangs together at the start.
    void create_bodies();
    float skin_that_pays() const;
    void change_phases();
    PhaseChanges find_phase_changes() const;
    /// Whether a row that would cross between liquid and solid does so in this step.
    bool change_happens(Index row) const;
    WeakLinks melt(PhaseChanges& changes);
    void freeze(PhaseChanges& changes, View<const std::uint32_t> weak_parts);
    /// Rows whose material's solids keep a lattice, or those whose do not.
    std::vector<Index> of_model(const std::vector<Index>& rows, bool lattice) const;
    void renumber(const PhaseChanges& changes, std::vector<std::uint32_t> weak);
    void link_elastic(PhaseChanges& changes);
    void add_rigid_rows(const PhaseChanges& changes, const Meeting& meeting,
                        std::vector<Index>& joining) const;
    void group_parts(const PhaseChanges& changes, View<const std::uint32_t> weak);
    void unlink_rigid(PhaseChanges& changes);
    void soften_bodies();
    void sense_walls(const Rows& rows = {});
    /// Senses walls unless nothing has moved since.
    void refresh_walls();
    void compute_density();
    void compute_pressure();
    void compute_forces();
    void compute_elasticity();
    float hardest_acceleration() const;  ///< m/s²
    double courant() const;              ///< how far anything may move in a step, in supports
    double fastest() const;              ///< m/s
    double weight() const;  ///< g times the depth from the highest particle to the lowest, m²/s²
    double acceleration_limit(double hardest) const;
    /// For the pressure solver: the step that velocities, weight, surface tension and accelerations up to `hardest` (m/s²) would allow.
    double flow_step(double hardest) const;
    void choose_time_step(double end);
    void find_limits();  ///< of the matter, and of what the scene does to it
    void limit_solids(double speed, TimeStepLimit& limit) const;
    void limit_by_scene(TimeStepLimit& limit) const;  ///< what nobody may step over, however slow
    void set_time_step(double seconds, double end);
    bool solves_elasticity() const;
    void solve_elasticity(double end);
    /// For `Fluid::limit_time_step`: solids press only where a stranger or a wall is within reach. Empty without solids.
    std::vector<std::uint8_t> pressing_materials() const;
    void conduct_heat();
    void kick();
    void solve_viscosity();
    void solve_pressure();
    void resolve_contacts();
    void resolve_rigid_contacts();
    void drift();
    void resolve_obstacles();
    void push_out(const Rows& rows = {});  ///< of walls
    void place_held();
    /// Bodies that are led have the mean velocity of their motion from one time to another (s).
    void lead_rigid(double from, double to);
    void move_rigid();
    void take_hold();
    void follow_walls(const Rows& rows = {});
    void break_bodies();
    SolidBonds bonds() const;
    PartLinks part_links() const;
    void exchange_matter();
    void adapt();
    void simplify();  ///< at the start, until nothing changes [DC99, sec. 7.1]
    bool change_sizes();
    void limit_freezing(View<float> sizes) const;  ///< of what is about to freeze

    // Steps of their own; see individual_steps.cpp.
    void step_individually(double end);
    void begin_block(double end);
    void evaluate_due();
    void find_wishes();
    void choose_paces();
    void kick_due();
    void meet_solids();
    void drift_to_next();
    void finish_due();
    void cut_kicks();
    void find_density_rates();
    std::vector<std::uint8_t> tied_rows() const;
    void carry(View<const Index> order);

    FluidState fluid_state();
    void refresh_supports();
    View<const float> mixed_supports() const {
        return mixed_ ? View<const float>(supports_) : View<const float>();
    }
    double widest_support() const { return model_.adaptivity.coarsest * support(); }
    double finest_support() const { return finest_ * support(); }  ///< m, of the smallest particle

    /// Refuses velocities that would throw a particle out of its neighbourhood.
    /// `kick` is how long they are still to be accelerated (s).
    void guard_against_divergence(float kick);
    void guard_due_against_divergence();  ///< before their kick
    template <class RowOf, class KickOf, class DriftOf>
    void guard_against_divergence(Index count, const RowOf& row_of, const KickOf& kick, const DriftOf& drift);
    [[noreturn]] void report_divergence(Index row, const std::string& symptom);

    Model model_;
    Device device_;
    ParticleTable particles_;
    Clock clock_;
    Exchange exchange_;
    Traffic traffic_;
    Held held_;
    Lineage lineage_;

    NeighbourSearch search_;
    PairRecords records_;
    HalfSpaceIntegral half_space_;
    Walls walls_;
    Fluid fluid_;
    ElasticBodies elastic_;
    ImplicitElasticity implicit_elasticity_;
    LatticeSolids lattice_;
    BodyContact contact_;
    RigidBodies rigid_;
    RigidContacts rigid_contacts_;
    HeatFlow heat_;
    Adaptivity adaptivity_;
    std::vector<PhaseRule> phase_rules_;  ///< of each material; empty if none ever changes its phase

    std::vector<PhaseChance> phase_chances_;  ///< of each material

    std::vector<float> supports_;  ///< H of each row
    bool mixed_ = false;           ///< not all of them are the model's
    double finest_ = 1;            ///< the smallest, in the model's
    std::vector<WallTerm> wall_terms_;
    bool walls_are_sensed_ = false;        ///< where liquids are now; never, if there is anything else
    std::vector<WallMotion> wall_motion_;  ///< empty while all walls are still and slippery
    std::vector<WallHeat> wall_heat_;      ///< empty while walls have no part in the heat
    std::vector<Vec3f> transport_;         ///< velocities that move the particles; empty without XSPH
    std::vector<Vec3f> acceleration_;
    std::vector<float> wall_push_;  ///< acceleration by walls, m/s²
    std::vector<float> contact_mass_;
    std::vector<float> stiffness_;  ///< of each row, in that of its cold material; while phases change

    Paces paces_;
    bool in_block_ = false;            ///< particles take steps of their own, and not all of them have ended
    double block_start_ = 0;           ///< s
    double block_end_ = 0;             ///< s
    double block_ = 0;                 ///< length, s
    std::vector<float> wish_;          ///< longest stable step of each row that is due, s
    std::vector<float> own_step_;      ///< that each row is taking, s
    std::vector<float> density_rate_;  ///< kg/m³/s
    std::vector<float> old_share_;     ///< of walls, of rows that are due
    std::vector<std::uint8_t> pressing_;
    std::uint64_t evaluations_ = 0;

    float hardest_ = 0;     ///< largest acceleration that counts for the length of a step, m/s²
    double dt_ = 0;         ///< length of the current step, s
    double kick_ = 0;       ///< how long velocities are accelerated in it, s
    double next_time_ = 0;  ///< time at its end
    TimeStepLimit limit_;
    StageTimes times_;
};

}  // namespace thixo
