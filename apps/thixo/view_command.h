#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace thixo {

struct ViewOptions {
    std::filesystem::path subject;  ///< a scene, or the folder of a run
    std::vector<std::string> overrides;
    std::filesystem::path out;  ///< empty: out/ and the scene's name with "-view"
    int threads = 0;            ///< 0: all
    int port = 0;               ///< 0: any that is free
    double speed = 1;
    bool open = false, paused = false;
};

CLI::App* add_view_command(CLI::App& app, ViewOptions& options);
int view_command(const ViewOptions& options);

}  // namespace thixo
