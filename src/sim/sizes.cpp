#include <algorithm>
#include <limits>

#include "sim/simulation.h"

namespace thixo {

// Particles of different size: how far each reaches, and when they split and merge.

namespace {

struct Extremes {
    float smallest = std::numeric_limits<float>::infinity(), largest = 0;
};

constexpr auto wider = [](const Extremes& a, const Extremes& b) {
    return Extremes{std::min(a.smallest, b.smallest), std::max(a.largest, b.largest)};
};

}  // namespace

void Simulation::refresh_supports() {
    supports_.resize(particles_.size());
    launch(device_, particles_.size(),
           [ratio = static_cast<float>(2 * model_.particles.support),
            radius = View<const float>(particles_.radius),
            out = View(supports_)](Index i) { out[i] = ratio * radius[i]; });
    const View<const float> radius(particles_.radius);
    const Extremes extremes = reduce(
        device_, particles_.size(), Extremes{},
        [=](Index i) {
            return Extremes{radius[i], radius[i]};
        },
        wider);
    const auto usual = static_cast<float>(0.5 * model_.particles.spacing);
    mixed_ = extremes.largest > 0 && !(extremes.smallest == usual && extremes.largest == usual);
    finest_ = mixed_ ? extremes.smallest / usual : 1;
}

void Simulation::simplify() {
    if (!adaptivity_.active()) return;
    // Each round makes particles larger by a factor; twenty are more than the largest size takes.
    constexpr int most_rounds = 20;
    for (int round = 0; round < most_rounds; ++round)
        if (!change_sizes()) break;
    sense_walls();
}

void Simulation::adapt() {
    if (!adaptivity_.active() || particles_.size() == 0) return;
    const auto due = [&](std::uint64_t before, std::uint64_t now, double step) {
        if (!adaptivity_.may_be_due(before, now)) return false;
        // What freezes does not move to do so: it is looked for as often as can be.
        return !phase_rules_.empty() || adaptivity_.is_due(before, now, fastest() * step / finest_support());
    };
    if (model_.solver.time_step == TimeStepMethod::individual) {
        // Blocks have any length: the steps that the finest particles would take are counted.
        double step = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < model_.materials.size(); ++k)
            step = std::min(step, fluid_.stable_step(k, true).by_size);
        const auto count = [&](double time) { return static_cast<std::uint64_t>(time / step); };
        if (due(count(block_start_), count(clock_.time), step)) change_sizes();
    } else if (due(clock_.step - 1, clock_.step, clock_.last_step)) {
        change_sizes();
    }
}

bool Simulation::change_sizes() {
    refresh_walls();
    const auto limit = [&](View<float> sizes) {
        walls_.limit_sizes(device_, particles_.position, supports_,
                           static_cast<float>(model_.particles.spacing), sizes);
        exchange_.limit_led(device_, particles_, clock_.time, sizes);
        limit_freezing(sizes);
    };
    if (!adaptivity_.apply(device_, {particles_, search_.whole(), supports_, wall_terms_, limit}, clock_.step,
                           clock_.next_id))
        return false;
    // At once, as where matter comes and goes.
    refresh_supports();
    build_lists();
    return true;
}

}  // namespace thixo
