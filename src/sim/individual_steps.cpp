#include <algorithm>
#include <cmath>

#include "core/permute.h"
#include "particles/position.h"
#include "sim/simulation.h"

namespace thixo {

// Every particle takes the longest step that is stable for it [DC99, sec. 5], a power of two of a block at whose ends all are in step:
//
//     at its beginning   vᵢ += ½ (Δtᵢ' + Δtᵢ) aᵢ,   ρ̇ᵢ = Σⱼ V⁰ⱼ ρ₀ (vᵢ − vⱼ)·∇W̄ᵢⱼ
//     all the time       ẋᵢ = vᵢ,   dρᵢ/dt = ρ̇ᵢ
//
// with Δt' its last step. The kick comes as a whole: accelerations that are spread over the step while they grow old feed energy into
// the motion. Solids and what is held are tied: they take the same steps, and a stiff body no longer dictates that of the water around it.

void Simulation::step_individually(double end) {
    begin_block(end);
    while (true) {
        times_.measure(Stage::time_step, [&] { choose_paces(); });
        times_.measure(Stage::integrate, [&] { kick_due(); });
        meet_solids();
        times_.measure(Stage::density, [&] { find_density_rates(); });
        times_.measure(Stage::integrate, [&] { drift_to_next(); });
        times_.measure(Stage::obstacles, [&] { finish_due(); });
        times_.measure(Stage::walls, [&] { follow_walls(paces_.due()); });
        if (paces_.ended()) break;
        times_.measure(Stage::neighbours, [&] {
            if (!search_.is_current(device_, particles_.position, supports_)) build_lists();
        });
        evaluate_due();
        times_.measure(Stage::time_step, [&] { find_wishes(); });
    }
    in_block_ = false;
    ++clock_.step;
    ++clock_.frame_steps;
    times_.measure(Stage::obstacles, [&] { take_hold(); });
}

void Simulation::begin_block(double end) {
    const Index n = particles_.size();
    paces_.begin(n, tied_rows());
    wish_.assign(n, 0);
    own_step_.assign(n, 0);
    density_rate_.assign(n, 0);
    old_share_.resize(n);
    wall_push_.resize(n);
    acceleration_.resize(n);
    in_block_ = true;
    evaluate_due();
    times_.measure(Stage::time_step, [&] {
        hardest_ = hardest_acceleration();
        find_limits();
        find_wishes();
        TimeStepLimit scene{.named = false};
        limit_by_scene(scene);
        block_start_ = clock_.time;
        const double scale = model_.solver.time_step_scale;
        const double longest = n > 0 ? best_block(device_, wish_, paces_.tied()) : scale * limit_.seconds;
        set_time_step(std::min(longest, scale * scene.seconds), end);
        block_ = dt_;
        block_end_ = next_time_;
    });
    // Heat does not mind long steps.
    times_.measure(Stage::heat, [&] { conduct_heat(); });
}

std::vector<std::uint8_t> Simulation::tied_rows() const {
    std::vector<std::uint8_t> tied(particles_.size());
    launch(device_, particles_.size(),
           [phase = View<const Phase>(particles_.phase), hold = View<const std::uint16_t>(particles_.hold),
            out = View(tied)](Index i) { out[i] = phase[i] != Phase::liquid || hold[i] > 0; });
    return tied;
}

void Simulation::carry(View<const Index> order) {
    paces_.permute(device_, order);
    for (std::vector<float>* column : {&wish_, &own_step_, &density_rate_, &wall_push_})
        permute(device_, order, *column);
    permute(device_, order, acceleration_);
    permute(device_, order, wall_terms_);
    if (!wall_motion_.empty()) permute(device_, order, wall_motion_);
}

void Simulation::evaluate_due() {
    records_.pack(device_, particles_, mixed_supports());
    FluidState state = fluid_state();
    state.rows = paces_.due();
    evaluations_ += paces_.due().size();
    times_.measure(Stage::density, [&] { fluid_.compute_density(device_, state); });
    times_.measure(Stage::pressure, [&] { fluid_.compute_pressure(device_, particles_); });
    times_.measure(Stage::forces, [&] {
        launch(device_, particles_.size(), state.rows,
               [g = to_float(model_.gravity), a = View(acceleration_)](Index i) { a[i] = g; });
        fluid_.compute_forces(device_, state, acceleration_, wall_push_);
        exchange_.guide(device_, particles_, clock_.time, acceleration_, state.rows);
    });
    if (!paces_.tied_are_due()) return;
    times_.measure(Stage::lattice, [&] { lattice_.add_forces(device_, particles_, acceleration_); });
    times_.measure(Stage::elastic, [&] {
        elastic_.add_forces(device_, particles_, acceleration_);
        rigid_.gather(device_, acceleration_);
        held_.still(device_, particles_, acceleration_);
    });
}

void Simulation::find_wishes() {
    struct Longest {
        float by_size, by_size2;
    };
    std::vector<Longest> materials;
    for (std::size_t k = 0; k < model_.materials.size(); ++k) {
        const Fluid::StableStep step = fluid_.stable_step(k, pressing_.empty() || pressing_[k] != 0);
        materials.push_back({static_cast<float>(step.by_size), static_cast<float>(step.by_size2)});
    }
    const View<const Vec3f> v(particles_.velocity), a(acceleration_);
    launch(device_, particles_.size(), Rows(paces_.due()),
           [=, unit = static_cast<float>(1 / support()), courant = static_cast<float>(courant()),
            scale = static_cast<float>(model_.solver.time_step_scale), h = View<const float>(supports_),
            material = View<const std::uint16_t>(particles_.material),
            materials = View<const Longest>(materials), wish = View(wish_)](Index i) {
               const float size = h[i] * unit;
               const Longest& longest = materials[material[i]];
               const float matter = std::min(longest.by_size * size, longest.by_size2 * size * size),
                           flow = courant * h[i] / norm(v[i]),
                           force = 0.25f * std::sqrt(0.5f * h[i] / norm(a[i]));
               wish[i] = scale * std::min({matter, flow, force});
           });
    if (!paces_.tied_are_due()) return;
    const double speed = std::sqrt(reduce_max(device_, static_cast<Index>(paces_.due().size()), 0.f,
                                              [=, due = paces_.due(), tied = paces_.tied()](Index k) {
                                                  return tied[due[k]] ? norm2(v[due[k]]) : 0.f;
                                              }));
    TimeStepLimit limit{.named = false};
    limit_solids(speed, limit);
    launch(device_, particles_.size(), Rows(paces_.due()),
           [longest = static_cast<float>(limit.seconds * model_.solver.time_step_scale), tied = paces_.tied(),
            wish = View(wish_)](Index i) {
               if (tied[i]) wish[i] = std::min(wish[i], longest);
           });
}

void Simulation::choose_paces() {
    const auto block = static_cast<float>(block_);
    launch(device_, particles_.size(), Rows(paces_.due()),
           [block, wish = View(wish_)](Index i) { wish[i] /= block; });
    paces_.choose(device_, wish_, search_.view());
    launch(device_, particles_.size(), Rows(paces_.due()),
           [block, &paces = paces_, step = View(own_step_)](Index i) {
               step[i] = block * static_cast<float>(paces.length(i));
           });
    const double shortest = block_ * paces_.shortest(), longest = block_ * paces_.longest();
    const bool first = clock_.frame_steps == 0 && clock_.time == block_start_;
    clock_.frame_step_min = first ? shortest : std::min(clock_.frame_step_min, shortest);
    clock_.frame_step_max = first ? longest : std::max(clock_.frame_step_max, longest);
}

void Simulation::kick_due() {
    guard_due_against_divergence();
    launch(device_, particles_.size(), Rows(paces_.due()),
           [a = View<const Vec3f>(acceleration_), step = View<const float>(own_step_),
            pace = View<const float>(particles_.pace),
            v = View(particles_.velocity)](Index i) { v[i] += 0.5f * (pace[i] + step[i]) * a[i]; });
}

void Simulation::meet_solids() {
    if (!paces_.tied_are_due()) return;
    dt_ = block_ * paces_.tied_length();
    kick_ = 0.5 * (clock_.last_step + dt_);
    next_time_ = clock_.time + dt_;
    times_.measure(Stage::integrate, [&] {
        held_.lead(device_, particles_, clock_.time, next_time_);
        lead_rigid(clock_.time, next_time_);
        rigid_.kick(device_, kick_, particles_);
    });
    times_.measure(Stage::contact, [&] { resolve_contacts(); });
    times_.measure(Stage::rigid, [&] { resolve_rigid_contacts(); });
}

void Simulation::find_density_rates() {
    FluidState state = fluid_state();
    state.rows = paces_.due();
    fluid_.find_density_rates(device_, state, own_step_, density_rate_);
}

void Simulation::drift_to_next() {
    const auto way = static_cast<float>(block_ * paces_.advance());
    launch(device_, particles_.size(),
           [way, v = View<const Vec3f>(particles_.velocity), rate = View<const float>(density_rate_),
            slot = View<const std::uint32_t>(particles_.slot), x = View(particles_.position),
            low = View(particles_.position_low), rho = View(particles_.density)](Index i) {
               if (slot[i] == no_slot) {
                   x[i] += way * v[i];
               } else {
                   move(x[i], low[i], way * v[i]);
               }
               rho[i] += way * rate[i];
           });
    walls_are_sensed_ = false;
    clock_.time = paces_.ended() ? block_end_ : block_start_ + block_ * paces_.elapsed();
}

void Simulation::finish_due() {
    cut_kicks();
    walls_.move_to(clock_.time);
    launch(device_, particles_.size(), Rows(paces_.due()),
           [step = View<const float>(own_step_), push = View(wall_push_)](Index i) { push[i] *= step[i]; });
    push_out(paces_.due());
    if (!paces_.tied_are_due()) {
        if (!paces_.any_tied()) clock_.last_step = block_;
        return;
    }
    clock_.last_step = block_ * paces_.tied_elapsed();
    place_held();
    move_rigid();
}

/// Who was woken had a kick for a step that did not come to its end: the velocity is that of the middle of the shorter one.
void Simulation::cut_kicks() {
    launch(device_, particles_.size(), Rows(paces_.due()),
           [block = block_, &paces = paces_, step = View(own_step_), a = View<const Vec3f>(acceleration_),
            v = View(particles_.velocity), pace = View(particles_.pace)](Index i) {
               pace[i] = static_cast<float>(block * paces.elapsed(i));
               if (pace[i] < 0.75f * step[i]) v[i] -= 0.5f * (step[i] - pace[i]) * a[i];
               step[i] = pace[i];
           });
}

}  // namespace thixo
