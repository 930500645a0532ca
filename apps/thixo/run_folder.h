#pragma once

#include <filesystem>
#include <string>

#include "scene/scene.h"
#include "sim/simulation.h"

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

    /// Whether an earlier run left something here.
    bool holds_a_run() const;

    /// Whether frames were finished here, but the state to go on from is gone.
    bool lost_its_checkpoint() const;

    /// Removes what runs and renderings write, and nothing else.
    void clear() const;

    /// Creates the folder with scene.json and an empty ledger, or, for a run that goes on after frame
    /// `last_frame`, drops the ledger's rows behind it. The lineage of bodies is that of the simulation.
    void begin(const Scene& scene, const Simulation& simulation, const std::string& resolved_scene,
               long last_frame) const;

    /// Particle files, a row of the ledger, a checkpoint to keep where asked, and last the newest one: a run
    /// that is killed in between repeats the frame.
    void write_frame(const Scene& scene, const Simulation& simulation, const std::string& resolved_scene,
                     double wall_seconds) const;

    /// Lines at the end of log.txt.
    void log(const std::string& lines) const;

private:
    void write_particles(const Scene& scene, const Simulation& simulation) const;
    void write_surfaces(const Scene& scene, const Simulation& simulation) const;
    void write_lineage(const Simulation& simulation) const;
    void append(const std::filesystem::path& file, const std::string& text) const;

    std::filesystem::path path_;
};

}  // namespace thixo
