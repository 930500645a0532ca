#include <chrono>

#include <fmt/core.h>

#include "commands.h"
#include "fill.h"
#include "scene/load.h"
#include "scene/wording.h"
#include "setup_report.h"
#include "sim/populate.h"
#include "sim/simulation.h"
#include "text.h"

namespace thixo {

namespace {

/// Bytes that one frame leaves on disk for good.
double frame_bytes(const Scene& scene, std::uint64_t particles) {
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
    return bytes * static_cast<double>(particles);
}

/// Seconds that a step takes, measured on the first ones of this very scene.
double measure_step(Simulation& simulation) {
    constexpr int most_steps = 10;
    const auto start = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    int steps = 0;
    do {
        simulation.step(std::numeric_limits<double>::infinity());
        ++steps;
    } while (steps < most_steps && elapsed() < 2);
    return elapsed() / steps;
}

}  // namespace

int check_command(const CheckOptions& options) {
    const SceneWithSource source = load_scene_with_source(options.scene, options.overrides);
    const Scene& scene = source.scene;
    Device device;
    if (options.threads > 0) device.threads = options.threads;
    Simulation simulation(scene.model, fill(source), device);
    fmt::print("scene        {} ({})\n{}", scene.name, options.scene.string(),
               describe_setup(scene, simulation));

    const Overlaps overlaps = count_overlaps(simulation);
    if (overlaps.in_obstacles == 0 && overlaps.in_other_objects == 0) {
        fmt::print("overlaps     none\n");
    } else {
        fmt::print("overlaps     {} particles in obstacles, {} in other objects: they will be pushed apart\n",
                   with_commas(overlaps.in_obstacles), with_commas(overlaps.in_other_objects));
    }

    const double dt = simulation.time_step_limit().seconds * scene.model.solver.time_step_scale;
    const double steps = scene.duration / dt;
    const std::uint64_t particles = simulation.particles().size();
    fmt::print("duration     {:g} s, {} frames at {:g} a second\n", scene.duration, frame_count(scene),
               scene.frame_rate);
    fmt::print("estimate     {} steps in {} on {}, if the time step stays as it is\n",
               steps < 1e15 ? with_commas(static_cast<std::uint64_t>(steps)) : count_text(steps),
               human_seconds(steps * measure_step(simulation)), counted(device.threads, "thread"));
    fmt::print("disk         {}\n", human_bytes(frame_bytes(scene, particles) * (frame_count(scene) + 1)));
    return 0;
}

}  // namespace thixo
