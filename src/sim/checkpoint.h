#pragma once

#include <filesystem>
#include <string>

#include "sim/simulation.h"

namespace thixo {

/// Writes the state a run can be resumed from: versioned, named sections, each with a checksum. `scene` is
/// kept as it is, so that a resumed run can tell whether it is the same scene.
void save_checkpoint(const std::filesystem::path& path, const Simulation& simulation,
                     const std::string& scene);

struct Checkpoint {
    std::string scene;
    Snapshot snapshot;
};

/// Throws an InputError that says what is wrong with a file that is damaged, cut short or from another
/// version.
Checkpoint load_checkpoint(const std::filesystem::path& path);

}  // namespace thixo
