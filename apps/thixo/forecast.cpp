#include "forecast.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
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

/// Of a second copy, for what the first one does not reach: a body lands, a wave comes back.
constexpr double quick_particles = 400;

/// Fewest particles across the smallest object of a copy.
constexpr double least_across = 4;

/// A second copy is run if its spacing is so many times that of the first.
constexpr double least_gain = 1.2;

/// Copies that begin later in the scene, at most.
constexpr std::size_t most_beginnings = 3;

/// Steps at the start whose cost is compared with that of all.
constexpr std::size_t early_steps = 10;

/// A copy is run for so many steps in any case: on a busy machine little may be done within the budget.
constexpr std::size_t least_steps = 15;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Spacing of a copy of so many particles over that of the scene.
double coarsening_of(const Scene& scene, double particles, double target) {
    const int d = scene.model.dimensions;
    double factor = std::pow(std::max(1.0, particles / target), 1.0 / d);
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
    const Settling settling = settle(model, model.objects, particles, device);
    Simulation simulation(model, std::move(particles), device);
    simulation.take(settling.balance);
    return simulation;
}

/// What was counted up to a time of the copy.
struct Mark {
    double time = 0;   ///< s, of the scene
    double steps = 0;  ///< that the scene itself would have taken
    double work = 0;   ///< steps times particles of the copy
    double wall = 0;   ///< s
};

/// Steps per second in the later half of what was run.
double late_rate(const std::vector<Mark>& marks) {
    const Mark& end = marks.back();
    const auto half = std::find_if(marks.begin(), marks.end(),
                                   [&](const Mark& mark) { return mark.time >= 0.5 * end.time; });
    const double since = end.time - half->time;
    return since > 0 ? (end.steps - half->steps) / since : end.steps / end.time;
}

/// Steps up to a time of what was run.
double steps_until(const std::vector<Mark>& marks, double time) {
    const auto next =
        std::find_if(marks.begin(), marks.end(), [&](const Mark& mark) { return mark.time >= time; });
    return next == marks.end() ? marks.back().steps : next->steps;
}

/// When something begins in a scene: what it does to the step cannot be seen before.
std::vector<double> beginnings(const Model& model, double after, double duration) {
    std::vector<double> times;
    const auto add = [&](double time) {
        if (time > after && time < duration) times.push_back(time);
    };
    const auto add_motion = [&](const Motion& motion) {
        // Behind its first keyframe a motion goes on.
        if (motion.moves()) add(motion.keyframes.front().time);
    };
    for (const Object& object : model.objects) {
        add(object.release);
        for (const HeldRegion& held : object.held) add(held.until), add_motion(held.motion);
    }
    for (const Obstacle& obstacle : model.obstacles) {
        add_motion(obstacle.motion);
        if (obstacle.animation) add(obstacle.animation->start);
    }
    for (const Emitter& emitter : model.emitters) add(emitter.start);
    for (const Grab& grab : model.grabs) add(grab.start), add(grab.stop);
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    // The last ones are likely to last.
    if (times.size() > most_beginnings) times.erase(times.begin(), times.end() - most_beginnings);
    return times;
}

/// The scene as if it began at `time`: what happens then happens at once.
Model begun_at(Model model, double time) {
    const auto earlier = [&](double& t) { t = t >= end_of_time ? t : std::max(0.0, t - time); };
    const auto move = [&](Motion& motion) {
        for (Keyframe& key : motion.keyframes) key.time -= time;
    };
    for (Object& object : model.objects) {
        earlier(object.release);
        for (HeldRegion& held : object.held) earlier(held.until);  // its motion starts where it is
    }
    for (Obstacle& obstacle : model.obstacles) move(obstacle.motion);
    for (Emitter& emitter : model.emitters) earlier(emitter.start), earlier(emitter.stop);
    for (Sink& sink : model.sinks) earlier(sink.start), earlier(sink.stop);
    for (Heater& heater : model.heaters) earlier(heater.start), earlier(heater.stop);
    for (Pause& pause : model.pauses) earlier(pause.start), earlier(pause.stop);
    for (Grab& grab : model.grabs) {
        earlier(grab.start);
        earlier(grab.stop);
        move(grab.motion);
    }
    for (ForceField& field : model.force_fields)
        for (FieldKeyframe& key : field.keyframes) key.time -= time;
    return model;
}

/// Runs copies of a scene and counts the steps that the scene itself would take.
struct Copier {
    const Scene& scene;
    const Device& device;
    double coarsening;
    double constant;                          ///< s, a limit that holds all the time, or infinite
    std::map<std::string, double> held = {};  ///< s, by what limited the step

