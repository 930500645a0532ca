#include "sim/simulation.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "particles/position.h"
#include "sim/wall_contacts.h"

namespace thixo {

namespace {

/// How much heavier than it is a held particle is to those who run into it.
constexpr float immovable = 1e6f;

}  // namespace

Simulation::Simulation(Device device, Model model, ParticleTable particles)
    : model_(std::move(model)),
      device_(device),
      particles_(std::move(particles)),
      exchange_(model_),
      traffic_(exchange_.no_traffic()),
      held_(model_.holds, particles_),
      records_(model_.materials, discretisation()),
      half_space_(discretisation()),
      walls_(model_.obstacles, model_.dimensions, widest_support()),
      fluid_(model_.materials, model_.solver, discretisation()),
      elastic_(model_.materials, model_.solver, model_.solver.kernel, support(), model_.dimensions,
               model_.particles.spacing),
      implicit_elasticity_(model_.solver),
      lattice_(model_.materials, model_.solver.kernel, support(), model_.dimensions, model_.particles.spacing,
               model_.seed),
      contact_(model_.materials, discretisation()),
      rigid_(model_.materials, discretisation()),
      rigid_contacts_(model_.materials, model_.particles.spacing, norm(model_.gravity)),
      heat_(model_.materials, model_.ambient, model_.heaters, discretisation()),
      adaptivity_(model_.adaptivity, model_.materials, discretisation(), model_.seed) {
    for (const Material& material : model_.materials) {
        phase_rules_.emplace_back(material);
        phase_chances_.emplace_back(material);
    }
    const auto changes = [](const PhaseRule& rule) { return rule.changes; };
    if (std::none_of(phase_rules_.begin(), phase_rules_.end(), changes)) phase_rules_.clear();
    search_.keep_whole(heat_.acts() || !phase_rules_.empty());
}

Simulation::Simulation(Model model, ParticleTable particles, Device device)
    : Simulation(device, std::move(model), std::move(particles)) {
    for (const std::uint64_t id : particles_.id) clock_.next_id = std::max(clock_.next_id, id + 1);
    if (adaptivity_.active())
        for (float& mass : particles_.mass) mass = whole_mass(mass);
    held_.lead(device_, particles_, 0, 0);
    // The first frame shows densities and pressures too, and `check` asks for the first time step.
    refresh_supports();
    find_neighbours();
    create_bodies();
    separate_bodies();
    soften_bodies();
    sense_walls();
    simplify();
    compute_density();
    fluid_.compute_pressure(device_, particles_);  // without `solve_divergence`, which changes velocities
    compute_forces();
    lattice_.add_forces(device_, particles_, acceleration_);
    compute_elasticity();
    choose_time_step(std::numeric_limits<double>::infinity());
}

std::vector<Mat3d> Simulation::lattice_frames() const {
    std::vector<Mat3d> frames = model_.lattice_frames;
    for (const std::uint16_t object : particles_.object)
        if (object >= frames.size()) frames.resize(object + 1u, identity<double>());
    return frames;
}

Simulation::Simulation(Model model, Snapshot snapshot, Device device)
    : Simulation(device, std::move(model), std::move(snapshot.particles)) {
    clock_ = snapshot.clock;
    traffic_ = std::move(snapshot.traffic);
    held_ = Held(model_.holds, std::move(snapshot.held_places), clock_.time);
    lineage_ = std::move(snapshot.lineage);
    walls_.move_to(clock_.time);
    // The lists must come out as they were, so they are built from the positions they were built from. The
    // rows are in that order already.
    refresh_supports();
    search_.set_skin(snapshot.skin);
    search_.sort(device_, snapshot.built_positions, supports_);
    search_.build(device_, snapshot.built_positions, supports_);
    elastic_.restore(device_, particles_, snapshot.elastic);
    implicit_elasticity_.restore(std::move(snapshot.elastic_guess));
    lattice_.restore(device_, particles_, snapshot.lattice);
    rigid_.restore(device_, particles_, std::move(snapshot.rigid));
    rigid_contacts_.restore(std::move(snapshot.rigid_contacts));
    separate_bodies();
}

void Simulation::step(double end) {
    times_.begin();
    end = std::min(end, heat_.next_switch(clock_.time));
    times_.measure(Stage::neighbours, [&] { find_neighbours(); });
    times_.measure(Stage::phase_change, [&] { change_phases(); });
    times_.measure(Stage::phase_change, [&] { held_.drop_liquids(device_, particles_); });
    times_.measure(Stage::lattice, [&] { dock_lattices(); });
    times_.measure(Stage::walls, [&] { refresh_walls(); });
    if (model_.solver.time_step == TimeStepMethod::individual)
        step_individually(end);
    else
        step_together(end);
    times_.measure(Stage::fracture, [&] { break_bodies(); });
    times_.measure(Stage::exchange, [&] { exchange_matter(); });
    times_.measure(Stage::adapt, [&] { adapt(); });
}

void Simulation::step_together(double end) {
    times_.measure(Stage::density, [&] { compute_density(); });
    times_.measure(Stage::pressure, [&] { compute_pressure(); });
    times_.measure(Stage::forces, [&] { compute_forces(); });
    times_.measure(Stage::lattice, [&] { lattice_.add_forces(device_, particles_, acceleration_); });
    times_.measure(Stage::elastic, [&] { compute_elasticity(); });
    times_.measure(Stage::time_step, [&] { choose_time_step(end); });
    times_.measure(Stage::elastic, [&] { solve_elasticity(end); });
    times_.measure(Stage::heat, [&] { conduct_heat(); });
    times_.measure(Stage::integrate, [&] { kick(); });
    times_.measure(Stage::viscosity, [&] { solve_viscosity(); });
    times_.measure(Stage::pressure, [&] { solve_pressure(); });
    times_.measure(Stage::contact, [&] { resolve_contacts(); });
    times_.measure(Stage::rigid, [&] { resolve_rigid_contacts(); });
    times_.measure(Stage::integrate, [&] { drift(); });
    times_.measure(Stage::obstacles, [&] { resolve_obstacles(); });
    times_.measure(Stage::obstacles, [&] { place_held(); });
    times_.measure(Stage::rigid, [&] { move_rigid(); });
    times_.measure(Stage::obstacles, [&] { take_hold(); });
    times_.measure(Stage::walls, [&] { follow_walls(); });
    evaluations_ += particles_.size();
}

bool Simulation::advance_frame(double frame_end, const std::function<bool()>& interrupted) {
    if (!clock_.in_frame) {
        clock_.in_frame = 1;
        clock_.frame_steps = 0;
        clock_.frame_step_min = clock_.frame_step_max = 0;
    }
    while (clock_.time < frame_end) {
        if (interrupted()) return false;
        step(frame_end);
    }
    clock_.in_frame = 0;
    ++clock_.frame;
    return true;
}

void Simulation::find_neighbours() {
    if (!search_.is_current(device_, particles_.position, supports_)) build_lists();
}

void Simulation::build_lists() {
    search_.set_skin(skin_that_pays());
    const std::vector<Index> order = search_.sort(device_, particles_.position, supports_);
    particles_.permute(device_, order);
    if (in_block_) carry(order);
    walls_are_sensed_ = false;
    refresh_supports();
    search_.build(device_, particles_.position, supports_);
    elastic_.locate(device_, particles_);
    separate_bodies();
}

void Simulation::create_bodies() {
    elastic_.create(device_, particles_, search_.whole());
    lattice_.create(device_, particles_, lattice_frames());
    lattice_.collect(device_, particles_, search_.whole());
    dock_lattices();
    number_parts(part_links(), particles_);
    number_bodies(bonds(), particles_, lineage_);
    rigid_.regroup(device_, particles_, search_.whole());
    lead_rigid(0, 0);
    rigid_.impose(device_, particles_);
    take_hold();
}

void Simulation::dock_lattices() { lattice_.dock(device_, particles_, clock_.last_step, clock_.step); }

/// Passes over the pairs take a third longer with a skin. Where flow is about to use it up at once, lists are as good without.
float Simulation::skin_that_pays() const {
    if (model_.solver.time_step == TimeStepMethod::individual) return usual_skin;
    return fastest() * clock_.last_step < 0.5 * usual_skin * finest_support() ? usual_skin : 0.f;
}

void Simulation::sense_walls(const Rows& rows) {
    wall_terms_.resize(particles_.size());
    if (walls_.act_on_velocity()) wall_motion_.resize(particles_.size());
    const View<const Phase> phase(particles_.phase);
    walls_.sense(device_, particles_.position, half_space_, wall_terms_, wall_motion_,
                 {mixed_supports(), fluid_.pressure().wall_form(), phase, rows});
    if (!has_solids() || (!rows.all && !paces_.tied_are_due())) return;
    rigid_.add_shares(device_, wall_terms_, wall_motion_);
    if (!deforms()) return;
    launch(
        device_, particles_.size(), rows,
        [slot = View<const std::uint32_t>(particles_.slot), site = View<const std::uint32_t>(particles_.site),
         part = View<const std::uint32_t>(particles_.part), elastic = elastic_.shares(),
         lattice = lattice_.shares(), out = View(wall_terms_)](Index i) {
            // At the interface of rigid and elastic parts both know of neighbours that are the same.
            if (slot[i] != no_slot)
                out[i].share =
                    part[i] > 0 ? std::max(out[i].share, elastic[slot[i]]) : out[i].share + elastic[slot[i]];
            if (site[i] != no_slot) out[i].share += lattice[site[i]];
        });
}

void Simulation::refresh_walls() {
    if (!walls_are_sensed_) sense_walls();
}

FluidState Simulation::fluid_state() {
    FluidState state{particles_, search_.view(), records_, wall_terms_, wall_motion_};
    state.acceleration = acceleration_;
    state.gravity = to_float(model_.gravity);
    if (!rigid_.empty()) state.bind = [this](View<Packed4> records) { rigid_.bind(device_, records); };
    return state;
}

void Simulation::compute_density() {
    records_.pack(device_, particles_, mixed_supports());
    fluid_.compute_density(device_, fluid_state());
}

void Simulation::compute_pressure() {
    if (fluid_.solve_divergence(device_, fluid_state(), clock_.last_step,
                                [this] { return flow_step(norm(model_.gravity)); })) {
        held_.lead(device_, particles_, clock_.time, clock_.time);
        rigid_.take(device_, particles_);
    }
    fluid_.compute_pressure(device_, particles_);
}

void Simulation::compute_forces() {
    acceleration_.assign(particles_.size(), to_float(model_.gravity));
    wall_push_.resize(particles_.size());
    fluid_.compute_forces(device_, fluid_state(), acceleration_, wall_push_);
    exchange_.guide(device_, particles_, clock_.time, acceleration_);
}

bool Simulation::solves_elasticity() const {
    return model_.solver.elasticity == ElasticIntegrator::implicit && !elastic_.empty();
}

void Simulation::compute_elasticity() {
    // Where elastic forces are solved for, the step need not follow what they would do alone.
    if (solves_elasticity()) {
        held_.still(device_, particles_, acceleration_);
        hardest_ = hardest_acceleration();
    }
    elastic_.add_forces(device_, particles_, acceleration_);
    rigid_.gather(device_, acceleration_);
    held_.still(device_, particles_, acceleration_);
    if (!solves_elasticity()) hardest_ = hardest_acceleration();
}

void Simulation::conduct_heat() {
    if (!heat_.acts()) return;
    const bool walls = walls_.any_heats() || heat_.faces_air();
    wall_heat_.resize(walls ? particles_.size() : 0);
    if (walls)
        walls_.sense_heat(device_, particles_.position, particles_.material, heat_.conductivities(),
                          half_space_, wall_heat_, mixed_supports());
    heat_.advance(device_, {particles_, search_.whole(), records_, wall_heat_}, clock_.time,
                  next_time_ - clock_.time);
}

void Simulation::kick() {
    const auto span = static_cast<float>(kick_);
    guard_against_divergence(span);
    launch(device_, particles_.size(),
           [=, a = View<const Vec3f>(acceleration_), v = View(particles_.velocity)](Index i) {
               v[i] += span * a[i];
           });
    held_.lead(device_, particles_, clock_.time, next_time_);
    lead_rigid(clock_.time, next_time_);
    rigid_.kick(device_, kick_, particles_);
}

void Simulation::solve_viscosity() {
    if (!fluid_.solve_viscosity(device_, fluid_state(), kick_)) return;
    exchange_.guide_velocity(device_, particles_, clock_.time, dt_);
    held_.lead(device_, particles_, clock_.time, next_time_);
    rigid_.take(device_, particles_);
}

void Simulation::solve_pressure() {
    if (!fluid_.solve_pressure(
            device_, fluid_state(), dt_, [this] { return flow_step(hardest_); }, wall_push_))
        return;
    exchange_.guide_velocity(device_, particles_, clock_.time, dt_);
    held_.lead(device_, particles_, clock_.time, next_time_);
    rigid_.take(device_, particles_);
    guard_against_divergence(0);
}

void Simulation::resolve_contacts() {
    if (contact_.empty()) return;
    // What is held gives way to nobody.
    contact_mass_.resize(particles_.size());
    launch(device_, particles_.size(),
           [m = View<const float>(particles_.mass), hold = View<const std::uint16_t>(particles_.hold),
            out = View(contact_mass_)](Index i) { out[i] = hold[i] > 0 ? immovable * m[i] : m[i]; });
    if (!contact_.solve(device_, particles_, contact_mass_, kick_, dt_)) return;
    held_.lead(device_, particles_, clock_.time, next_time_);
    rigid_.take(device_, particles_);
    guard_against_divergence(0);
}

void Simulation::resolve_rigid_contacts() {
    if (rigid_.empty()) return;
    rigid_contacts_.solve(
        device_,
        contacts_at_walls(device_, walls_, rigid_, rigid_contacts_, model_.materials, particles_, dt_), dt_,
        rigid_, particles_);
    guard_against_divergence(0);
}

void Simulation::drift() {
    const bool smooth = model_.solver.xsph > 0;
    if (smooth) {
        transport_.resize(particles_.size());
        fluid_.smooth_velocity(device_, fluid_state(), transport_);
    }
    const View<const Vec3f> transport(smooth ? transport_ : particles_.velocity);
    const auto dt = static_cast<float>(dt_);
    if (model_.solver.density == DensityMethod::continuity)
        fluid_.advance_density(device_, fluid_state(), transport, dt);
    launch(device_, particles_.size(),
           [=, slot = View<const std::uint32_t>(particles_.slot), x = View(particles_.position),
            low = View(particles_.position_low)](Index i) {
               if (slot[i] == no_slot) {
                   x[i] += dt * transport[i];
               } else {
                   move(x[i], low[i], dt * transport[i]);
               }
           });

    walls_are_sensed_ = false;
    clock_.time = next_time_;
    clock_.last_step = dt_;
    ++clock_.step;
    clock_.frame_step_min = clock_.frame_steps == 0 ? dt_ : std::min(clock_.frame_step_min, dt_);
    clock_.frame_step_max = clock_.frame_steps == 0 ? dt_ : std::max(clock_.frame_step_max, dt_);
    ++clock_.frame_steps;
}

void Simulation::resolve_obstacles() {
    walls_.move_to(clock_.time);
    const auto dt = static_cast<float>(dt_);
    launch(device_, particles_.size(), [=, push = View(wall_push_)](Index i) { push[i] *= dt; });
    push_out();
}

void Simulation::push_out(const Rows& rows) {
    const ResolveContacts resolve{.walls = walls_.view(),
                                  .nearest = 0.4f,
                                  .touching = 1.5f,
                                  .radius = View<const float>(particles_.radius),
                                  .push = View<const float>(wall_push_),
                                  .x = particles_.position,
                                  .v = particles_.velocity};
    launch(device_, particles_.size(), rows, [=, phase = View<const Phase>(particles_.phase)](Index i) {
        if (phase[i] != Phase::rigid) resolve(i);
    });
}

void Simulation::place_held() {
    held_.place(device_, particles_, clock_.time - clock_.last_step, clock_.time);
}

void Simulation::lead_rigid(double from, double to) {
    rigid_.lead(held_.poses_at(from), held_.poses_at(to), to - from);
}

void Simulation::move_rigid() {
    if (rigid_.empty()) return;
    rigid_.advance(device_, clock_.last_step, particles_);
}

void Simulation::take_hold() {
    if (!held_.take(model_.dimensions, clock_.time, particles_) || rigid_.empty()) return;
    rigid_.follow_holds(device_, particles_);
    lead_rigid(clock_.time, clock_.time);
    rigid_.impose(device_, particles_);
}

void Simulation::follow_walls(const Rows& rows) {
    if (model_.solver.density != DensityMethod::continuity) return;
    // The continuity equation brought the fluid's share of the density to its new place; the walls' share is
    // known there.
    old_share_.resize(particles_.size());
    launch(device_, particles_.size(), rows,
           [walls = View<const WallTerm>(wall_terms_), out = View(old_share_)](Index i) {
               out[i] = walls[i].share;
           });
    sense_walls(rows);
    launch(device_, particles_.size(), rows,
           [old = View<const float>(old_share_), now = View<const WallTerm>(wall_terms_),
            constants = fluid_.constants(), material = View<const std::uint16_t>(particles_.material),
            phase = View<const Phase>(particles_.phase), rho = View(particles_.density)](Index i) {
               if (phase[i] == Phase::liquid)
                   rho[i] += constants[material[i]].rest_density * (now[i].share - old[i]);
           });
    // Bodies have a share in the terms that links and docked lattices change.
    walls_are_sensed_ =
        (rows.all || paces_.ended()) && !has_solids() && phase_rules_.empty() && model_.holds.empty();
}

void Simulation::break_bodies() {
    std::vector<std::uint32_t> suspects;
    const bool broken = elastic_.break_links(device_, particles_, suspects);
    lattice_.take_suspects(particles_, suspects);
    const std::size_t bodies = lineage_.size();
    if (!suspects.empty())
        renumber_bodies(bonds(), suspects, {clock_.time, clock_.frame + 1}, particles_, lineage_);
    // At once, as where matter comes and goes: a checkpoint has to find the lists made from the links and bodies it keeps.
    if (broken || lineage_.size() > bodies) build_lists();
}

SolidBonds Simulation::bonds() const { return {particles_, elastic_, lattice_, part_links()}; }

PartLinks Simulation::part_links() const {
    // Diagonals of the lattice count.
    return {search_.whole(), std::min(1.5 * model_.particles.spacing, support())};
}

void Simulation::exchange_matter() {
    // Lists know rows by number: they are made anew at once, so that whoever looks between steps finds them right.
    if (!exchange_.apply(device_, walls_, clock_.time, clock_.next_id, particles_, traffic_)) return;
    refresh_supports();
    find_neighbours();
}

double Simulation::mean_neighbours() const {
    const Neighbours neighbours = search_.view();
    const View x(search_.built_positions());  // where all pairs are listed
    const View h(supports_);
    const double pairs = reduce_sum(device_, particles_.size(), [=](Index i) {
        double count = 0;
        for (const Index j : neighbours.of(i)) {
            const float reach = std::max(h[i], h[j]);
            count += norm2(x[i] - x[j]) < reach * reach;
        }
        return count;
    });
    return particles_.size() == 0 ? 0 : pairs / particles_.size();
}

std::size_t Simulation::bytes() const {
    const std::size_t per_row =
        bytes_per_particle() + sizeof(WallTerm) + sizeof(Vec3f) + 2 * sizeof(float);  // terms, a, push, H
    return particles_.size() * per_row + search_.bytes() + records_.bytes() + fluid_.bytes() +
           elastic_.bytes() + lineage_.capacity() * sizeof(BodyChange) + implicit_elasticity_.bytes() +
           lattice_.bytes() + rigid_.bytes() + rigid_contacts_.bytes() + contact_.bytes() + heat_.bytes() +
           adaptivity_.bytes() + wall_heat_.capacity() * sizeof(WallHeat) +
           wall_motion_.capacity() * sizeof(WallMotion) + transport_.capacity() * sizeof(Vec3f);
}

}  // namespace thixo
