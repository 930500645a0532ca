#include "render_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "core/error.h"
#include "folder_lock.h"
#include "progress.h"
#include "render/contact_sheet.h"
#include "render/font.h"
#include "render/movie.h"
#include "render/render.h"
#include "render_look.h"
#include "run_folder.h"
#include "threads.h"

namespace thixo {
namespace {

Image paint(const FrameFile& file, const ParticleFrame& frame, const Look& look, const Setting& setting,
            const RenderOptions& options) {
    const bool as_surface = options.as == "surface";
    const SurfaceMesh mesh = as_surface ? surfaces_of_frame(options.folder, file.number) : SurfaceMesh{};
    const std::vector<float> values =
        as_surface ? attribute(mesh, look.attribute) : attribute(frame, look.attribute);
    const RenderParticles spheres{frame.position, frame.radius, values};
    const RenderScene scene{.particles = as_surface ? RenderParticles{} : spheres,
                            .mesh = as_surface ? RenderMesh{&mesh, values} : RenderMesh{},
                            .obstacles = setting.obstacles_at(frame.time),
                            .colours = look.colours,
                            .dimensions = setting.dimensions,
                            .stage = look.stage};
    return render(scene, look.camera,
                  {.width = options.width,
                   .height = options.height,
                   .samples = options.samples,
                   .threads = options.threads});
}

std::string time_label(const ParticleFrame& frame) { return fmt::format("t = {:.2f} s", frame.time); }

void draw_captions(Image& image, const ParticleFrame& frame, const Look& look) {
    draw_text(image, 2 * look.letter, 3 * look.letter, time_label(frame),
              {.height = look.letter, .halo = 0.3f});
    draw_legend(image, look.legend, look.colours, look.letter);
}

/// A thumbnail of the picture without the strip of the legend.
Image thumbnail(const Image& picture, const Look& look, const RenderOptions& options) {
    const float strip = options.plain ? 0 : 0.7f * legend_width(look.legend, look.colours, look.letter);
    Image subject(std::max(picture.width / 2, picture.width - static_cast<int>(strip)), picture.height);
    subject.paste(picture, 0, 0);
    const int height = std::min(picture.height, 270);
    return resized(subject, std::max(1, subject.width * height / subject.height), height);
}

}  // namespace

int render_command(const RenderOptions& options) {
    const std::vector<FrameFile> all = particle_files(options.folder);
    const std::vector<FrameFile> files = selected(all, options.frames);
    if (options.movie) Movie::require_encoder();
    started_device(options.threads);
    Setting setting = load_setting(options);
    const Look look = choose_look(options, setting, all);

    const std::filesystem::path pictures = options.folder / "pictures";
    std::error_code error;
    std::filesystem::create_directories(pictures, error);
    if (error) throw RunError(fmt::format("cannot create {}: {}", pictures.string(), error.message()));
    const FolderLock lock(pictures);
    remove_half_written_pictures(pictures);
    std::unique_ptr<Movie> movie;
    if (options.movie) {
        movie = std::make_unique<Movie>(pictures / "movie.mp4", options.width, options.height,
                                        setting.frame_rate);
    }
    const auto shown = evenly_chosen(files.size(), static_cast<std::size_t>(options.contact_frames));
    std::vector<ContactSheetEntry> sheet;
    Progress progress("picture", static_cast<int>(files.size()), options.quiet);
    for (std::size_t i = 0; i < files.size(); ++i) {
        const ParticleFrame frame = read_frame(files[i], options, setting);
        Image image = paint(files[i], frame, look, setting, options);
        if (options.contact_sheet && std::find(shown.begin(), shown.end(), i) != shown.end()) {
            sheet.push_back({thumbnail(image, look, options), time_label(frame)});
        }
        if (!options.plain) draw_captions(image, frame, look);
        const std::string name = files[i].path.stem().string() + ".png";
        write_png(pictures / name, image);
        if (movie) movie->add(image);
        progress.show(static_cast<double>(i + 1), name);
    }
    if (!sheet.empty()) {
        write_png(pictures / "contact_sheet.png",
                  contact_sheet(sheet, setting.title, look.legend, look.colours));
    }
    if (movie) movie->finish();
    return 0;
}

CLI::App* add_render_command(CLI::App& app, RenderOptions& options) {
    CLI::App* command = app.add_subcommand(
        "render", "Pictures, a contact sheet and a movie from the saved particles of a run");
    command->add_option("folder", options.folder, "Output folder of a run")->required()->type_name("DIR");
    command->add_option("--as", options.as, "spheres, or surface: the meshes of `thixo surface`")
        ->check(CLI::IsMember({"spheres", "surface"}))
        ->capture_default_str();
    command->add_option("--colour-by,--color-by", options.colour_by,
                        "Attribute: speed, temperature, density, phase, material, object, body, … "
                        "(default: temperature where it varies, else speed)");
    command->add_option("--colour-map,--color-map", options.colour_map,
                        "viridis, inferno, thermal, coolwarm or water");
    command->add_option("--range", options.range,
                        "Range of the colour scale, min:max (default: from all frames)");
    command->add_option("--frames", options.frames, "all, 12, 0:100, 0:100:2, several with commas")
        ->capture_default_str();
    command->add_option("--width", options.width, "Pixels")
        ->check(CLI::Range(16, 16384))
        ->capture_default_str();
    command->add_option("--height", options.height, "Pixels")
        ->check(CLI::Range(16, 16384))
        ->capture_default_str();
    command->add_option("--samples", options.samples, "Rays per pixel")
        ->check(CLI::Range(1, 4096))
        ->capture_default_str();
    command->add_option("--threads", options.threads, "Number of threads (0: all cores)")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    command->add_option("--radius", options.radius, "Particle radius in m, for files without radii")
        ->check([](const std::string& text) -> std::string {
            double radius = 0;
            if (CLI::detail::lexical_cast(text, radius) && radius > 0 && radius <= farthest) return "";
            return fmt::format("{} is no radius; expected a number above 0 m, at most {:g} m", text,
                               farthest);
        });
    command->add_option("--eye", options.eye, "Camera position: x y z in m")->expected(3);
    command->add_option("--target", options.target, "Point that the camera looks at: x y z in m")
        ->expected(3);
    command->add_option("--fov", options.fov, "Vertical field of view in degrees")
        ->check(CLI::Range(1.0, 150.0));
    command->add_flag("--plain", options.plain, "No time and no colour bar in the pictures");
    command->add_flag("!--no-contact-sheet", options.contact_sheet, "Do not write contact_sheet.png");
    command->add_option("--contact-frames", options.contact_frames, "Pictures on the contact sheet")
        ->check(CLI::Range(1, 400))
        ->capture_default_str();
    command->add_flag("--movie", options.movie, "Also write pictures/movie.mp4 (needs ffmpeg)");
    command->add_flag("--quiet", options.quiet, "Print nothing");
    return command;
}

}  // namespace thixo
