#pragma once

#include <filesystem>
#include <string>

#include "scene/scene.h"
#include "sim/simulation.h"

namespace thixo {

/// Output folder of a run. This class alone defines its layout.
class RunFolder {
public:
    explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path checkpoint() const { return path_ / "checkpoint"; }
    std::filesystem::path scene_file() const { return path_ / "scene.json"; }
    std::filesystem::path statistics_file() const { return path_ / "stats.csv"; }
    std::filesystem::path bodies_file() const { return path_ / "bodies.csv"; }
    std::filesystem::path log_file() const { return path_ / "log.txt"; }

    /// Whether the folder contains files of an earlier run.
    bool holds_a_run() const;

    /// Whether the folder contains frames but no checkpoint.
    bool lost_its_checkpoint() const;

    /// Removes the files that `run` and `render` write, and nothing else.
    void clear() const;

    /// Creates the folder with scene.json and empty statistics. For a run resumed after frame `last_frame`, removes the
    /// later rows of the statistics instead. bodies.csv is written from the simulation.
    void begin(const Scene& scene, const Simulation& simulation, const std::string& resolved_scene,
               long last_frame) const;

    /// Writes particle files, a row of the statistics, a permanent checkpoint if configured, and last the newest
    /// checkpoint: a run that is killed in between repeats the frame.
    void write_frame(const Scene& scene, const Simulation& simulation, const std::string& resolved_scene,
                     double wall_seconds) const;

    /// Appends lines to log.txt.
    void log(const std::string& lines) const;

private:
    void write_particles(const Scene& scene, const Simulation& simulation) const;
    void write_lineage(const Simulation& simulation) const;
    void append(const std::filesystem::path& file, const std::string& text) const;

    std::filesystem::path path_;
};

}  // namespace thixo
