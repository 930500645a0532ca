#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <sstream>

#include <fmt/core.h>

#include "commands.h"
#include "core/error.h"
#include "core/file_hash.h"
#include "interrupt.h"
#include "progress.h"
#include "provenance.h"
#include "run_folder.h"
#include "scene/carving_warnings.h"
#include "scene/events_file.h"
#include "scene/fill.h"
#include "scene/finish.h"
#include "scene/load.h"
#include "scene/scale.h"
#include "scene/wording.h"
#include "setup_report.h"
#include "sim/checkpoint.h"
#include "sim/compression_guard.h"
#include "sim/energy_guard.h"
#include "surface_frames.h"
#include "text.h"
#include "threads.h"

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
            throw InputError("--frames: the end is before the start; allowed: at least 0");
        if (*options.frames > most_frames)
            throw InputError(fmt::format("--frames: {} is out of range; allowed: at most {}", *options.frames,
                                         count_text(most_frames)));
        return *options.frames;
    }
    if (options.until) {
        if (!(*options.until >= 0) || !std::isfinite(*options.until)) {
            throw InputError("--until: the end is before the start; allowed: at least 0 s");
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

/// First difference of two resolved scenes, as "was …, is …"; empty if the physics is the same. Duration and
/// output may differ.
std::string difference(Scene before, const Scene& now) {
    before.name = now.name;
    before.duration = now.duration;
    before.output = now.output;
    before.provenance = now.provenance;
    std::istringstream a(to_json(before)), b(to_json(now));
    std::string line_a, line_b;
    while (std::getline(a, line_a) && std::getline(b, line_b)) {
        if (line_a == line_b) continue;
        const auto trimmed = [](const std::string& line) { return line.substr(line.find_first_not_of(' ')); };
        return fmt::format("was {}, is {}", trimmed(line_a), trimmed(line_b));
    }
    return std::getline(a, line_a) || std::getline(b, line_b) ? "one has more entries" : "";
}

/// The first file whose contents are not those of before; empty if all are the same.
std::string changed_file(const FileHashes& before, const FileHashes& now) {
    for (const auto& [path, hash] : now) {
        const auto known = before.find(path);
        if (known == before.end() || known->second != hash) return path;
    }
    return "";
}

/// What goes on from the newest checkpoint of a folder, whose scene and files must be those of now.
std::unique_ptr<Simulation> resume(const Scene& scene, const std::vector<Event>& events,
                                   const RunFolder& folder, const Device& device) {
    Checkpoint checkpoint = load_checkpoint(folder.checkpoint());
    const std::string changed =
        difference(parse_scene(checkpoint.scene, folder.checkpoint().string()), scene);
    if (!changed.empty()) {
        throw InputError(fmt::format(
            "cannot resume {}: the scene has changed ({}); restore it, or start again with --force",
            folder.path().string(), changed));
    }
    if (const std::string file = changed_file(checkpoint.files, scene.files); !file.empty()) {
        throw InputError(
            fmt::format("cannot resume {}: the contents of {} have changed; restore the file, or start again "
                        "with --force",
                        folder.path().string(), file));
    }
    Events saved(events);
    saved.load(checkpoint.snapshot);
    try {
        saved.replay(scene.model);
    } catch (const InputError& error) {
        throw InputError(
            fmt::format("cannot resume {}: the events have changed ({}); give the same --events, of which {} "
                        "were applied, or "
                        "start again with --force",
                        folder.path().string(), error.what(), saved.applied().size()));
    }
    return std::make_unique<Simulation>(scene.model, std::move(checkpoint.snapshot), device, events);
}

struct Beginning {
    std::unique_ptr<Simulation> simulation;
    bool resumed = false;  ///< starts from the newest checkpoint
    std::string carved;    ///< report of carved particles
};

Beginning begin_simulation(const RunOptions& options, const SceneWithSource& source, const RunFolder& folder,
                           const Device& device) {
    const std::vector<Event> events =
        options.events.empty() ? std::vector<Event>() : load_events(options.events, source.scene);
    if (!options.resume || !fs::exists(folder.checkpoint())) {
        Filling filling = fill(source, device);
        if (options.resume && folder.lost_its_checkpoint()) {
            throw InputError(
                fmt::format("cannot resume {}: it has frames but no checkpoint; start over with --force",
                            folder.path().string()));
        }
        const std::string carved = describe_carvings(source.scene, filling.carvings) +
                                   carving_warnings(source.scene, filling) + describe_scale(source.scene);
        return {start(source.scene.model, std::move(filling), device, events), false, carved};
    }
    return {resume(source.scene, events, folder, device), true, ""};
}

/// A folder that is missing is no run, but a misspelt name or another working directory. One that holds
/// nothing yet may be that of a run which was killed as it began.
void refuse_folder(const RunOptions& options, const RunFolder& folder) {
    if (options.resume && !fs::exists(folder.path()))
        throw InputError(
            fmt::format("cannot resume {}: there is no such folder; name that of the run with --out, "
                        "or start without --resume",
                        folder.path().string()));
    if (options.resume || options.force || !folder.holds_a_run()) return;
    throw InputError(
        fmt::format("{} contains an earlier run; continue it with --resume, replace it with --force, or "
                    "choose another folder "
                    "with --out",
                    folder.path().string()));
}

/// Number of particles of each phase: "2,489 liquid, 400 elastic".
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
    // A simulation that has just been resumed has not computed a time step yet.
    const std::string reason = std::isfinite(limit.seconds) ? fmt::format(" ({})", limit.name) : "";
    return fmt::format("t = {:.4f} s  {} steps  {}  dt {:.3g} s{}", clock.time, clock.frame_steps,
                       population(simulation), clock.last_step, reason);
}

/// Command line that continues an interrupted run.
std::string resume_command(const RunOptions& options, const RunFolder& folder) {
    std::string command = fmt::format("thixo run {} --out {}", shell_word(options.scene.string()),
                                      shell_word(folder.path().string()));
    for (const std::string& text : options.overrides) command += " --set " + shell_word(text);
    if (!options.events.empty()) command += " --events " + shell_word(options.events.string());
    if (options.frames) command += fmt::format(" --frames {}", *options.frames);
    if (options.until) command += fmt::format(" --until {}", *options.until);
    return command + " --resume";
}

/// A run from its current state to its last frame.
class Run {
public:
    Run(const RunOptions& options, const Scene& scene, RunFolder& folder, const Beginning& beginning,
        long frames)
        : options_(options),
          scene_(scene),
          folder_(folder),
          simulation_(*beginning.simulation),
          resumed_(beginning.resumed),
          carved_(beginning.carved),
          frames_(frames),
          resolved_(resolved_scene(scene)),
          energy_(scene.model),
          progress_("frame", static_cast<int>(frames), options.quiet) {}

    int go() {
        const auto start = SteadyClock::now();
        const std::string notes = folder_.begin(scene_, simulation_, scene_with_provenance(),
                                                resumed_ ? static_cast<long>(simulation_.clock().frame) : -1);
        folder_.log(fmt::format("{}\n{}: {}\n", version_line(), provenance_.date, provenance_.command));
        say(fmt::format("{} `{}` into {}, {}\n", resumed_ ? "resuming" : "running", scene_.name,
                        folder_.path().string(), counted(simulation_.device().threads, "thread")));
        warn(notes);
        if (!resumed_) {
            say(describe_setup(scene_, simulation_) + carved_);
            const Statistics statistics = gather_statistics(simulation_);
            warn_of_compression(statistics);
            folder_.write_frame(scene_, simulation_, resolved_, statistics, seconds_since(start));
        }
        energy_.watch(simulation_, gather_statistics(simulation_));
        progress_.show(static_cast<double>(simulation_.clock().frame), frame_line(simulation_));
        while (static_cast<long>(simulation_.clock().frame) < frames_) {
            if (!next_frame()) return stop_early();
        }
        progress_.end_line();
        say(describe_emitters_and_sinks(scene_, simulation_));
        say(fmt::format("done: {} frames in {}\n", frames_, human_seconds(seconds_since(start))));
        return 0;
    }

private:
    /// What a checkpoint keeps: the same for every run of the scene.
    static std::string resolved_scene(Scene scene) {
        scene.provenance.reset();
        return to_json(scene);
    }
    std::string scene_with_provenance() const {
        Scene scene = scene_;
        scene.provenance = provenance_;
        return to_json(scene);
    }

    bool next_frame() {
        const auto start = SteadyClock::now();
        const auto frame = static_cast<double>(simulation_.clock().frame);
        const double begin = frame / scene_.frame_rate, end = (frame + 1) / scene_.frame_rate;
        const bool finished = simulation_.advance_frame(end, [&] {
            const double fraction = (simulation_.clock().time - begin) / (end - begin);
            if (fraction > 0) progress_.show(frame + std::min(fraction, 0.999), frame_line(simulation_));
            return interrupted_by() != 0;
        });
        if (!finished) return false;
        const Statistics statistics = gather_statistics(simulation_);
        warn_of_compression(statistics);
        // A frame that gained energy from nowhere is not written: the last good one is what a run resumes
        // from.
        energy_.watch(simulation_, statistics);
        folder_.write_frame(scene_, simulation_, resolved_, statistics, seconds_since(start));
        const std::string remark = energy_.remark().empty() ? "" : "  " + energy_.remark();
        folder_.log(
            fmt::format("frame {}  {}{}\n", simulation_.clock().frame, frame_line(simulation_), remark));
        progress_.show(frame + 1, frame_line(simulation_) + remark);
        return true;
    }

    int stop_early() {
        save_checkpoint(folder_.checkpoint(), simulation_, resolved_, scene_.files);
        progress_.end_line();
        say(fmt::format("interrupted at t = {:.6g} s in frame {}; continue with: {}\n",
                        simulation_.clock().time, simulation_.clock().frame + 1,
                        resume_command(options_, folder_)));
        return 128 + interrupted_by();
    }

    void warn_of_compression(const Statistics& statistics) {
        if (const std::string text = compression_.check(simulation_, statistics); !text.empty())
            warn(text + "\n");
    }

    /// To the terminal and to the log.
    void say(const std::string& text) {
        if (!options_.quiet) fmt::print("{}", text);
        folder_.log(text);
    }

    /// To stderr, which --quiet does not silence, and to the log.
    void warn(const std::string& text) {
        if (text.empty()) return;
        progress_.end_line();
        std::fputs(text.c_str(), stderr);
        folder_.log(text);
    }

    const RunOptions& options_;
    const Scene& scene_;
    RunFolder& folder_;
    Simulation& simulation_;
    bool resumed_;
    std::string carved_;
    long frames_;
    std::string resolved_;
    Provenance provenance_ = provenance_now(options_.command);
    EnergyGuard energy_;
    Progress progress_;
    CompressionGuard compression_;
};

/// A start that failed before it had a state to go on from leaves nothing that the next start would refuse.
bool undo_failed_start(RunFolder& folder, const Beginning& beginning) {
    std::error_code ignored;
    if (beginning.resumed || fs::exists(folder.checkpoint(), ignored)) return false;
    folder.undo_begin();
    return true;
}

}  // namespace

