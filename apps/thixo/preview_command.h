#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace thixo {

/// `thixo preview SCENE`: frame 0 as a picture.
struct PreviewOptions {
    std::filesystem::path scene;
    std::string command;  ///< as it was typed
    std::vector<std::string> overrides;
    std::filesystem::path out;        ///< empty: NAME_preview.png
    std::string colour_by;            ///< attribute; empty: object
    std::vector<double> eye, target;  ///< three numbers each, or none: automatic
    int width = 960, height = 540;
    int threads = 0;  ///< 0: all
};

/// Returns the exit code; wrong input is an InputError.
int preview_command(const PreviewOptions& options);

}  // namespace thixo
