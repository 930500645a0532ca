#include <chrono>
#include <limits>
#include <vector>

#include <fmt/core.h>

#include "commands.h"
#include "io/particle_formats.h"
#include "scene/fill.h"
#include "scene/load.h"
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

}  // namespace

int check_command(const CheckOptions& options) {
    const SceneWithSource source = load_scene_with_source(options.scene, options.overrides);
    const Scene& scene = source.scene;
    const Device device = started_device(options.threads);
    Filling filling = fill(source, device);
    Simulation simulation(scene.model, std::move(filling.particles), device);
    fmt::print("scene        {} ({})\n{}{}", scene.name, options.scene.string(),
               describe_setup(scene, simulation), describe_carvings(scene, filling.carvings));

    const double dt = simulation.time_step_limit().seconds * scene.model.solver.time_step_scale;
    const double steps = scene.duration / dt;
    // Emitters add particles at a constant rate, so on average half of them exist.
    const double particles = static_cast<double>(simulation.particles().size()) +
                             0.5 * static_cast<double>(expected_particles(scene, simulation, scene.duration));
    fmt::print("{}", describe_start(simulation));
    fmt::print("duration     {:g} s, {} frames at {:g} a second\n", scene.duration, frame_count(scene),
               scene.frame_rate);
    fmt::print("estimate     {} steps in {} on {}, at the initial time step\n",
               steps < 1e15 ? with_commas(static_cast<std::uint64_t>(steps)) : count_text(steps),
               human_seconds(steps * seconds_per_step(simulation, particles)),
               counted(device.threads, "thread"));
    fmt::print("disk         {}\n", human_bytes(frame_bytes(scene, particles) * (frame_count(scene) + 1)));
    return 0;
}

}  // namespace thixo
