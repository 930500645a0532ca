#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

#include <fmt/core.h>

#include "commands.h"
#include "forecast.h"
#include "io/particle_formats.h"
#include "remedies.h"
#include "run_skins.h"
#include "scene/carving_warnings.h"
#include "scene/fill.h"
#include "scene/load.h"
#include "scene/scale.h"
#include "scene/wording.h"
#include "setup_report.h"
#include "sim/populate.h"
#include "sim/simulation.h"
#include "sph/neighbours.h"
#include "text.h"
#include "threads.h"

namespace thixo {

namespace {

/// Bytes of one frame on disk.
double frame_bytes(const Scene& scene, double particles) {
    double bytes = 0;
    for (const ParticleFormat format : scene.output.particles) bytes += info(format).bytes_per_particle();
    return bytes * particles;
}

double seconds_of(const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Seconds to build the neighbour lists.
double measure_lists(const Simulation& simulation) {
    const std::vector<Vec3f>& x = simulation.particles().position;
    const std::vector<float> supports(x.size(), static_cast<float>(simulation.support()));
    NeighbourSearch search;
    const auto build = [&] {
        search.sort(simulation.device(), x, supports);
        search.build(simulation.device(), x, supports);
    };
    build();  // the first build allocates
    return seconds_of(build);
}

/// Seconds per step, measured on the first steps of the scene. Those start from rest and need no new
/// neighbour lists; in a flow lists are rebuilt every three or four steps.
double measure_step(Simulation& simulation) {
    constexpr int most_steps = 10, steps_per_lists = 3;
    double seconds = 0;
    int steps = 0;
    for (; steps < most_steps && seconds < 2; ++steps) {
        seconds += seconds_of([&] { simulation.step(std::numeric_limits<double>::infinity()); });
    }
    return seconds / steps + measure_lists(simulation) / steps_per_lists;
}

/// A cube of liquid in empty space, for measuring steps if a scene starts without particles.
Simulation stand_in(Model model, const Device& device) {
    const double side = 20 * model.particles.spacing;
    const Object cube{.material = model.materials.front().name, .shape = Box{{0, 0, 0}, {side, side, side}}};
    model.obstacles.clear();
    model.emitters.clear();
    model.sinks.clear();
    return {model, populate(model, {cube}), device};
}

/// Seconds per step for this number of particles.
double seconds_per_step(Simulation& simulation, double particles) {
    const auto now = static_cast<double>(simulation.particles().size());
    if (now > 0) return measure_step(simulation) * particles / now;
    Simulation cube = stand_in(simulation.model(), simulation.device());
    return measure_step(cube) * particles / cube.particles().size();
}

/// Seconds that the forecast may take: less for scenes that are over soon.
constexpr double shortest_forecast = 0.3, longest_forecast = 4;

/// Where the number of steps comes from.
std::string describe(const Forecast& copy, double duration) {
    std::string text = copy.coarsening > 1
                           ? fmt::format("from a copy of {:.2g} times the spacing", copy.coarsening)
                           : std::string("from its own first steps");
    if (copy.covered < duration * (1 - 1e-6))
        text += fmt::format(" in its first {:.2g} s", copy.covered);
    else if (!(copy.coarsening > 1))
        text = "from a trial run";
    if (copy.diverged) text += ", which diverged then";
    return text + fmt::format("; limit: {}", copy.limit);
}

}  // namespace

int check_command(const CheckOptions& options) {
    const SceneWithSource source = load_scene_with_source(options.scene, options.overrides);
    const Scene& scene = source.scene;
    const Device device = started_device(options.threads);
    Filling filling = fill(source, device);
    const std::string carved = carving_warnings(scene, filling);
    const std::vector<Carving> carvings = filling.carvings;
    const std::unique_ptr<Simulation> started = start(scene.model, std::move(filling), device);
    Simulation& simulation = *started;
    fmt::print("scene        {} ({})\n{}{}", scene.name, options.scene.string(),
               describe_setup(scene, simulation), describe_carvings(scene, carvings));
    fmt::print("{}{}", carved, describe_scale(scene));

    if (has_skins(scene))
        fmt::print("{}", RunSkins(device, scene, frame_of(simulation.particles(), 0)).report());
    const double dt = simulation.time_step_limit().seconds * scene.model.solver.time_step_scale;
    // Emitters add particles at a constant rate, so on average half of them exist.
    const Population population{static_cast<double>(simulation.particles().size()),
                                static_cast<double>(expected_particles(scene, simulation, scene.duration)),
                                simulation.time_step_limit()};
    const double particles = population.particles + 0.5 * population.emitted;
    fmt::print("{}", describe_start(simulation));
    fmt::print("duration     {:g} s, {} frames at {:g} a second\n", scene.duration, frame_count(scene),
               scene.frame_rate);
    const double each = seconds_per_step(simulation, particles), first_steps = scene.duration / dt;
    const Forecast copy = forecast(scene, device, population,
                                   std::clamp(0.2 * first_steps * each, shortest_forecast, longest_forecast));
    const bool known = copy.covered > 0;
    const double steps = known ? copy.steps : first_steps;
    const double seconds = steps * each * (known ? std::clamp(copy.cost / copy.early_cost, 1.0, 3.0) : 1.0);
    fmt::print("estimate     {} steps in {} on {}, {}\n",
               steps < 1e15 ? with_commas(static_cast<std::uint64_t>(steps)) : count_text(steps),
               human_seconds(seconds), counted(device.threads, "thread"),
               known ? describe(copy, scene.duration) : "at the initial time step");
    fmt::print("disk         {}\n", human_bytes(frame_bytes(scene, particles) * (frame_count(scene) + 1)));
    fmt::print("{}", describe_remedies(options, scene, device, population, copy, seconds));
    return 0;
}

}  // namespace thixo