int run_command(const RunOptions& options) {
    const SceneWithSource source = load_scene_with_source(options.scene, options.overrides);
    const Scene& scene = source.scene;
    if (scene.output.surface) refuse_impossible(*scene.output.surface, scene.model.dimensions);
    const long frames = last_frame(options, scene);
    RunFolder folder(options.out.empty() ? fs::path("out") / scene.name : options.out);
    folder.lock();
    refuse_folder(options, folder);

    const Device device = started_device(options.threads);
    const Beginning beginning = begin_simulation(options, source, folder, device);
    const auto frame = static_cast<long>(beginning.simulation->clock().frame);
    if (frame > frames) {
        throw InputError(
            fmt::format("the end is before the start: {} is at frame {}, but the last frame is {}",
                        folder.path().string(), frame, frames));
    }
    if (options.force && folder.holds_a_run()) folder.clear();

    catch_interrupts();
    try {
        return Run(options, scene, folder, beginning, frames).go();
    } catch (const RunError& error) {
        if (undo_failed_start(folder, beginning)) throw;
        std::string message = error.what();
        std::error_code ignored;
        if (fs::exists(folder.checkpoint(), ignored)) {
            message += fmt::format(
                "\nfinished frames and the last good checkpoint are kept in {}; --resume continues from "
                "there",
                folder.path().string());
        }
        try {
            folder.log(fmt::format("error: {}\n", message));
        } catch (const RunError&) {
            // Writing to the folder may be what failed; the message below is printed in any case.
        }
        throw RunError(message);
    } catch (...) {
        undo_failed_start(folder, beginning);
        throw;
    }
}

}  // namespace thixo