    /// Until the copy has run for `duration` (s), or for `budget` seconds of this machine; false if it
    /// diverged.
    bool run(const Model& model, double duration, double budget, std::vector<Mark>& marks) {
        try {
            Simulation copy = started_copy(model, device);
            const double frame = 1 / scene.frame_rate, start = now();
            while (copy.clock().time < duration * (1 - 1e-9) &&
                   (marks.size() <= least_steps || now() - start < budget)) {
                const Mark& last = marks.back();
                const double frames = std::floor(last.time / frame * (1 + 1e-12)) + 1;
                copy.step(std::min(duration, frames * frame));
                const TimeStepLimit& limit = copy.time_step_limit();
                const double dt = copy.clock().time - last.time;
                // Steps are shortened to end on frames; the limit is what scales.
                double own = limit.seconds * std::pow(coarsening, -power_of(limit.name));
                own = std::min(own, constant) * scene.model.solver.time_step_scale;
                held[limit.name] += dt;
                marks.push_back({copy.clock().time, last.steps + std::max(dt / own, dt / frame),
                                 last.work + std::max<double>(copy.particles().size(), 1), now() - start});
            }
            return true;
        } catch (const RunError&) {
            return false;
        } catch (const InputError&) {
            return false;  // nothing is left of an object at this spacing
        }
    }
};

}  // namespace

Forecast forecast(const Scene& scene, const Device& device, const Population& population, double budget) {
    const auto [particles, emitted, first] = population;
    // What follows from constants alone holds all the time, whatever limits the copy.
    const bool lasts = first.name.starts_with("sound") || first.name.starts_with("viscosity") ||
                       first.name.starts_with("surface tension");
    Forecast out{.particles = particles + 0.5 * emitted,
                 .coarsening = coarsening_of(scene, particles + emitted, copy_particles)};
    Model model = scene.model;
    model.probes.clear();
    model.particles.spacing *= out.coarsening;
    std::vector<Mark> marks(1);
    Copier copier{scene, device, out.coarsening,
                  lasts ? first.seconds : std::numeric_limits<double>::infinity()};
    const double quick = coarsening_of(scene, particles + emitted, quick_particles);
    const bool has_quick = quick > least_gain * out.coarsening;
    out.diverged = !copier.run(model, scene.duration, has_quick ? 0.5 * budget : budget, marks);
    if (marks.size() < 2) return out;
    out.covered = marks.back().time;
    out.steps = marks.back().steps;
    double rate = late_rate(marks);
    // A coarser copy goes on from there. Its steps are compared with those of the first up to then.
    if (has_quick && out.covered < scene.duration * (1 - 1e-9)) {
        Model coarse = model;
        coarse.particles.spacing = scene.model.particles.spacing * quick;
        Copier second{scene, device, quick, copier.constant};
        std::vector<Mark> later(1);
        second.run(coarse, scene.duration, 0.5 * budget, later);
        if (later.back().time > out.covered) {
            const double until = steps_until(later, out.covered), off = until > 0 ? out.steps / until : 1;
            out.steps += std::clamp(off, 0.5, 2.) * (later.back().steps - until);
            rate = std::clamp(off, 0.5, 2.) * late_rate(later);
            out.covered = later.back().time;
            out.coarsening = quick;
            copier.held = second.held;
        }
    }
    // What was not reached goes on as in the later half of what was run; from each time on at which something
    // begins, as in a copy that begins with it.
    double time = out.covered;
    for (const double begins : beginnings(scene.model, out.covered, scene.duration)) {
        out.steps += rate * (begins - time);
        time = begins;
        std::vector<Mark> later(1);
        const double rest = scene.duration - begins;
        if (copier.run(begun_at(model, begins), rest, budget / most_beginnings, later) && later.size() > 1)
            rate = std::max(rate, later.back().steps / later.back().time);
    }
    out.steps += rate * std::max(0.0, scene.duration - time);
    // A step is cut at the end of each frame, by half of it in the mean.
    out.steps += 0.5 * scene.duration * scene.frame_rate;
    const Mark& early = marks[std::min(early_steps, marks.size() - 1)];
    out.cost = marks.back().wall / marks.back().work;
    out.early_cost = early.wall / early.work;
    double longest = 0;
    for (const auto& [name, seconds] : copier.held)
        if (seconds > longest) longest = seconds, out.limit = name;
    return out;
}

}  // namespace thixo
