#include "sim/block_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/permute.h"
#include "particles/position.h"

namespace thixo {

namespace {

/// Solid and kinematic rows.
std::vector<std::uint8_t> synchronised_rows(const Device& device, const ParticleTable& particles) {
    std::vector<std::uint8_t> out(particles.size());
    launch(device, particles.size(),
           [phase = View<const Phase>(particles.phase),
            kinematic_id = View<const std::uint16_t>(particles.kinematic_id),
            rows = View(out)](Index i) { rows[i] = phase[i] != Phase::liquid || kinematic_id[i] > 0; });
    return out;
}

}  // namespace

void BlockStepper::begin(const StepInputs& in) {
    const Index n = in.matter.particles.size();
    steps_.begin(n, synchronised_rows(in.device, in.matter.particles));
    stable_.assign(n, 0);
    own_step_.assign(n, 0);
    density_rate_.assign(n, 0);
    in_block_ = true;
    at_start_ = true;
}

ActiveRows BlockStepper::active() const {
    return {steps_.active(), steps_.synchronised_are_active(), steps_.complete()};
}

void BlockStepper::choose(const StepInputs& in, Forces& forces, TimeStepControl& control, double end) {
    if (at_start_)
        begin_block(in, forces, control, end);
    else
        find_stable_steps(in, control);
    const Index n = in.matter.particles.size();
    const auto block = static_cast<float>(block_);
    launch(in.device, n, Rows(steps_.active()),
           [block, stable = View(stable_)](Index i) { stable[i] /= block; });
    steps_.choose(in.device, stable_, in.matter.search.view());
    launch(in.device, n, Rows(steps_.active()), [block, &steps = steps_, step = View(own_step_)](Index i) {
        step[i] = block * static_cast<float>(steps.length(i));
    });
    if (!steps_.synchronised_are_active()) return;
    const double dt = block_ * steps_.synchronised_length();
    solid_step_ = {dt, 0.5 * (in.clock.last_step + dt), in.clock.time + dt};
}

void BlockStepper::begin_block(const StepInputs& in, Forces& forces, TimeStepControl& control, double end) {
    control.find_limits(in, forces.find_largest_acceleration(in.device));
    find_stable_steps(in, control);
    TimeStepLimit scene{.named = false};
    control.limit_by_scene(in, scene);
    const double scale = in.model.solver.time_step_scale;
    const double longest = in.matter.particles.size() > 0
                               ? best_block(in.device, stable_, steps_.synchronised())
                               : scale * control.limit().seconds;
    const TimeStep block = fit_step(in, std::min(longest, scale * scene.seconds), end);
    block_start_ = in.clock.time;
    block_ = block.dt;
    block_end_ = block.end;
}

void BlockStepper::find_stable_steps(const StepInputs& in, const TimeStepControl& control) {
    struct Longest {
        float by_size, by_size2;
    };
    std::vector<Longest> materials;
    for (std::size_t k = 0; k < in.model.materials.size(); ++k) {
        const Fluid::StableStep step = in.forces.fluid().stable_step(k, control.presses(k));
        materials.push_back({static_cast<float>(step.by_size), static_cast<float>(step.by_size2)});
    }
    const ParticleTable& particles = in.matter.particles;
    const View<const Vec3f> v(particles.velocity), a(in.forces.acceleration());
    launch(in.device, particles.size(), Rows(steps_.active()),
           [=, unit = static_cast<float>(1 / in.matter.supports.usual()),
            cfl = static_cast<float>(courant(in.forces)),
            scale = static_cast<float>(in.model.solver.time_step_scale), h = in.matter.supports.rows(),
            material = View<const std::uint16_t>(particles.material),
            materials = View<const Longest>(materials), stable = View(stable_)](Index i) {
               const float size = h[i] * unit;
               const Longest& longest = materials[material[i]];
               const float matter = std::min(longest.by_size * size, longest.by_size2 * size * size),
                           flow = cfl * h[i] / norm(v[i]),
                           force = 0.25f * std::sqrt(0.5f * h[i] / norm(a[i]));
               stable[i] = scale * std::min({matter, flow, force});
           });
    if (!steps_.synchronised_are_active()) return;
    const double speed =
        std::sqrt(reduce_max(in.device, static_cast<Index>(steps_.active().size()), 0.f,
                             [=, active = steps_.active(), solid = steps_.synchronised()](Index k) {
                                 return solid[active[k]] ? norm2(v[active[k]]) : 0.f;
                             }));
    TimeStepLimit limit{.named = false};
    control.limit_solids(in, speed, limit);
    launch(in.device, particles.size(), Rows(steps_.active()),
           [longest = static_cast<float>(limit.seconds * in.model.solver.time_step_scale),
            solid = steps_.synchronised(), stable = View(stable_)](Index i) {
               if (solid[i]) stable[i] = std::min(stable[i], longest);
           });
}

void BlockStepper::drift(const Device& device, const WallFields& walls, Forces& forces, Matter& matter,
                         Clock& clock) {
    ParticleTable& particles = matter.particles;
    forces.find_density_rates(device, forces.fluid_state(device, walls, matter, steps_.active()), own_step_,
                              density_rate_);
    clock.record_steps(block_ * steps_.shortest(), block_ * steps_.longest(),
                       clock.frame_steps == 0 && at_start_);
    const auto dt = static_cast<float>(block_ * steps_.advance());
    launch(device, particles.size(),
           [dt, v = View<const Vec3f>(particles.velocity), rate = View<const float>(density_rate_),
            elastic_index = View<const std::uint32_t>(particles.elastic_index), x = View(particles.position),
            low = View(particles.position_low), rho = View(particles.density)](Index i) {
               if (elastic_index[i] == no_index) {
                   x[i] += dt * v[i];
               } else {
                   move(x[i], low[i], dt * v[i]);
               }
               rho[i] += dt * rate[i];
           });
    shorten_kicks(device, forces.acceleration(), particles);
    clock.time = steps_.complete() ? block_end_ : block_start_ + block_ * steps_.elapsed();
    if (steps_.synchronised_are_active()) clock.last_step = block_ * steps_.synchronised_elapsed();
    if (!steps_.any_synchronised()) clock.last_step = block_;
    at_start_ = false;
    if (!steps_.complete()) return;
    in_block_ = false;
    ++clock.step;
    ++clock.frame_steps;
}

/// The step of a row that was activated ends early: its kick was too long. Makes its velocity that of the
/// middle of the shorter step.
void BlockStepper::shorten_kicks(const Device& device, View<const Vec3f> acceleration,
                                 ParticleTable& particles) {
    launch(device, particles.size(), Rows(steps_.active()),
           [block = block_, &steps = steps_, step = View(own_step_), a = acceleration,
            v = View(particles.velocity), length = View(particles.last_step)](Index i) {
               length[i] = static_cast<float>(block * steps.elapsed(i));
               if (length[i] < 0.75f * step[i]) v[i] -= 0.5f * (step[i] - length[i]) * a[i];
               step[i] = length[i];
           });
}

bool BlockStepper::permute(const Device& device, View<const Index> order) {
    if (!in_block_) return false;
    permute_rows(device, order, *this);
    steps_.list_rows();
    return true;
}

StepCount BlockStepper::count(const StepInputs& in) const {
    // Blocks have any length: the steps that the finest particles would take are counted.
    double step = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < in.model.materials.size(); ++k)
        step = std::min(step, in.forces.fluid().stable_step(k, true).by_size);
    const auto steps_until = [&](double time) { return static_cast<std::uint64_t>(time / step); };
    return {steps_until(block_start_), steps_until(in.clock.time), step};
}

std::size_t BlockStepper::bytes() const {
    return steps_.bytes() +
           (stable_.capacity() + own_step_.capacity() + density_rate_.capacity()) * sizeof(float);
}

}  // namespace thixo
