#pragma once

#include "core/export.h"

namespace thixo {

/// The whole program: parses the command line, runs the command, and turns errors into text and an exit code.
THIXO_API int run_program(int argc, char** argv);

}  // namespace thixo
