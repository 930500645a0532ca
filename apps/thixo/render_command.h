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
    std::string command;  ///< as it was typed, for the notes of the pictures
    std::string as;       ///< "surface", "skin", "spheres", "field"; empty: surface in 3D, else spheres
    std::string quality = "draft";  ///< of looks: "draft", "good" or "final"
    std::string colour_by;          ///< attribute or "look"; empty: as the scene says
    std::string colour_map;         ///< empty: the default of the attribute
    std::string range;              ///< "min:max"; empty: from the particles of all frames
    std::string frames = "all";     ///< "all", "12", "0:100", "0:100:2" (last one included), with commas
    int width = 1280;               ///< pixels
    int height = 720;               ///< pixels
    int samples = 0;                ///< rays per pixel, at most; 0: by the quality
    double noise = 0;       ///< standard error at which a pixel of a look is finished; 0: by the quality
    std::string method;     ///< of surfaces that are made; empty: as the scene says, or anisotropic
    double resolution = 0;  ///< of surfaces that are made, in radii; 0: as the scene says, or by the quality
    std::vector<std::string> clip;  ///< "z>0.1": what is there is left out
    std::vector<std::string> hide;  ///< objects, materials and obstacles, by name
    std::vector<std::string> keys;  ///< "1.5:2,1,3:0,0.5,0": when, where the camera is, what it looks at
    std::vector<std::string>
        cameras;  ///< "side:3,1,0:0,0.5,0": a name, where it is, what it looks at; empty: one, without a name
    std::string
        fit;  ///< what the automatic camera frames: "run", or "shown", the frames that are drawn; empty: of one picture "shown", else "run"
    double turn = 0;  ///< degrees about the vertical that the camera goes from the first picture to the last
    double aperture = 0;          ///< m, radius of the lens
    double focus = 0;             ///< m to what is sharp; 0: the target
    double shutter = 0;           ///< fraction of a frame that the shutter is open
    int threads = 0;              ///< 0: all
    std::optional<float> radius;  ///< m, for files without radii
    std::vector<double> eye;      ///< three numbers, or none: automatic
    std::vector<double> target;   ///< three numbers, or none: automatic
    double fov = 0;               ///< degrees, vertical; 0: automatic
    bool plain = false;           ///< no time and no colour bar in the pictures
    bool contact_sheet = true;
    int contact_frames = 12;
    bool movie = false;
    std::string movie_format = "mp4";  ///< or "webm", "gif"
    bool exr = false;                  ///< linear light, albedo, normals and depth beside each PNG
    std::filesystem::path out;         ///< where pictures go; empty: `pictures` in the folder
    bool quiet = false;
};

/// Declares the subcommand; its options are stored in `options`, which must outlive the parsing.
CLI::App* add_render_command(CLI::App& app, RenderOptions& options);

/// Returns 0; throws InputError for wrong options and RunError if a file cannot be written.
int render_command(const RenderOptions& options);

}  // namespace thixo
