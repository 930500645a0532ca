// Time of phase changes: a front sweeps through a block at a percent of the particles a step, and melts
// or freezes it; or a scene.
//
//     bench_phase_change [--threads N] [SCENE SECONDS]

#include <cstdlib>
#include <filesystem>
#include <numeric>

#include <fmt/core.h>

#include "scene/load.h"
#include "sim/populate.h"
#include "sim/simulation.h"
#include "threads.h"

using namespace thixo;

namespace {

constexpr int side = 34;  // particles: 39,304
constexpr double spacing = 0.05, length = side * spacing, fraction = 0.01, dt = 4e-4;

/// A block that a heater, or a cooler, comes over from one side: along x, so that changing particles are
/// scattered over memory, or along z, in which rows are sorted last.
Simulation sweep(ColdState cold, bool melts, bool along_z, Device device) {
    Model model;
    model.particles.spacing = spacing;
    model.gravity = {};
    Material wax{.name = "wax"};
    wax.liquid = {.sound_speed = 20, .viscosity = 1};
    wax.solid.cold = cold;
    wax.heat.melting_point = 50;
    model.materials = {wax};
    const Phase solid = cold == ColdState::rigid ? Phase::rigid : Phase::elastic;
    // In 100 steps through all of it.
    constexpr double l = length;
    const Box left{{-2 * l, -1, -1}, {0, 2 * l, 2 * l}}, below{{-1, -1, -2 * l}, {2 * l, 2 * l, 0}};
    const Vec3d far = along_z ? Vec3d{0, 0, l} : Vec3d{l, 0, 0};
    model.heaters = {{.name = "front",
                      .region = along_z ? below : left,
                      .temperature = melts ? 80 : 20,
                      .response = 1e-3,
                      .motion = {.keyframes = {{.time = 0}, {.time = dt / fraction, .translate = far}}}}};
    Object block{.name = "block", .material = "wax", .phase = melts ? solid : Phase::liquid};
    block.temperature = melts ? 20 : 80;
    block.shape = Box{{0, 0, 0}, {length, length, length}};
    return {model, populate(model, {block}), device};
}

void measure(const char* what, ColdState cold, bool melts, bool along_z, Device device) {
    Simulation sim = sweep(cold, melts, along_z, device);
    sim.step(dt);
    sim.reset_stage_times();
    int steps = 0;
    for (; sim.clock().time < 0.9 * dt / fraction; ++steps) sim.step(sim.clock().time + dt);
    const auto& seconds = sim.stage_times().seconds();
    const double change = seconds[static_cast<std::size_t>(Stage::phase_change)],
                 all = std::accumulate(seconds.begin(), seconds.end(), 0.0);
    fmt::print("{:>24}{:>7}{:>12}{:>8}{:>14.2f}{:>10.2f}{:>9.1f}\n", what, along_z ? "z" : "x",
               sim.particles().size(), steps, 1e3 * change / steps, 1e3 * all / steps, 100 * change / all);
}

/// The phase of each particle, by its number.
std::vector<Phase> phases(const ParticleTable& particles) {
    std::vector<Phase> out;
    for (Index i = 0; i < particles.size(); ++i) {
        if (particles.id[i] >= out.size()) out.resize(particles.id[i] + 1);
        out[particles.id[i]] = particles.phase[i];
    }
    return out;
}

struct Costs {
    double changing = 0, all = 0;  ///< s
    std::size_t steps = 0, changes = 0;

    void print(const char* what) const {
        const auto n = static_cast<double>(std::max<std::size_t>(steps, 1));
        fmt::print("{:>24}{:>8}{:>14.1f}{:>14.3f}{:>10.2f}\n", what, steps, static_cast<double>(changes) / n,
                   1e3 * changing / n, 1e3 * all / n);
    }
};

/// In a scene few particles change in a step, and in most steps none: what it costs to look for changes
/// counts as well.
void measure_scene(const std::filesystem::path& file, double duration, Device device) {
    const Scene scene = load_scene(file);
    Simulation sim(scene.model, populate(scene.model, scene.model.objects), device);
    Costs quiet, busy;
    std::vector<Phase> before = phases(sim.particles());
    while (sim.clock().time < duration) {
        sim.reset_stage_times();
        sim.step(duration);
        const std::vector<Phase> now = phases(sim.particles());
        std::size_t changes = 0;
        for (std::size_t id = 0; id < std::min(before.size(), now.size()); ++id)
            changes += now[id] != before[id];
        before = now;
        const auto& seconds = sim.stage_times().seconds();
        Costs& costs = changes > 0 ? busy : quiet;
        costs.changing += seconds[static_cast<std::size_t>(Stage::phase_change)];
        costs.all += std::accumulate(seconds.begin(), seconds.end(), 0.0);
        costs.changes += changes;
        ++costs.steps;
    }
    fmt::print("{}, {} particles, the first {} s, {} threads\n{:>24}{:>8}{:>14}{:>14}{:>10}\n",
               file.filename().string(), sim.particles().size(), duration, device.threads, "", "steps",
               "changes", "phase change", "all (ms)");
    quiet.print("without changes");
    busy.print("with changes");
    fmt::print("{:.1f} % of all steps\n", 100 * (quiet.changing + busy.changing) / (quiet.all + busy.all));
}

}  // namespace

int main(int argc, char** argv) {
    const Device device = take_device(argc, argv);
    if (argc == 3) {
        measure_scene(argv[1], std::atof(argv[2]), device);
        return 0;
    }
    if (argc != 1) {
        fmt::print(stderr, "usage: bench_phase_change [--threads N] [SCENE SECONDS]\n");
        return 2;
    }
    fmt::print(
        "a front that changes 1 % of the particles a step, milliseconds a step, {} threads\n"
        "{:>24}{:>7}{:>12}{:>8}{:>14}{:>10}{:>9}\n",
        device.threads, "what", "along", "particles", "steps", "phase change", "all", "percent");
    for (const bool along_z : {false, true}) {
        measure("elastic, melts", ColdState::elastic, true, along_z, device);
        measure("liquid, freezes elastic", ColdState::elastic, false, along_z, device);
        measure("rigid, melts", ColdState::rigid, true, along_z, device);
        measure("liquid, freezes rigid", ColdState::rigid, false, along_z, device);
    }
}
