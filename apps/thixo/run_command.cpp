#include <chrono>
#include <cmath>
#include <memory>
#include <sstream>

#include <fmt/core.h>

#include "commands.h"
#include "core/error.h"
#include "interrupt.h"
#include "progress.h"
#include "run_folder.h"
#include "scene/load.h"
#include "setup_report.h"
#include "sim/checkpoint.h"
#include "sim/populate.h"
#include "text.h"

namespace thixo {

namespace fs = std::filesystem;

namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point start) {
    return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

long last_frame(const RunOptions& options, const Scene& scene) {
    if (options.frames) {
        if (*options.frames < 0)
            throw InputError("--frames: the end is before the start; give 0 or more frames");
        return *options.frames;
    }
    if (options.until) {
        if (!(*options.until >= 0) || !std::isfinite(*options.until)) {
            throw InputError("--until: the end is before the start; give a time of 0 s or more");
        }
        return std::lround(*options.until * scene.frame_rate);
    }
    return frame_count(scene);
}

/// Where two resolved scenes differ, as "was …, is …"; empty if they describe the same motion. How long it
/// runs and what it writes may change.
std::string difference(Scene before, const Scene& now) {
    before.name = now.name;
    before.duration = now.duration;
    before.output = now.output;
    std::istringstream a(to_json(before)), b(to_json(now));
    std::string line_a, line_b;
    while (std::getline(a, line_a) && std::getline(b, line_b)) {
        if (line_a == line_b) continue;
        const auto trimmed = [](const std::string& line) { return line.substr(line.find_first_not_of(' ')); };
        return fmt::format("was {}, is {}", trimmed(line_a), trimmed(line_b));
    }
    return std::getline(a, line_a) || std::getline(b, line_b) ? "one has more entries" : "";
}

/// The simulation as it was when its newest checkpoint was written, or at its start.
std::unique_ptr<Simulation> begin_simulation(const RunOptions& options, const Scene& scene,
                                             const RunFolder& folder, const Device& device) {
    if (!options.resume || !fs::exists(folder.checkpoint())) {
        return std::make_unique<Simulation>(scene.model, populate(scene.model, scene.objects), device);
    }
    Checkpoint checkpoint = load_checkpoint(folder.checkpoint());
    const std::string changed =
        difference(parse_scene(checkpoint.scene, folder.checkpoint().string()), scene);
    if (!changed.empty()) {
        throw InputError(fmt::format(
            "cannot resume {}: the scene has changed ({}); run it as it was, or start over with --force",
            folder.path().string(), changed));
    }
    return std::make_unique<Simulation>(scene.model, std::move(checkpoint.snapshot), device);
}

void refuse_to_overwrite(const RunOptions& options, const RunFolder& folder) {
    if (fs::exists(folder.path()) && !fs::is_directory(folder.path())) {
        throw InputError(fmt::format("{} is a file; --out needs a folder", folder.path().string()));
    }
    if (options.resume || options.force || !folder.holds_a_run()) return;
    throw InputError(fmt::format(
        "{} holds an earlier run; go on with it by --resume, replace it by --force, or choose another folder "
        "by --out",
        folder.path().string()));
}

std::string frame_line(const Simulation& simulation) {
    const Clock& clock = simulation.clock();
    return fmt::format("t = {:.4f} s  {} steps  {} liquid  dt {:.3g} s ({})", clock.time, clock.frame_steps,
                       with_commas(simulation.particles().size()), clock.last_step,
                       simulation.time_step_limit().name);
}

/// One run from where it stands to its last frame.
class Run {
public:
    Run(const RunOptions& options, const Scene& scene, const RunFolder& folder, Simulation& simulation,
        long frames)
        : options_(options),
          scene_(scene),
          folder_(folder),
          simulation_(simulation),
          frames_(frames),
          resolved_(to_json(scene)),
          progress_("frame", static_cast<int>(frames), options.quiet) {}

    int go() {
        const auto start = SteadyClock::now();
        const bool fresh = simulation_.clock().step == 0;
        folder_.begin(scene_, resolved_, fresh ? -1 : static_cast<long>(simulation_.clock().frame));
        say(fmt::format("{} `{}` into {}, {} thread{}", fresh ? "running" : "resuming", scene_.name,
                        folder_.path().string(), simulation_.device().threads,
                        simulation_.device().threads == 1 ? "" : "s"));
        if (fresh) {
            say(describe_setup(scene_, simulation_));
            folder_.write_frame(scene_, simulation_, resolved_, seconds_since(start));
        }
        progress_.show(static_cast<double>(simulation_.clock().frame), frame_line(simulation_));
        while (static_cast<long>(simulation_.clock().frame) < frames_) {
            if (!next_frame()) return stop_early();
        }
        progress_.end_line();
        say(fmt::format("done: {} frames in {}", frames_, human_seconds(seconds_since(start))));
        return 0;
    }

private:
    bool next_frame() {
        const auto start = SteadyClock::now();
        const auto frame = static_cast<double>(simulation_.clock().frame);
        const double begin = frame / scene_.frame_rate, end = (frame + 1) / scene_.frame_rate;
        const bool finished = simulation_.advance_frame(end, [&] {
            const double share = (simulation_.clock().time - begin) / (end - begin);
            if (share > 0) progress_.show(frame + std::min(share, 0.999), frame_line(simulation_));
            return interrupted_by() != 0;
        });
        if (!finished) return false;
        folder_.write_frame(scene_, simulation_, resolved_, seconds_since(start));
        folder_.log(fmt::format("frame {}  {}", simulation_.clock().frame, frame_line(simulation_)));
        progress_.show(frame + 1, frame_line(simulation_));
        return true;
    }

    int stop_early() {
        save_checkpoint(folder_.checkpoint(), simulation_, resolved_);
        progress_.end_line();
        say(fmt::format("interrupted at t = {:.6g} s in frame {}; go on with: thixo run {} --out {} --resume",
                        simulation_.clock().time, simulation_.clock().frame + 1, options_.scene.string(),
                        folder_.path().string()));
        return 128 + interrupted_by();
    }

    /// To the terminal and to the log.
    void say(const std::string& text) {
        if (!options_.quiet) fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n");
        folder_.log(text);
    }

    const RunOptions& options_;
    const Scene& scene_;
    const RunFolder& folder_;
    Simulation& simulation_;
    long frames_;
    std::string resolved_;
    Progress progress_;
};

}  // namespace

