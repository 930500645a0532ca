// Block time steps against global time steps, in the same run: a scene, by default a dam that breaks on a
// stiff beam.
//
//     bench_individual_steps [--threads N] [SCENE SECONDS]

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <fmt/core.h>

#include "scene/load.h"
#include "sim/populate.h"
#include "sim/simulation.h"
#include "threads.h"

using namespace thixo;

namespace {

struct Outcome {
    double seconds = 0;
    std::uint64_t evaluations = 0;
    Vec3d center{};
    std::array<double, stage_names.size()> stages{};
};

Outcome run(const std::filesystem::path& file, const std::string& method, double duration, Device device) {
    const std::vector<std::string> overrides{"solver.time_step=" + method};
    const Scene scene = load_scene(file, overrides);
    Simulation sim(scene.model, populate(scene.model, scene.objects), device);
    sim.reset_stage_times();
    const auto start = std::chrono::steady_clock::now();
    for (int frame = 1; frame / scene.frame_rate < duration + 1e-9; ++frame)
        sim.advance_frame(frame / scene.frame_rate, [] { return false; });
    Outcome out;
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    out.evaluations = sim.evaluations();
    out.stages = sim.stage_times().seconds();
    double mass = 0;
    for (Index i = 0; i < sim.particles().size(); ++i) {
        mass += sim.particles().mass[i];
        out.center += double{sim.particles().mass[i]} * to_double(sim.particles().position[i]);
    }
    out.center = out.center / mass;
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    const Device device = take_device(argc, argv);
    const std::filesystem::path file = argc > 1 ? argv[1] : THIXO_SCENES "/fluid/beam_in_dam_break.json";
    const double duration = argc > 2 ? std::atof(argv[2]) : 0.3;
    const Outcome together = run(file, "global", duration, device),
                  own = run(file, "individual", duration, device);
    fmt::print("{}, {} s, {} threads\n{:>16}{:>12}{:>12}{:>8}\n", file.filename().string(), duration,
               device.threads, "", "global", "individual", "ratio");
    fmt::print("{:>16}{:>12.2f}{:>12.2f}{:>8.2f}\n", "seconds", together.seconds, own.seconds,
               together.seconds / own.seconds);
    fmt::print("{:>16}{:>12.3g}{:>12.3g}{:>8.2f}\n", "evaluations", static_cast<double>(together.evaluations),
               static_cast<double>(own.evaluations),
               static_cast<double>(together.evaluations) / static_cast<double>(own.evaluations));
    for (std::size_t k = 0; k < stage_names.size(); ++k)
        fmt::print("{:>16}{:>12.3f}{:>12.3f}\n", stage_names[k], together.stages[k], own.stages[k]);
    fmt::print("{:>16}  ({:.4f}, {:.4f}, {:.4f})  ({:.4f}, {:.4f}, {:.4f})\n", "centre of mass",
               together.center.x, together.center.y, together.center.z, own.center.x, own.center.y,
               own.center.z);
}
