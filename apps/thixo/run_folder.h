#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "folder_lock.h"
#include "rest_places.h"
#include "run_skins.h"
#include "scene/scene.h"
#include "sim/simulation.h"
#include "sim/statistics.h"

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
    std::filesystem::path probes_file() const { return path_ / "probes.csv"; }
    std::filesystem::path events_file() const { return path_ / "events.jsonl"; }
    std::filesystem::path log_file() const { return path_ / "log.txt"; }

    /// Locks an existing folder for this process for the lifetime of the object. An InputError if another
    /// process writes there, or if the path is not a folder.
    void lock();

    /// Whether the folder contains files of an earlier run.
    bool holds_a_run() const;

    /// Whether the folder contains frames but no checkpoint.
    bool lost_its_checkpoint() const;

    /// Removes the files that `run` and `render` write, and nothing else.
    void clear() const;

    /// Creates the folder with scene.json and empty statistics. For a run resumed after frame `last_frame`,
    /// removes the later rows of the statistics instead. bodies.csv is written from the simulation.
    /// Unfinished files of killed runs are removed. Returns a warning about the statistics, or an empty text.
    std::string begin(const Scene& scene, const Simulation& simulation, const std::string& resolved_scene,
                      long last_frame);

    /// Removes what `begin` created, after a start that failed before its first checkpoint.
    void undo_begin();

    /// Writes particle files, a row of the statistics, a permanent checkpoint if configured, and last the
    /// newest checkpoint: a run that is killed in between repeats the frame.
    void write_frame(const Scene& scene, const Simulation& simulation, const std::string& resolved_scene,
                     const Statistics& statistics, double wall_seconds);

    /// Appends lines to log.txt.
    void log(const std::string& lines) const;

private:
    void write_particles(const Scene& scene, const Simulation& simulation) const;
    void write_surfaces(const Scene& scene, const Simulation& simulation);
    void write_lineage(const Scene& scene, const Simulation& simulation) const;
    void write_events(const Simulation& simulation) const;
    void append(const std::filesystem::path& file, const std::string& text) const;
    void create(const std::filesystem::path& folder);

    std::filesystem::path path_;
    std::optional<FolderLock> lock_;
    std::optional<RestPlaces> rest_;  ///< of surfaces with rest coordinates
    bool begun_ = false;
    std::unique_ptr<RunSkins> skins_;             ///< made with the first surfaces
    std::vector<std::filesystem::path> created_;  ///< folders that `begin` made, outer ones first
};

/// Removes what `thixo render` wrote, or what it was writing when it was killed.
void remove_pictures(const std::filesystem::path& folder);
void remove_half_written_pictures(const std::filesystem::path& folder);

}  // namespace thixo