int run_command(const RunOptions& options) {
    const Scene scene = load_scene(options.scene, options.overrides);
    const long frames = last_frame(options, scene);
    const RunFolder folder(options.out.empty() ? fs::path("out") / options.scene.stem() : options.out);
    refuse_to_overwrite(options, folder);

    Device device;
    if (options.threads > 0) device.threads = options.threads;
    const std::unique_ptr<Simulation> simulation = begin_simulation(options, scene, folder, device);
    if (static_cast<long>(simulation->clock().frame) > frames) {
        throw InputError(fmt::format(
            "the end is before the start: {} stands at frame {}, but the run is to end at frame {}",
            folder.path().string(), simulation->clock().frame, frames));
    }
    if (options.force && folder.holds_a_run()) folder.clear();

    catch_interrupts();
    try {
        return Run(options, scene, folder, *simulation, frames).go();
    } catch (const RunError& error) {
        std::string message = error.what();
        if (fs::exists(folder.checkpoint())) {
            message += fmt::format("\nfinished frames and the last good checkpoint are kept in {}",
                                   folder.path().string());
        }
        try {
            folder.log(fmt::format("error: {}", message));
        } catch (const RunError&) {
            // The folder may be what failed; the message below is what counts.
        }
        throw RunError(message);
    }
}

}  // namespace thixo
