// Iterations and time of the incompressible solver: columns of still water 10, 20, 40 and 80 spacings deep,
// or a scene.
//
//     bench_dfsph [--threads N] [SCENE SECONDS [KEY=VALUE…]]

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "fluid/dfsph.h"
#include "scene/load.h"
#include "sim/populate.h"
#include "sim/simulation.h"
#include "sim/statistics.h"
#include "threads.h"

using namespace thixo;

namespace {

using SteadyClock = std::chrono::steady_clock;

/// Every scene here names `dfsph`.
const Dfsph& solver_of(const Simulation& sim) {
    const Dfsph* found = nullptr;
    sim.visit_parts([&](const auto& part) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(part)>, Forces>)
            found = &dynamic_cast<const Dfsph&>(part.pressure());
    });
    return *found;
}

/// Sums over the steps of a run.
struct Totals {
    double steps = 0, divergence = 0, density = 0, seconds = 0, error = 0;
    std::map<std::string, int> limits;

    void step(Simulation& sim, double end) {
        const auto start = SteadyClock::now();
        sim.step(end);
        seconds += std::chrono::duration<double>(SteadyClock::now() - start).count();
        ++steps;
        const Dfsph& solver = solver_of(sim);
        divergence += solver.divergence_iterations();
        density += solver.density_iterations();
        error += gather_statistics(sim).density_error;
        ++limits[sim.time_step_limit().name];
    }

    void print(const Simulation& sim) const {
        fmt::print("{:>9} {:>7} {:>8.2f} {:>10.2f} {:>8.2f} {:>11.5f} ", sim.particles().size(), steps,
                   1e3 * seconds / steps, divergence / steps, density / steps, 100 * error / steps);
        for (const auto& [name, count] : limits) fmt::print(" {} ×{}", name, count);
        fmt::print("\n");
    }
};

void print_header(const char* first) {
    fmt::print("{:>9} {:>9} {:>7} {:>8} {:>10} {:>8} {:>11}  limits\n", first, "particles", "steps",
               "ms/step", "divergence", "density", "error (%)");
}

/// Ten by ten spacings wide, after it came to rest.
Totals still_pool(int layers, const Device& device) {
    constexpr double spacing = 0.01, width = 0.1;
    Model model;
    model.particles.spacing = spacing;
    model.solver.pressure = PressureMethod::dfsph;
    model.materials.push_back({.name = "water", .liquid = {.sound_speed = 40, .viscosity = 0.5}});
    const double depth = layers * spacing;
    model.obstacles.push_back(
        {.name = "tank", .shape = Box{{0, 0, 0}, {width, 2 * depth, width}}, .inside = true});
    Object block;
    block.name = "pool";
    block.material = "water";
    block.shape = Box{{0, 0, 0}, {width, depth, width}};
    Simulation sim(model, populate(model, {block}), device);
    Totals totals;
    for (int k = 0; k < 60; ++k) sim.step(1e30);
    for (int k = 0; k < 100; ++k) totals.step(sim, 1e30);
    fmt::print("{:>9} ", layers);
    totals.print(sim);
    return totals;
}

void run_scene(const std::filesystem::path& file, double duration, const std::vector<std::string>& overrides,
               const Device& device) {
    const Scene scene = load_scene(file, overrides);
    Simulation sim(scene.model, populate(scene.model, scene.model.objects, nullptr, device, Start::rest),
                   device);
    sim.reset_stage_times();
    print_header("frame");
    double seconds = 0;
    for (int frame = 1; frame / scene.frame_rate < duration + 1e-9; ++frame) {
        Totals totals;
        while (sim.clock().time < frame / scene.frame_rate) totals.step(sim, frame / scene.frame_rate);
        fmt::print("{:>9} ", frame);
        totals.print(sim);
        seconds += totals.seconds;
    }
    fmt::print("{:.2f} s\n", seconds);
    for (std::size_t k = 0; k < stage_names.size(); ++k)
        if (sim.stage_times().seconds()[k] > 0.01 * seconds)
            fmt::print("{:>16} {:8.3f} s\n", stage_names[k], sim.stage_times().seconds()[k]);
}

}  // namespace

int main(int argc, char** argv) {
    const Device device = take_device(argc, argv);
    if (argc > 2) {
        run_scene(argv[1], std::atof(argv[2]), {argv + 3, argv + argc}, device);
        return 0;
    }
    print_header("layers");
    for (const int layers : {10, 20, 40, 80}) still_pool(layers, device);
}
