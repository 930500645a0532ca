#include "forecast.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <vector>

#include "core/error.h"
#include "geometry/extent.h"
#include "geometry/layer.h"
#include "sim/populate.h"
#include "sim/settle.h"
#include "sim/simulation.h"

namespace thixo {

namespace {

/// Enough to splash, bend and melt as the scene does; few enough for some hundred steps a second.
constexpr double copy_particles = 2500;

/// Fewest particles across the smallest object of a copy.
constexpr double least_across = 4;

/// Steps at the start whose cost is compared with that of all.
constexpr std::size_t early_steps = 10;

/// A copy is run for so many steps in any case: on a busy machine little may be done within the budget.
constexpr std::size_t least_steps = 15;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Spacing of the copy over that of the scene.
double coarsening_of(const Scene& scene, double particles) {
    const int d = scene.model.dimensions;
    double factor = std::pow(std::max(1.0, particles / copy_particles), 1.0 / d);
    for (const Object& object : scene.model.objects) {
        if (is_layer(object.shape))
            return 1;  // a sheet is one spacing thick: another spacing is another sheet
        const double across = smallest_extent(object.shape, d) / scene.model.particles.spacing;
        factor = std::min(factor, std::max(1.0, across / least_across));
    }
    return factor;
}

/// How a limit of the step changes with the spacing: the power p of dt ~ spacingᵖ.
double power_of(const std::string& limit) {
    if (limit.starts_with("viscosity") || limit.starts_with("damping of")) return 2;
    if (limit.starts_with("surface tension")) return 1.5;
    if (limit == "acceleration") return 0.5;
    if (limit.starts_with("damping by") || limit.starts_with("spin")) return 0;
    return 1;  // sound, flow, elastic waves, contact, motion: a distance over a speed
}

Simulation started_copy(const Model& model, const Device& device) {
    ParticleTable particles = populate(model, model.objects, nullptr, device, Start::rest);
    settle(model, model.objects, particles, device);
    return {model, std::move(particles), device};
}

/// What was counted up to a time of the copy.
struct Mark {
    double time = 0;   ///< s, of the scene
    double steps = 0;  ///< that the scene itself would have taken
    double work = 0;   ///< steps times particles of the copy
    double wall = 0;   ///< s
};

/// Steps of the rest of the duration go on as in the later half of what was run.
double all_steps(const std::vector<Mark>& marks, double duration) {
    const Mark& end = marks.back();
    if (end.time >= duration * (1 - 1e-9)) return end.steps;
    const auto half = std::find_if(marks.begin(), marks.end(),
                                   [&](const Mark& mark) { return mark.time >= 0.5 * end.time; });
    const double since = end.time - half->time;
    const double rate = since > 0 ? (end.steps - half->steps) / since : end.steps / end.time;
    return end.steps + rate * (duration - end.time);
}

}  // namespace

Forecast forecast(const Scene& scene, const Device& device, const Population& population, double budget) {
    const auto [particles, emitted, first] = population;
    // What follows from constants alone holds all the time, whatever limits the copy.
    const bool lasts = first.name.starts_with("sound") || first.name.starts_with("viscosity") ||
                       first.name.starts_with("surface tension");
    Forecast out{.particles = particles + 0.5 * emitted,
                 .coarsening = coarsening_of(scene, particles + emitted)};
    Model model = scene.model;
    model.probes.clear();
    model.particles.spacing *= out.coarsening;
    std::vector<Mark> marks(1);
    std::map<std::string, double> held;  // s, by what limited the step
    try {
        Simulation copy = started_copy(model, device);
        const double frame = 1 / scene.frame_rate, start = now();
        while (copy.clock().time < scene.duration * (1 - 1e-9) &&
               (marks.size() <= least_steps || now() - start < budget)) {
            const Mark& last = marks.back();
            const double frames = std::floor(last.time / frame * (1 + 1e-12)) + 1;
            copy.step(std::min(scene.duration, frames * frame));
            const TimeStepLimit& limit = copy.time_step_limit();
            const double dt = copy.clock().time - last.time;
            // Steps are shortened to end on frames; the limit is what scales.
            double own = limit.seconds * std::pow(out.coarsening, -power_of(limit.name));
            if (lasts) own = std::min(own, first.seconds);
            own *= scene.model.solver.time_step_scale;
            held[limit.name] += dt;
            marks.push_back({copy.clock().time, last.steps + std::max(dt / own, dt / frame),
                             last.work + std::max<double>(copy.particles().size(), 1), now() - start});
        }
    } catch (const RunError&) {
        out.diverged = true;
    }
    if (marks.size() < 2) return out;
    out.covered = marks.back().time;
    // A step is cut at the end of each frame, by half of it in the mean.
    out.steps = all_steps(marks, scene.duration) + 0.5 * scene.duration * scene.frame_rate;
    const Mark& early = marks[std::min(early_steps, marks.size() - 1)];
    out.cost = marks.back().wall / marks.back().work;
    out.early_cost = early.wall / early.work;
    double longest = 0;
    for (const auto& [name, seconds] : held)
        if (seconds > longest) longest = seconds, out.limit = name;
    return out;
}

}  // namespace thixo
