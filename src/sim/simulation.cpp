#include "sim/simulation.h"

#include <algorithm>
#include <utility>

#include "body/body_update.h"
#include "core/permute.h"
#include "sim/derive.h"
#include "sim/divergence.h"
#include "sim/state_check.h"

namespace thixo {

Simulation::Simulation(Device device, Model model, ParticleTable particles)
    : model_(std::move(model)),
      device_(device),
      matter_(matter_settings(model_), std::move(particles)),
      walls_(model_),
      emitters_(model_),
      emitter_state_(emitters_.initial_state()),
      kinematics_(holds_of(model_), matter_.particles),
      forces_(model_),
      heat_(model_.materials, model_.ambient, model_.heaters, discretisation_of(model_)),
      transitions_(model_.materials, model_.particles.spacing, model_.seed),
      adaptivity_(model_.adaptivity, model_.materials, discretisation_of(model_), model_.seed),
      stepper_(make_stepper(model_.solver.time_step)),
      events_(std::make_unique<Events>()),
      fields_(model_),
      instruments_(model_) {
    matter_.may_freeze = transitions_.any();
    matter_.search.keep_whole(heat_.acts() || transitions_.any() || fields_.need_all_pairs());
    if (instruments_.watch_holds()) forces_.watch_holds();
}

Simulation::Simulation(Model model, ParticleTable particles, Device device, std::vector<Event> events)
    : Simulation(device, std::move(model), std::move(particles)) {
    *events_ = Events(std::move(events));
    ParticleTable& table = matter_.particles;
    for (const std::uint64_t id : table.id) clock_.next_id = std::max(clock_.next_id, id + 1);
    if (adaptivity_.active())
        for (float& mass : table.mass) mass = whole_mass(mass);
    kinematics_.prescribe_velocity(device_, table, 0, 0);
    matter_.supports.update(device_, table);
    find_neighbours();
    matter_.create_solids(device_, lattice_frames(model_, table));
    kinematics_.prescribe_bodies(matter_.solids.rigid, 0, 0);
    matter_.solids.rigid.scatter_velocities(device_, table);
    kinematics_.start(device_, model_.dimensions, clock_.time, table, matter_.solids.rigid);
    matter_.filter_pairs(device_);
    transitions_.soften(device_, matter_);
    walls_.compute(device_, matter_);
    if (adaptivity_.active()) {
        // Until nothing changes [DC99, sec. 7.1]. Sizes grow by a factor a round: the largest takes fewer.
        constexpr int most_rounds = 20;
        for (int round = 0; round < most_rounds && change_sizes(); ++round) {
        }
        walls_.compute(device_, matter_);
    }
    take({});
}

Simulation::Simulation(Model model, Snapshot snapshot, Device device, std::vector<Event> events)
    : Simulation(device, replay_events(std::move(model), snapshot, std::move(events)), std::move(snapshot)) {}

Simulation::Simulation(Device device, ChangedModel changed, Snapshot&& snapshot)
    : Simulation(device, std::move(changed.model), ParticleTable{}) {
    events_ = std::move(changed.events);
    snapshot.read([&] {
        snapshot.load(*this);
        check_state(*this);
        snapshot.sections.clear();  // before lists are built, which take most of the memory
        kinematics_.restore(clock_.time);
        walls_.move_to(clock_.time);
        matter_.restore(device_);
    });
}

void Simulation::take(const Balance& balance) {
    if (!balance.empty()) {
        place(balance, matter_.particles);
        build_lists();
        walls_.compute(device_, matter_);
    }
    matter_.pack_records(device_);
    forces_.compute_density(device_, forces_.fluid_state(device_, walls_, matter_));
    forces_.compute_pressure(device_, matter_.particles);  // without the solver: it changes velocities
    forces_.compute_fluid_forces(device_, walls_, emitters_, clock_.time, {}, {}, matter_);
    forces_.add_lattice_forces(device_, kinematics_, matter_);
    forces_.add_elastic_forces(device_, kinematics_, matter_);
    forces_.reset_evaluations();  // those of the steps are counted
    time_step_.find_limits(inputs(), forces_.elasticity_is_implicit(matter_)
                                         ? forces_.largest_acceleration()
                                         : forces_.find_largest_acceleration(device_));
}

/// The order of the stages. Between the first and the last four of them the stages run for each set of active
/// particles: once with the global stepper, as often as any particle steps with the block stepper.
void Simulation::step(double end) {
    events_->apply_due(*this);
    times_.begin();
    const double began = clock_.time;
    const auto stage = [this](Stage name, const auto& work) { times_.measure(name, work); };
    end = std::min(end, heat_.next_switch(clock_.time));
    stage(Stage::neighbours, [&] { find_neighbours(); });
    stage(Stage::phase_change, [&] { change_phases(); });
    stage(Stage::lattice,
          [&] { matter_.solids.lattice.dock(device_, matter_.particles, clock_.last_step, clock_.step); });
    stage(Stage::walls, [&] { walls_.refresh(device_, matter_); });
    for (stepper_->begin(inputs());;) {
        stage(Stage::density, [&] { compute_density(); });
        stage(Stage::pressure, [&] { compute_pressure(); });
        stage(Stage::forces, [&] { compute_forces(); });
        if (stepper_->active().solids) {
            stage(Stage::lattice, [&] { forces_.add_lattice_forces(device_, kinematics_, matter_); });
            stage(Stage::elastic, [&] { forces_.add_elastic_forces(device_, kinematics_, matter_); });
        }
        stage(Stage::time_step, [&] { stepper_->choose(inputs(), forces_, time_step_, end); });
        stage(Stage::elastic,
              [&] { stepper_->solve_elasticity(inputs(), forces_, matter_, time_step_, end); });
        stage(Stage::heat, [&] { conduct_heat(); });
        stage(Stage::integrate, [&] { kick(); });
        stage(Stage::viscosity, [&] { solve_viscosity(); });
        stage(Stage::pressure, [&] { solve_pressure(); });
        stage(Stage::contact, [&] { solve_contacts(); });
        stage(Stage::rigid, [&] { solve_rigid_contacts(); });
        stage(Stage::integrate, [&] { drift(); });
        stage(Stage::obstacles, [&] { resolve_obstacles(); });
        stage(Stage::rigid, [&] { move_rigid(); });
        stage(Stage::walls, [&] {
            walls_.update_density(device_, forces_.fluid().constants(), stepper_->active(), matter_);
        });
        if (stepper_->active().synchronised) break;
        stage(Stage::neighbours, [&] { find_neighbours(); });
    }
    stage(Stage::obstacles, [&] {
        kinematics_.start(device_, model_.dimensions, clock_.time, matter_.particles, matter_.solids.rigid);
    });
    stage(Stage::fracture, [&] { break_bodies(); });
    stage(Stage::exchange, [&] { exchange_matter(); });
    stage(Stage::adapt, [&] { adapt(); });
    instruments_.advance(clock_.time - began);
}

void Simulation::begin_frame() {
    if (std::exchange(clock_.in_frame, 1) == 1) return;
    clock_.frame_steps = 0;
    clock_.frame_step_min = clock_.frame_step_max = 0;
    instruments_.begin_frame();
}

bool Simulation::advance_frame(double frame_end, const std::function<bool()>& interrupted) {
    begin_frame();
    for (; clock_.time < frame_end; step(frame_end))
        if (interrupted()) return false;
    clock_.in_frame = 0;
    ++clock_.frame;
    return true;
}

void Simulation::build_lists() {
    const double motion = fastest(device_, matter_.particles) * clock_.last_step;
    const std::vector<Index> order =
        matter_.build_lists(device_, stepper_->skin(motion, matter_.supports.finest()));
    walls_.invalidate();
    permute_rows(device_, order, record_);
    permute_rows(device_, order, forces_);
    if (stepper_->permute(device_, order)) permute_rows(device_, order, walls_);
}

void Simulation::change_phases() {
    const auto may_freeze = [&](Index i) {
        return !adaptivity_.active() || adaptivity_.is_finest(matter_.particles.radius[i]);
    };
    BodyUpdate(device_, model_.materials, matter_)
        .apply(transitions_.find(device_, matter_, {clock_.step, clock_.last_step}, may_freeze),
               {clock_.time, clock_.frame + 1});
    transitions_.soften(device_, matter_);
    kinematics_.release_melted(device_, matter_.particles);
}

void Simulation::compute_density() {
    matter_.pack_records(device_);
    forces_.compute_density(device_, forces_.fluid_state(device_, walls_, matter_, stepper_->active().rows));
}

void Simulation::compute_pressure() {
    solve_velocities(Changes::all, {.end = clock_.time}, [&] {
        return forces_.solve_divergence(
            device_, forces_.bound_state(device_, walls_, matter_, clock_.last_step), clock_.last_step,
            [&] { return flow_step(inputs(), norm(model_.gravity)); });
    });
    forces_.compute_pressure(device_, matter_.particles);
}

void Simulation::compute_forces() {
    ForceFields::Push push;
    if (external_) push = [this](View<Vec3f> add) { external_(*this, add); };
    const View<const Vec3f> outside =
        fields_.accelerations(device_, clock_.time, matter_.particles, matter_.search.whole(), push);
    forces_.compute_fluid_forces(device_, walls_, emitters_, clock_.time, stepper_->active().rows, outside,
                                 matter_);
}

void Simulation::conduct_heat() {
    if (!heat_.acts() || !stepper_->at_start()) return;
    const View<const WallHeat> walls = walls_.compute_heat(device_, matter_, heat_);
    heat_.advance(device_,
                  {matter_.particles, matter_.search.whole(), matter_.records, walls,
                   walls_.find_heat_contacts(device_, matter_, heat_)},
                  clock_.time, stepper_->synchronisation_time() - clock_.time);
}

void Simulation::kick() {
    const ActiveRows active = stepper_->active();
    const StepLengths lengths = stepper_->lengths(matter_.particles);
    check_divergence(active.rows, lengths);
    if (instruments_.watch_holds() && active.solids)
        instruments_.add_holds(forces_.held_acceleration(), matter_.particles, active.rows, lengths);
    if (active.solids) record_.begin(matter_.solids.rigid, stepper_->step().kick);
    record_.kick(device_, active.rows, lengths, forces_.acceleration(), matter_.particles.velocity);
    if (!active.solids) return;
    const TimeStep& step = stepper_->step();
    kinematics_.prescribe_velocity(device_, matter_.particles, clock_.time, step.end);
    kinematics_.prescribe_bodies(matter_.solids.rigid, clock_.time, step.end);
    matter_.solids.rigid.kick(device_, step.kick, matter_.particles);
}

void Simulation::solve_velocities(Changes rows, const TimeStep& over, const std::function<bool()>& solve) {
    if (!solve()) return;
    if (rows == Changes::all && over.dt > 0)
        emitters_.guide_jet_velocity(device_, matter_.particles, clock_.time, over.dt);
    kinematics_.prescribe_velocity(device_, matter_.particles, clock_.time, over.end);
    matter_.solids.rigid.project_velocities(device_, matter_.particles);
    if (over.dt > 0) check_divergence({}, {.kick = 0, .drift = static_cast<float>(over.dt)});
}

void Simulation::solve_viscosity() {
    const TimeStep& step = stepper_->step();
    solve_velocities(Changes::all, step, [&] {
        return forces_.answer_changes(device_, matter_, step.dt, [&] {
            return forces_.solve_viscosity(device_, forces_.fluid_state(device_, walls_, matter_), step.kick);
        });
    });
}

void Simulation::solve_pressure() {
    const TimeStep& step = stepper_->step();
    solve_velocities(Changes::all, step, [&] {
        return forces_.solve_density(device_, forces_.bound_state(device_, walls_, matter_, step.dt), step.dt,
                                     [&] { return flow_step(inputs(), forces_.largest_acceleration()); });
    });
}

void Simulation::solve_contacts() {
    if (!stepper_->active().solids) return;
    const TimeStep& step = stepper_->step();
    solve_velocities(Changes::solids, step,
                     [&] { return forces_.solve_wall_friction(device_, walls_.walls(), step.dt, matter_); });
    solve_velocities(Changes::solids, step, [&] {
        const BodyAnswer answer = forces_.body_answer(device_, matter_, step.dt);
        return matter_.contacts.solve_deformable(device_, step.kick, step.dt, answer, matter_.particles);
    });
}

void Simulation::solve_rigid_contacts() {
    if (!stepper_->active().solids) return;
    const TimeStep& step = stepper_->step();
    const bool late = velocities_end_with_step();
    solve_velocities(Changes::solids, step, [&] {
        return forces_.answer_contacts(device_, matter_, step.dt, [&](View<const float> ease, bool again) {
            return matter_.contacts.solve_rigid(device_, walls_.walls(), step.dt, matter_.solids.rigid,
                                                matter_.particles, ease, again, late);
        });
    });
    if (instruments_.watch_walls())
        instruments_.add_rigid(walls_.walls(), rigid_contacts().memory(), rigid().rows(), matter_.particles,
                               step.dt);
}

void Simulation::check_divergence(const Rows& rows, const StepLengths& lengths) {
    thixo::check_divergence(inputs(), time_step_.limit(), stepper_->step().dt, rows, lengths,
                            forces_.fluid_state(device_, walls_, matter_));
}

void Simulation::drift() {
    stepper_->drift(device_, walls_, forces_, matter_, clock_);
    walls_.invalidate();
}

void Simulation::resolve_obstacles() {
    walls_.move_to(clock_.time);
    ParticleTable& particles = matter_.particles;
    const ActiveRows active = stepper_->active();
    const View<float> push = forces_.wall_push();
    multiply_by_drifts(device_, active.rows, stepper_->lengths(particles), push);
    const bool watch = instruments_.watch_walls();
    std::vector<Vec3f> before(watch ? particles.velocity : std::vector<Vec3f>{});
    const View<const WallFriction::Rubbed> rubbed = forces_.wall_friction().rubbed();
    std::vector<float> limit(push.begin(), rubbed.empty() ? push.begin() : push.end());  // of what is left
    for (const WallFriction::Rubbed& row : rubbed) {
        limit[row.row] = 0;
        if (watch) before[row.row] -= row.change;
    }
    walls_.push_out(device_, active.rows, rubbed.empty() ? push : View<float>(limit), particles);
    const Walls& walls = walls_.walls();
    if (watch) instruments_.add_walls(walls, walls_.terms(), push, before, active.rows, particles, support());
    if (active.solids) kinematics_.place(device_, particles, clock_.time - clock_.last_step, clock_.time);
}

void Simulation::move_rigid() {
    if (!stepper_->active().solids || matter_.solids.rigid.empty()) return;
    matter_.solids.rigid.advance(device_, clock_.last_step, matter_.particles);
}

void Simulation::break_bodies() {
    // Lists are built at once: a checkpoint has to find them made from the links and bodies that it keeps.
    if (matter_.break_bodies(device_, {clock_.time, clock_.frame + 1})) build_lists();
}

void Simulation::exchange_matter() {
    change_rows([&](ParticleTable& particles) {
        return emitters_.apply(device_, walls_.walls(), clock_.time, clock_.next_id, particles,
                               emitter_state_);
    });
}

bool Simulation::change_rows(const std::function<bool(ParticleTable& particles)>& change) {
    if (!change(matter_.particles)) return false;
    record_.clear();
    matter_.supports.update(device_, matter_.particles);
    // Lists hold numbers of rows: they are built at once, so that they fit the table between steps.
    find_neighbours();
    return true;
}

std::size_t Simulation::add_liquid(const LiquidKind& kind, std::vector<Vec3d> points) {
    const double spacing = model_.particles.spacing;
    points = points_with_room(std::move(points), 0.8 * spacing, spacing, walls_.walls(), matter_.particles);
    change_rows([&](ParticleTable& particles) {
        append_liquid(kind, points, spacing, "added liquid", clock_.next_id, particles);
        return !points.empty();
    });
    return points.size();
}

void Simulation::remove_liquid(View<const std::uint8_t> marked) {
    change_rows([&](ParticleTable& particles) { return remove_rows(device_, marked, particles); });
}

void Simulation::add_heat(View<const double> joules) {
    thixo::add_heat(device_, model_.materials, joules, matter_.particles);
}

void Simulation::adapt() {
    if (!adaptivity_.active() || matter_.particles.size() == 0) return;
    const StepCount steps = stepper_->count(inputs());
    if (!adaptivity_.may_be_due(steps.before, steps.now)) return;
    // What freezes does not move to do so: sizes are checked as often as possible.
    const auto motion = [&] {
        return fastest(device_, matter_.particles) * steps.length / matter_.supports.finest();
    };
    if (transitions_.any() || adaptivity_.is_due(steps.before, steps.now, motion())) change_sizes();
}

bool Simulation::change_sizes() {
    walls_.refresh(device_, matter_);
    ParticleTable& particles = matter_.particles;
    const auto limit = [&](View<float> sizes) {
        walls_.walls().limit_sizes(device_, particles.position, matter_.supports.rows(),
                                   static_cast<float>(model_.particles.spacing), sizes);
        emitters_.limit_jet_sizes(device_, particles, clock_.time, sizes);
        transitions_.limit_sizes(device_, matter_, Adaptivity::dividing_limit(), sizes);
    };
    if (!adaptivity_.apply(
            device_, {particles, matter_.search.whole(), matter_.supports.rows(), walls_.terms(), limit},
            clock_.step, clock_.next_id))
        return false;
    record_.clear();
    matter_.supports.update(device_, particles);
    build_lists();  // at once, as where matter comes and goes
    return true;
}

Synchronised Simulation::synchronised() const {
    StepRecord::Lengths lengths{clock_.last_step};
    if (model_.solver.time_step == TimeStepMethod::individual) lengths.own = matter_.particles.last_step;
    lengths.end_with_step = velocities_end_with_step();
    return record_.synchronise(device_, matter_, forces_, lengths);
}

std::size_t Simulation::bytes() const {
    std::size_t bytes = fields_.bytes();
    visit_parts([&]<class Part>(const Part& part) {
        if constexpr (HasMemory<Part>) bytes += part.bytes();
    });
    return bytes;
}

}  // namespace thixo
