#pragma once

#include <string>

#include "scene/scene.h"

namespace thixo {

/// "thixo 0.1.0 (commit a8f7011c0f2d, GNU 12.2.0 for x86-64-v3)"
std::string version_line();

/// "thixo 0.1.0, commit a8f7011c0f2d", for the files of a run.
const std::string& program_name();

/// The words of a command line, quoted where a shell needs it.
std::string command_line(int argc, const char* const* argv);

/// Of a run that this program begins now.
Provenance provenance_now(const std::string& command);

}  // namespace thixo
