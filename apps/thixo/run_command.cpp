#include <chrono>
#include <cmath>
#include <memory>
#include <sstream>

#include <fmt/core.h>

#include "commands.h"
#include "core/error.h"
#include "fill.h"
#include "interrupt.h"
#include "progress.h"
#include "run_folder.h"
#include "scene/finish.h"
#include "scene/load.h"
#include "scene/wording.h"
#include "setup_report.h"
#include "sim/checkpoint.h"
#include "sim/energy_guard.h"
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
        if (*options.frames > most_frames)
            throw InputError(fmt::format("--frames: {} are too many; allowed: at most {}", *options.frames,
                                         count_text(most_frames)));
        return *options.frames;
    }
    if (options.until) {
        if (!(*options.until >= 0) || !std::isfinite(*options.until)) {
            throw InputError("--until: the end is before the start; give a time of 0 s or more");
        }
        const double frames = *options.until * scene.frame_rate;
        if (frames > most_frames) {
            throw InputError(fmt::format(
                "--until: {:g} s at {:g} frames per second are too many frames; allowed: at most {}",
                *options.until, scene.frame_rate, count_text(most_frames)));
        }
        return std::lround(frames);
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

struct Beginning {
    std::unique_ptr<Simulation> simulation;
    bool resumed = false;  ///< stands where the newest checkpoint was written, and not at the start
    std::string carved;    ///< what was left out of the objects, in words
};

Beginning begin_simulation(const RunOptions& options, const SceneWithSource& source, const RunFolder& folder,
                           const Device& device) {
    if (options.resume && folder.lost_its_checkpoint()) {
        throw InputError(
            fmt::format("cannot resume {}: it has frames but no checkpoint; start over with --force",
                        folder.path().string()));
    }
    if (!options.resume || !fs::exists(folder.checkpoint())) {
        Filling filling = fill(source, device);
        return {std::make_unique<Simulation>(source.scene.model, std::move(filling.particles), device), false,
                describe_carvings(source.scene, filling.carvings)};
    }
    Checkpoint checkpoint = load_checkpoint(folder.checkpoint());
    const std::string changed =
        difference(parse_scene(checkpoint.scene, folder.checkpoint().string()), source.scene);
    if (!changed.empty()) {
        throw InputError(fmt::format(
            "cannot resume {}: the scene has changed ({}); run it as it was, or start over with --force",
            folder.path().string(), changed));
    }
    return {std::make_unique<Simulation>(source.scene.model, std::move(checkpoint.snapshot), device), true,
            ""};
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

/// "2,489 liquid", or what there is of each phase: "2,489 liquid, 400 elastic".
std::string population(const Simulation& simulation) {
    const ParticleTable& particles = simulation.particles();
    std::string out;
    for (std::size_t k = 0; k < phase_names.size(); ++k) {
        const auto count =
            static_cast<std::uint64_t>(reduce_sum(simulation.device(), particles.size(), [&](Index i) {
                return particles.phase[i] == static_cast<Phase>(k) ? 1.0 : 0.0;
            }));
        if (count > 0)
            out += fmt::format("{}{} {}", out.empty() ? "" : ", ", with_commas(count), phase_names[k]);
    }
    return out.empty() ? "0 liquid" : out;
}

std::string frame_line(const Simulation& simulation) {
    const Clock& clock = simulation.clock();
    const TimeStepLimit& limit = simulation.time_step_limit();
    // A simulation that has just been resumed has not asked for its next time step yet.
    const std::string reason = std::isfinite(limit.seconds) ? fmt::format(" ({})", limit.name) : "";
    return fmt::format("t = {:.4f} s  {} steps  {}  dt {:.3g} s{}", clock.time, clock.frame_steps,
                       population(simulation), clock.last_step, reason);
}

/// What to type to go on with a run that was stopped.
std::string resume_command(const RunOptions& options, const RunFolder& folder) {
    std::string command = fmt::format("thixo run {} --out {}", shell_word(options.scene.string()),
                                      shell_word(folder.path().string()));
    for (const std::string& text : options.overrides) command += " --set " + shell_word(text);
    if (options.frames) command += fmt::format(" --frames {}", *options.frames);
    if (options.until) command += fmt::format(" --until {}", *options.until);
    return command + " --resume";
}

/// One run from where it stands to its last frame.
class Run {
public:
    Run(const RunOptions& options, const Scene& scene, const RunFolder& folder, const Beginning& beginning,
        long frames)
        : options_(options),
          scene_(scene),
          folder_(folder),
          simulation_(*beginning.simulation),
          resumed_(beginning.resumed),
          carved_(beginning.carved),
          frames_(frames),
          resolved_(to_json(scene)),
          guard_(scene.model),
          progress_("frame", static_cast<int>(frames), options.quiet) {}

    int go() {
        const auto start = SteadyClock::now();
        folder_.begin(scene_, simulation_, resolved_,
                      resumed_ ? static_cast<long>(simulation_.clock().frame) : -1);
        say(fmt::format("{} `{}` into {}, {}\n", resumed_ ? "resuming" : "running", scene_.name,
                        folder_.path().string(), counted(simulation_.device().threads, "thread")));
        if (!resumed_) {
            say(describe_setup(scene_, simulation_) + carved_);
            folder_.write_frame(scene_, simulation_, resolved_, seconds_since(start));
        }
        guard_.watch(simulation_, gather_statistics(simulation_));
        progress_.show(static_cast<double>(simulation_.clock().frame), frame_line(simulation_));
        while (static_cast<long>(simulation_.clock().frame) < frames_) {
            if (!next_frame()) return stop_early();
        }
        progress_.end_line();
        say(describe_traffic(scene_, simulation_));
        say(fmt::format("done: {} frames in {}\n", frames_, human_seconds(seconds_since(start))));
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
        // A frame that gained energy from nowhere is not written: the last good one is what a run resumes from.
        guard_.watch(simulation_, gather_statistics(simulation_));
        folder_.write_frame(scene_, simulation_, resolved_, seconds_since(start));
        const std::string remark = guard_.remark().empty() ? "" : "  " + guard_.remark();
        folder_.log(
            fmt::format("frame {}  {}{}\n", simulation_.clock().frame, frame_line(simulation_), remark));
        progress_.show(frame + 1, frame_line(simulation_) + remark);
        return true;
    }

    int stop_early() {
        save_checkpoint(folder_.checkpoint(), simulation_, resolved_);
        progress_.end_line();
        say(fmt::format("interrupted at t = {:.6g} s in frame {}; go on with: {}\n", simulation_.clock().time,
                        simulation_.clock().frame + 1, resume_command(options_, folder_)));
        return 128 + interrupted_by();
    }

    /// To the terminal and to the log.
    void say(const std::string& text) {
        if (!options_.quiet) fmt::print("{}", text);
        folder_.log(text);
    }

    const RunOptions& options_;
    const Scene& scene_;
    const RunFolder& folder_;
    Simulation& simulation_;
    bool resumed_;
    std::string carved_;
    long frames_;
    std::string resolved_;
    EnergyGuard guard_;
    Progress progress_;
};

}  // namespace

int run_command(const RunOptions& options) {
    const SceneWithSource source = load_scene_with_source(options.scene, options.overrides);
    const Scene& scene = source.scene;
    const long frames = last_frame(options, scene);
    const RunFolder folder(options.out.empty() ? fs::path("out") / scene.name : options.out);
    refuse_to_overwrite(options, folder);

    Device device;
    if (options.threads > 0) device.threads = options.threads;
    const Beginning beginning = begin_simulation(options, source, folder, device);
    const auto frame = static_cast<long>(beginning.simulation->clock().frame);
    if (frame > frames) {
        throw InputError(fmt::format(
            "the end is before the start: {} stands at frame {}, but the run is to end at frame {}",
            folder.path().string(), frame, frames));
    }
    if (options.force && folder.holds_a_run()) folder.clear();

    catch_interrupts();
    try {
        return Run(options, scene, folder, beginning, frames).go();
    } catch (const RunError& error) {
        std::string message = error.what();
        std::error_code ignored;
        if (fs::exists(folder.checkpoint(), ignored)) {
            message += fmt::format(
                "\nfinished frames and the last good checkpoint are kept in {}; --resume goes on from there",
                folder.path().string());
        }
        try {
            folder.log(fmt::format("error: {}\n", message));
        } catch (const RunError&) {
            // The folder may be what failed; the message below is what counts.
        }
        throw RunError(message);
    }
}

}  // namespace thixo
