// Time saved by adaptivity, and differences to the uniform run:
//
//     bench_adaptivity [--threads N] [--frames N] [--csv FILE] [--set KEY=VALUE]… SCENE
//
// runs SCENE_uniform.json and SCENE_adaptive.json frame by frame in turns and compares processor times and
// results as [DC99, fig. 9 and 10]; `bench/plot_adaptivity.py FILE.csv PICTURE.svg` draws them. `--set`
// changes the adaptive run.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/error.h"
#include "core/wait_policy.h"
#include "outline.h"
#include "scene/load.h"
#include "sim/populate.h"
#include "sim/simulation.h"

using namespace thixo;

namespace {

/// CPU time of all threads, independent of other programs.
double seconds_spent() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Options {
    Device device{1};
    int frames = 1 << 30;
    std::string csv, scene;
    std::vector<std::string> overrides;
};

/// State of one of the two runs.
struct Run {
    double begin = seconds_spent();
    Simulation sim;
    double seconds, last = 0;  ///< of all, with the start, and of the last frame

    Run(const Scene& scene, const Device& device)
        : sim(scene.model, populate(scene.model, scene.objects), device), seconds(seconds_spent() - begin) {}

    void advance(double end) {
        const double start = seconds_spent();
        sim.advance_frame(end, [] { return false; });
        last = seconds_spent() - start;
        seconds += last;
    }
};

Options parse(int argc, char** argv) {
    Options out;
    for (int k = 1; k < argc; ++k) {
        const auto takes = [&](const char* name) { return std::strcmp(argv[k], name) == 0 && k + 1 < argc; };
        if (takes("--threads")) {
            out.device.threads = std::max(1, std::atoi(argv[++k]));
        } else if (takes("--frames")) {
            out.frames = std::max(1, std::atoi(argv[++k]));
        } else if (takes("--csv")) {
            out.csv = argv[++k];
        } else if (takes("--set")) {
            out.overrides.emplace_back(argv[++k]);
        } else if (argv[k][0] != '-' && out.scene.empty()) {
            out.scene = argv[k];
        } else {
            out.scene.clear();
            break;
        }
    }
    if (!out.scene.empty()) return out;
    fmt::print(stderr,
               "usage: bench_adaptivity [--threads N] [--frames N] [--csv FILE] [--set KEY=VALUE]... SCENE\n"
               "SCENE: such as scenes/desbrun1999/over_an_obstacle, without _uniform.json\n");
    std::exit(2);
}

void compare(const Options& options) {
    const Scene scene = load_scene(options.scene + "_uniform.json");
    Run uniform(scene, options.device),
        adaptive(load_scene(options.scene + "_adaptive.json", options.overrides), options.device);
    std::ofstream csv;
    if (!options.csv.empty()) csv.open(options.csv);
    csv << "time,uniform_particles,adaptive_particles,uniform_seconds,adaptive_seconds,uniform_steps,"
           "adaptive_steps\n";
    fmt::print("{:>8}{:>20}{:>12}{:>16}{:>10}{:>18}\n", "time, s", "particles", "steps", "seconds",
               "speed-up", "centre, front, %");
    const int frames = std::min(options.frames, static_cast<int>(scene.duration * scene.frame_rate + 0.5));
    const double rest_density = scene.model.materials[0].density;
    Deviation difference(domain_of(scene.model));
    for (int frame = 0; frame <= frames; ++frame) {
        const double time = frame / scene.frame_rate;
        if (frame > 0)
            for (Run* run : {&uniform, &adaptive}) run->advance(time);
        difference.add(outline(uniform.sim.particles(), rest_density),
                       outline(adaptive.sim.particles(), rest_density));
        const Clock &a = uniform.sim.clock(), &b = adaptive.sim.clock();
        fmt::print("{:8.3f}{:>12}{:>8}{:>6}{:>6}{:8.3f}{:8.3f}{:10.2f}{:10.2f}{:8.2f}\n", time,
                   uniform.sim.particles().size(), adaptive.sim.particles().size(), a.frame_steps,
                   b.frame_steps, uniform.last, adaptive.last, uniform.seconds / adaptive.seconds,
                   100 * difference.center(), 100 * difference.front());
        csv << fmt::format("{},{},{},{},{},{},{}\n", time, uniform.sim.particles().size(),
                           adaptive.sim.particles().size(), uniform.last, adaptive.last, a.frame_steps,
                           b.frame_steps);
    }
    fmt::print(
        "time {:.4f} of the uniform run's ({:.2f} of {:.2f} s): {:.2f} times as fast; forces found "
        "{:.4f}\n"
        "differences, largest: centre of mass {:.2f} %, front {:.2f} % of the domain, mass {:.1e}, volume "
        "{:.2f} %\n",
        adaptive.seconds / uniform.seconds, adaptive.seconds, uniform.seconds,
        uniform.seconds / adaptive.seconds,
        static_cast<double>(adaptive.sim.evaluations()) / static_cast<double>(uniform.sim.evaluations()),
        100 * difference.center(), 100 * difference.front(), difference.mass(), 100 * difference.volume());
}

}  // namespace

int main(int argc, char** argv) {
    limit_spinning(argv);
    try {
        compare(parse(argc, argv));
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
}
