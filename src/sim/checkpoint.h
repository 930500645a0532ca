#pragma once

#include <filesystem>
#include <string>

#include "core/file_hash.h"
#include "sim/simulation.h"

namespace thixo {

/// Writes the state that a run can be resumed from: versioned, in named sections, each with a checksum.
/// `scene`, and the contents of the `files` that it refers to, are kept for comparison: a resumed run must be
/// made from the same.
void save_checkpoint(const std::filesystem::path& path, const Simulation& simulation,
                     const std::string& scene, const FileHashes& files = {});

struct Checkpoint {
    std::string scene;
    FileHashes files;
    Snapshot snapshot;
};

/// Throws an InputError that says what is wrong with a file that is damaged, cut short or from another
/// version. Sections that are missing or forged are refused where a simulation is made from the snapshot.
Checkpoint load_checkpoint(const std::filesystem::path& path);

}  // namespace thixo
