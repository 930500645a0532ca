#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "folder_lock.h"
#include "scene/scene.h"
#include "sim/simulation.h"
#include "sim/statistics.h"

namespace thixo {

/// The folder a run writes to. Its layout is known here and nowhere else.
class RunFolder {
public:
    explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path checkpoint() const { return path_ / "checkpoint"; }
    std::filesystem::path scene_file() const { return path_ / "scene.json"; }
    std::filesystem::path statistics_file() const { return path_ / "stats.csv"; }
    std::filesystem::path bodies_file() const { return path_ / "bodies.csv"; }
    std::filesystem::path log_file() const { return path_ / "log.txt"; }

    /// Keeps an existing folder for this process, until the object goes. An InputError if another process writes
    /// there, or if the path leads to something that is no folder.
    void lock();

    /// Whether an earlier run left something here.
    bool holds_a_run() const;

    /// Whether frames were finished here, but the state to go on from is gone.
    bool lost_its_checkpoint() const;

    /// Removes what runs and renderings write, and nothing else.
    void clear() const;

    /// Creates the folder with scene.json and an empty ledger, or, for a run that goes on after frame
    /// `last_frame`, drops the ledger's rows behind it. The lineage of bodies is that of the simulation.
    /// Half-written files of killed runs are removed. Returns what the user should know about the ledger.
    std::string begin(const Scene& scene, const Simulation& simulation, const std::string& resolved_scene,
                      long last_frame);

    /// Takes back what `begin` made, for a start that failed before its first checkpoint.
    void undo_begin();

    /// Particle files, a row of the ledger, a checkpoint to keep where asked, and last the newest one: a run
    /// that is killed in between repeats the frame.
    void write_frame(const Scene& scene, const Simulation& simulation, const std::string& resolved_scene,
                     const Statistics& statistics, double wall_seconds) const;

    /// Lines at the end of log.txt.
    void log(const std::string& lines) const;

private:
    void write_particles(const Scene& scene, const Simulation& simulation) const;
    void write_lineage(const Simulation& simulation) const;
    void append(const std::filesystem::path& file, const std::string& text) const;
    void create(const std::filesystem::path& folder);

    std::filesystem::path path_;
    std::optional<FolderLock> lock_;
    bool begun_ = false;
    std::vector<std::filesystem::path> created_;  ///< folders that `begin` made, outer ones first
};

/// Removes what `thixo render` wrote, or what it was writing when it was killed.
void remove_pictures(const std::filesystem::path& folder);
void remove_half_written_pictures(const std::filesystem::path& folder);

}  // namespace thixo
