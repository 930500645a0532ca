// Time of implicit elasticity:
//
//     bench_implicit [--threads N] [--particles N]
//
// A cube of E = 10⁷ Pa that hangs by one face starts to swing under its weight, by steps of 5, 10, 20 and 40
// times the explicit length. Prints milliseconds a step, of all of it and of its elastic part, the
// iterations, and how much faster than by explicit steps it gets forward. Figures are means over the steps
// after the first few, whose search starts from nothing.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <fmt/core.h>

#include "core/wait_policy.h"
#include "sim/populate.h"
#include "sim/simulation.h"

using namespace thixo;

namespace {

constexpr double forever = std::numeric_limits<double>::infinity();

Simulation hanging_cube(double particles, ElasticIntegrator elasticity, double scale, int threads) {
    Model model;
    const double side = std::round(std::cbrt(particles));
    model.particles.spacing = 1 / side;
    model.solver.elasticity = elasticity;
    model.solver.time_step_scale = scale;
    Material rubber{.name = "rubber"};
    rubber.solid.young_modulus = 1e7;
    rubber.liquid.sound_speed = 1;  // nothing touches it
    rubber.liquid.viscosity = 0;
    model.materials = {rubber};
    Object cube{
        .name = "cube", .material = "rubber", .phase = Phase::elastic, .shape = Box{{0, 0, 0}, {1, 1, 1}}};
    cube.held = {{.region = Box{{-1, -1, -1}, {1.5 / side, 2, 2}}}};
    const std::vector<Object> objects{cube};
    model.holds = holds_of(objects);
    return {model, populate(model, objects), Device{threads}};
}

struct Cost {
    double step = 0, elastic = 0, iterations = 0;  ///< s, s
    double dt = 0;                                 ///< s
};

Cost measure(Simulation simulation) {
    constexpr int warm_up = 5, steps = 30;
    for (int k = 0; k < warm_up; ++k) simulation.step(forever);
    simulation.reset_stage_times();
    const auto start = std::chrono::steady_clock::now();
    Cost cost;
    for (int k = 0; k < steps; ++k) {
        simulation.step(forever);
        cost.iterations += simulation.implicit_elasticity().iterations() / double{steps};
    }
    cost.step = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / steps;
    cost.elastic = simulation.stage_times().seconds()[static_cast<std::size_t>(Stage::elastic)] / steps;
    cost.dt = simulation.clock().last_step;
    return cost;
}

}  // namespace

int main(int argc, char** argv) {
    limit_spinning(argv);
    int threads = Device{}.threads;
    double particles = 20000;
    for (int k = 1; k + 1 < argc; k += 2) {
        if (std::strcmp(argv[k], "--threads") == 0) threads = std::max(1, std::atoi(argv[k + 1]));
        if (std::strcmp(argv[k], "--particles") == 0) particles = std::max(64.0, std::atof(argv[k + 1]));
    }
    Simulation first = hanging_cube(particles, ElasticIntegrator::leapfrog, 1, threads);
    fmt::print("{} particles, {} threads\n", first.particles().size(), threads);
    fmt::print("  {:>6} {:>9} {:>9} {:>9} {:>11} {:>8}\n", "steps", "dt ms", "ms", "elastic", "iterations",
               "gain");
    const Cost plain = measure(std::move(first));
    const auto print = [&](const std::string& name, const Cost& cost) {
        fmt::print("  {:>6} {:>9.4f} {:>9.2f} {:>9.2f} {:>11.1f} {:>8.1f}\n", name, 1e3 * cost.dt,
                   1e3 * cost.step, 1e3 * cost.elastic, cost.iterations,
                   cost.dt / cost.step * plain.step / plain.dt);
    };
    print("1", plain);
    const double longest =
        hanging_cube(particles, ElasticIntegrator::implicit, 1, threads).time_step_limit().seconds;
    for (const int ratio : {5, 10, 20, 40})
        print(fmt::format("{}", ratio), measure(hanging_cube(particles, ElasticIntegrator::implicit,
                                                             ratio * plain.dt / longest, threads)));
}
