#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "foam/settings.h"

namespace CLI {
class App;
}

namespace thixo {

/// `thixo foam DIR`: spray, foam and bubbles from the saved particles of a run.
struct FoamOptions {
    std::filesystem::path folder;
    FoamSettings settings;
    double speed = 0;                  ///< m/s, reference speed; 0: √(g h) of the liquid
    std::vector<std::string> formats;  ///< names; none: ply
    std::string command;               ///< as it was typed
    int threads = 0;                   ///< 0: all
    bool again = false, quiet = false;
};

CLI::App* add_foam_command(CLI::App& app, FoamOptions& options);

/// The exit code; throws InputError for wrong options and RunError for what cannot be written.
int foam_command(const FoamOptions& options);

}  // namespace thixo
