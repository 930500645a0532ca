#pragma once

#include "provenance.h"
#include "render/image.h"

namespace thixo {

/// Where a picture comes from: the scene, the program, the command that made it.
inline ImageNotes picture_notes(const std::string& scene, const std::string& command) {
    ImageNotes notes;
    if (!scene.empty()) notes.push_back({"Title", scene});
    notes.push_back({"Software", program_name()});
    if (!command.empty()) notes.push_back({"Comment", command});
    return notes;
}

}  // namespace thixo
