#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "geometry/surface_settings.h"

namespace CLI {
class App;
}

namespace thixo {

/// `thixo surface DIR`: closed meshes from the saved particles of a run.
struct SurfaceOptions {
    std::filesystem::path folder;
    std::string method, by = "all";    ///< names; an empty method is the default one
    std::vector<std::string> formats;  ///< names; none: ply
    std::string frames = "all";        ///< as for `thixo render`
    SurfaceSettings settings;
    bool rest = false;            ///< vertices carry where their matter was at the start
    std::optional<float> radius;  ///< m, for files that do not say
    int threads = 0;              ///< 0: all
    bool skins = true;            ///< of the scene's objects
    bool again = false;           ///< frames that are finished, too
    bool quiet = false;
};

CLI::App* add_surface_command(CLI::App& app, SurfaceOptions& options);

/// The exit code; throws InputError for wrong options and RunError for what cannot be made or written.
int surface_command(const SurfaceOptions& options);

}  // namespace thixo
