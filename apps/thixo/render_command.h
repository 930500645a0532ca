#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace thixo {

/// `thixo render DIR`: pictures, a contact sheet and a movie from the saved particles of a run.
struct RenderOptions {
    std::filesystem::path folder;
    std::string as = "spheres";   ///< or "surface": what `thixo surface` or the run left in surface/
    std::string colour_by;        ///< attribute; empty: temperature where it varies, else speed
    std::string colour_map;       ///< empty: the default of the attribute
    std::string range;            ///< "min:max"; empty: from the particles of all frames
    std::string frames = "all";   ///< "all", "12", "0:100", "0:100:2" (last one included), with commas
    int width = 1280;             ///< pixels
    int height = 720;             ///< pixels
    int samples = 6;              ///< rays per pixel
    int threads = 0;              ///< 0: all
    std::optional<float> radius;  ///< m, for files without radii
    std::vector<double> eye;      ///< three numbers, or none: automatic
    std::vector<double> target;   ///< three numbers, or none: automatic
    double fov = 0;               ///< degrees, vertical; 0: automatic
    bool plain = false;           ///< no time and no colour bar in the pictures
    bool contact_sheet = true;
    int contact_frames = 12;
    bool movie = false;
    bool quiet = false;
};

/// Declares the subcommand; its options are stored in `options`, which must outlive the parsing.
CLI::App* add_render_command(CLI::App& app, RenderOptions& options);

/// Returns 0; throws InputError for wrong options and RunError if a file cannot be written.
int render_command(const RenderOptions& options);

}  // namespace thixo
