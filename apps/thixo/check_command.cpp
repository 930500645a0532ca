#include <chrono>
#include <limits>
#include <vector>

#include <fmt/core.h>

#include "commands.h"
#include "fill.h"
#include "scene/load.h"
#include "scene/wording.h"
#include "setup_report.h"
#include "sim/populate.h"
#include "sim/simulation.h"
#include "sph/neighbours.h"
#include "text.h"

namespace thixo {

namespace {

/// Bytes that one frame leaves on disk for good.
double frame_bytes(const Scene& scene, double particles) {
    double bytes = 0;
    for (const ParticleFormat format : scene.output.particles) {
        switch (format) {
            case ParticleFormat::ply:
                bytes += 51;
                break;
            case ParticleFormat::vtu:
                bytes += 88;
                break;
            case ParticleFormat::bgeo:
                bytes += 64;
                break;
        }
    }
    return bytes * particles;
}

double seconds_of(const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Seconds that it takes to build the neighbour lists.
double measure_lists(const Simulation& simulation) {
    const std::vector<Vec3f>& x = simulation.particles().position;
    const std::vector<float> supports(x.size(), static_cast<float>(simulation.support()));
    NeighbourSearch search;
    const auto build = [&] {
        search.sort(simulation.device(), x, supports);
        search.build(simulation.device(), x, supports);
    };
    build();  // the first one asks for memory
    return seconds_of(build);
}

/// Seconds that a step takes, measured on the first ones of this very scene. Those start from rest and need no new
/// lists; a flow builds them anew every three or four steps.
double measure_step(Simulation& simulation) {
    constexpr int most_steps = 10, steps_per_lists = 3;
    double seconds = 0;
    int steps = 0;
    for (; steps < most_steps && seconds < 2; ++steps) {
        seconds += seconds_of([&] { simulation.step(std::numeric_limits<double>::infinity()); });
    }
    return seconds / steps + measure_lists(simulation) / steps_per_lists;
}

/// " in 3:20 min on 2 threads"; empty where there are no particles yet that steps could be measured on.
std::string estimated_time(Simulation& simulation, double steps, std::uint64_t particles_at_end) {
    const auto at_start = static_cast<double>(simulation.particles().size());
    if (at_start == 0) return "";
    const double growth = (1 + static_cast<double>(particles_at_end) / at_start) / 2;
    return fmt::format(" in {} on {}", human_seconds(steps * growth * measure_step(simulation)),
                       counted(simulation.device().threads, "thread"));
}

}  // namespace

int check_command(const CheckOptions& options) {
    const SceneWithSource source = load_scene_with_source(options.scene, options.overrides);
    const Scene& scene = source.scene;
    Device device;
    if (options.threads > 0) device.threads = options.threads;
    Filling filling = fill(source);
    Simulation simulation(scene.model, std::move(filling.particles), device);
    fmt::print("scene        {} ({})\n{}{}", scene.name, options.scene.string(),
               describe_setup(scene, simulation), describe_carvings(scene, filling.carvings));

    const double dt = simulation.time_step_limit().seconds * scene.model.solver.time_step_scale;
    const double steps = scene.duration / dt;
    const std::uint64_t at_start = simulation.particles().size(),
                        at_end = at_start + expected_particles(scene, simulation, scene.duration);
    fmt::print("duration     {:g} s, {} frames at {:g} a second\n", scene.duration, frame_count(scene),
               scene.frame_rate);
    fmt::print("estimate     {} steps{}, if the time step stays as it is\n",
               steps < 1e15 ? with_commas(static_cast<std::uint64_t>(steps)) : count_text(steps),
               estimated_time(simulation, steps, at_end));
    // Emitters add particles at a constant rate while they are open; half of them are there on average.
    const auto mean = (static_cast<double>(at_start) + static_cast<double>(at_end)) / 2;
    fmt::print("disk         {}\n", human_bytes(frame_bytes(scene, mean) * (frame_count(scene) + 1)));
    return 0;
}

}  // namespace thixo
