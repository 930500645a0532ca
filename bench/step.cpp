// Time per step, by stage and size:
//
//     bench_step [--threads N] [--pressure tait|state_equation|dfsph] [SIZE…]
//
// Sizes are numbers of particles; 10,000 to 4 million by default. `dfsph` is held to 2 iterations on the
// density and 1 on the divergence. A block of water in a tank is stirred with a tenth of its sound speed, so
// that neighbour lists go stale as they do in a real flow. Each figure is the median over the steps of one
// run. The baseline of the same run is a plain scalar density loop over the same lists: what the pair loops
// gain over it is a figure that travels between machines.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/wait_policy.h"
#include "sim/populate.h"
#include "sim/simulation.h"
#include "sph/kernels.h"

using namespace thixo;

namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point start) {
    return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

Simulation stirred_tank(double particles, int threads, PressureMethod pressure) {
    Model model;
    const double side = std::cbrt(particles);
    model.particles.spacing = 1 / std::round(side);
    model.solver.pressure = pressure;
    model.solver.dfsph = {
        .density_error = 1, .divergence_error = 1, .min_iterations = 2, .max_iterations = 2};
    model.materials.push_back({.name = "water", .liquid = {.sound_speed = 40, .viscosity = 2}});
    model.obstacles.push_back({.name = "tank", .shape = Box{{0, 0, 0}, {1, 2, 1}}, .inside = true});
    Object block;
    block.name = "block";
    block.material = "water";
    block.shape = Box{{0, 0, 0}, {1, 1, 1}};
    ParticleTable table = populate(model, {block});
    for (Index i = 0; i < table.size(); ++i) {
        const double x = std::acos(-1) * table.position[i].x, y = std::acos(-1) * table.position[i].y;
        table.velocity[i] = to_float({4 * std::sin(x) * std::cos(y), -4 * std::cos(x) * std::sin(y), 0});
    }
    return Simulation(model, std::move(table), Device{threads});
}

/// Seconds that one density pass takes when written as anyone would at first: a scalar loop over the lists.
double scalar_density_seconds(const Simulation& simulation, std::vector<float>& density) {
    const ParticleTable& particles = simulation.particles();
    const Kernel<CubicSpline> kernel(simulation.support(), 3);
    const Neighbours neighbours = simulation.neighbour_search().view();
    density.resize(particles.size());
    const auto start = SteadyClock::now();
    launch(
        simulation.device(), particles.size(),
        [=, &kernel, x = View(particles.position), m = View(particles.mass), out = View(density)](Index i) {
            float rho = m[i] * kernel.value(0.f);
            for (const Index j : neighbours.of(i)) rho += m[j] * kernel.value(norm(x[i] - x[j]));
            out[i] = rho;
        });
    return seconds_since(start);
}

void measure(double particles, int threads, PressureMethod pressure) {
    Simulation simulation = stirred_tank(particles, threads, pressure);
    const auto step = [&] { simulation.step(std::numeric_limits<double>::infinity()); };
    for (int k = 0; k < 3; ++k) step();

    std::vector<double> totals, baselines;
    std::vector<std::vector<double>> stages(stage_names.size());
    std::vector<float> density;
    const std::size_t builds_before = simulation.neighbour_search().builds();
    const auto start = SteadyClock::now();
    while (totals.size() < 20 || (seconds_since(start) < 4 && totals.size() < 200)) {
        simulation.reset_stage_times();
        const auto step_start = SteadyClock::now();
        step();
        totals.push_back(seconds_since(step_start));
        for (std::size_t s = 0; s < stages.size(); ++s)
            stages[s].push_back(simulation.stage_times().seconds()[s]);
        if (totals.size() % 4 == 0) baselines.push_back(scalar_density_seconds(simulation, density));
    }

    // Building lists is rare, so the mean is used for it and the median for all other stages.
    const double n = simulation.particles().size();
    const double builds = static_cast<double>(simulation.neighbour_search().builds() - builds_before);
    double lists = 0;
    for (const double s : stages[0]) lists += s / static_cast<double>(totals.size());
    double total = lists;
    for (std::size_t s = 1; s < stages.size(); ++s) total += median(stages[s]);
    const double pairs = n * simulation.mean_neighbours();

    fmt::print("\n{:.0f} particles, {:.1f} neighbours, {} threads\n", n, simulation.mean_neighbours(),
               threads);
    fmt::print(
        "  {:.2f} ms a step, {:.2f} million particle-steps/s, {:.0f} million pairs/s, {:.0f} bytes a "
        "particle\n",
        1e3 * total, 1e-6 * n / total, 2e-6 * pairs / total, static_cast<double>(simulation.bytes()) / n);
    fmt::print("  {:<12} {:>9} {:>6} {:>12}\n", "stage", "ms", "%", "ns/particle");
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const double seconds = s == 0 ? lists : median(stages[s]);
        fmt::print("  {:<12} {:>9.3f} {:>6.1f} {:>12.1f}\n", stage_names[s], 1e3 * seconds,
                   100 * seconds / total, 1e9 * seconds / n);
    }
    fmt::print(
        "  lists built every {:.1f} steps; density pass {:.1f}× as fast as the scalar baseline ({:.2f} ms)\n",
        static_cast<double>(totals.size()) / std::max(1.0, builds),
        median(baselines) / median(stages[static_cast<std::size_t>(Stage::density)]),
        1e3 * median(baselines));
}

}  // namespace

int main(int argc, char** argv) {
    limit_spinning(argv);
    int threads = Device{}.threads;
    std::vector<double> sizes;
    PressureMethod pressure = PressureMethod::tait;
    for (int k = 1; k < argc; ++k) {
        if (std::strcmp(argv[k], "--threads") == 0 && k + 1 < argc) {
            threads = std::max(1, std::atoi(argv[++k]));
        } else if (std::strcmp(argv[k], "--pressure") == 0 && k + 1 < argc) {
            const std::string name = argv[++k];
            pressure = name == "dfsph"  ? PressureMethod::dfsph
                       : name == "tait" ? PressureMethod::tait
                                        : PressureMethod::state_equation;
        } else {
            sizes.push_back(std::atof(argv[k]));
        }
    }
    if (sizes.empty()) sizes = {1e4, 1e5, 1e6, 4e6};
    for (const double size : sizes) {
        if (size < 8) {
            fmt::print(stderr,
                       "usage: bench_step [--threads N] [--pressure tait|state_equation|dfsph] [NUMBER OF "
                       "PARTICLES…]\n");
            return 2;
        }
        measure(size, threads, pressure);
    }
}
