#include "render_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <numeric>

#include "core/atomic_file.h"
#include "core/error.h"
#include "folder_lock.h"
#include "option_limits.h"
#include "picture_notes.h"
#include "progress.h"
#include "render/contact_sheet.h"
#include "render/exr.h"
#include "render/movie.h"
#include "render_captions.h"
#include "render_moments.h"
#include "render_picture.h"
#include "run_folder.h"
#include "scene/wording.h"
#include "threads.h"

namespace thixo {
namespace {

std::string time_label(const ParticleFrame& frame) { return fmt::format("t = {:.2f} s", frame.time); }

/// A thumbnail of the picture without the room for the legend, if it has any.
Image thumbnail(const Image& picture, const Look& look, bool has_room) {
    const float strip = !has_room ? 0 : 0.7f * legend_width(look.legend, look.colours, look.letter);
    Image subject(std::max(picture.width / 2, picture.width - static_cast<int>(strip)), picture.height);
    subject.paste(picture, 0, 0);
    const int height = std::min(picture.height, 270);
    return resized(subject, std::max(1, subject.width * height / subject.height), height);
}

/// Frames of the run from one frame of the movie to the next: with each picture shown until the next one is
/// due, a movie has the speed of the scene whatever is left out.
int movie_step(const std::vector<FrameFile>& files) {
    int step = 0;
    for (std::size_t i = 1; i < files.size(); ++i)
        step = std::gcd(step, files[i].number - files[i - 1].number);
    return std::max(step, 1);
}

/// All pictures of one camera, into one folder.
void draw_pictures(const Device& device, const std::vector<FrameFile>& all,
                   const std::vector<FrameFile>& files, const Look& look, const Setting& setting,
                   const RenderOptions& options, const std::filesystem::path& pictures) {
    create_folder(pictures);
    const FolderLock lock(pictures);
    remove_half_written_pictures(pictures);
    const ImageNotes notes = picture_notes(setting.title, options.command);
    std::unique_ptr<Movie> movie;
    const int step = movie_step(files);
    if (options.movie) {
        movie = std::make_unique<Movie>(pictures / ("movie." + options.movie_format), options.width,
                                        options.height, setting.frame_rate / step, notes);
    }
    const Captions captions = place_captions(look, setting, options, files);
    RenderOptions own_part = options;
    own_part.width -= captions.strip;
    const auto shown =
        telling_moments(options.folder, files, static_cast<std::size_t>(options.contact_frames));
    std::vector<ContactSheetEntry> sheet;
    const auto skins = PictureSkins::for_pictures(device, options, setting, look, all);
    Progress progress("picture", static_cast<int>(files.size()), options.quiet);
    for (std::size_t i = 0; i < files.size(); ++i) {
        ParticleFrame frame = read_frame(files[i], options, setting);
        leave_out(frame, options, setting, look.cuts);
        const std::string name = files[i].path.stem().string() + ".png";
        Picture picture = paint(device, files[i], frame, look, setting, own_part, skins.get(),
                                turned_at(options, i, files.size()), [&](double fraction) {
                                    if (fraction < 1) progress.show(static_cast<double>(i) + fraction, name);
                                });
        if (options.exr) write_exr((pictures / name).replace_extension(".exr"), *picture.film, notes);
        Image image = std::move(picture.image);
        if (options.contact_sheet && std::find(shown.begin(), shown.end(), i) != shown.end()) {
            const bool has_room = !captions.none && captions.strip == 0;
            sheet.push_back({thumbnail(image, look, has_room), time_label(frame)});
        }
        image = with_captions(image, captions, frame.time, look);
        write_png(pictures / name, image, notes);
        if (movie) {
            const int next = i + 1 < files.size() ? files[i + 1].number : files[i].number + step;
            for (int shown_until = files[i].number; shown_until < next; shown_until += step)
                movie->add(image);
        }
        progress.show(static_cast<double>(i + 1), name);
    }
    if (!sheet.empty()) {
        write_png(pictures / "contact_sheet.png",
                  contact_sheet(sheet, setting.title, look.legend, look.colours), notes);
    }
    if (movie) movie->finish();
}

}  // namespace

int render_command(const RenderOptions& options) {
    const std::vector<FrameFile> all = particle_files(options.folder);
    const std::vector<FrameFile> files = selected(all, options.frames);
    const std::vector<NamedCamera> cameras = named_cameras(options.cameras);
    if (options.movie) Movie::require_encoder();
    const Device device = started_device(options.threads);
    Setting setting = load_setting(options);
    Look look = choose_look(options, setting, all, files);
    if (options.exr && !(look.by_material && setting.dimensions == 3 && options.as != "spheres"))
        throw InputError(
            "--exr: only pictures of surfaces with looks have depth and normals; leave out --colour-by and "
            "--as spheres");
    const std::filesystem::path pictures = options.out.empty() ? options.folder / "pictures" : options.out;
    if (cameras.empty()) {
        warn_of_empty_pictures("this camera", look, options, setting, files);
        draw_pictures(device, all, files, look, setting, options, pictures);
    }
    for (const NamedCamera& camera : cameras) {
        look.camera.eye = camera.eye, look.camera.target = camera.target;
        look.camera.perspective = true;
        warn_of_empty_pictures(fmt::format("camera {}", thixo::quoted(camera.name)), look, options, setting,
                               files);
        draw_pictures(device, all, files, look, setting, options, pictures / camera.name);
    }
    return 0;
}

CLI::App* add_render_command(CLI::App& app, RenderOptions& options) {
    CLI::App* command = app.add_subcommand(
        "render", "make pictures, a contact sheet and a movie from the saved particles of a run");
    command->add_option("folder", options.folder, "Output folder of a run")->required()->type_name("DIR");
    command
        ->add_option("--as", options.as,
                     "What is drawn: surface, saved or made on the way; skin: the skins of the objects that "
                     "have one, and "
                     "the surface of the rest; spheres; field: the surface without a mesh (default: skin or "
                     "surface in 3D, "
                     "spheres in 2D)")
        ->check(CLI::IsMember({"surface", "skin", "spheres", "field"}));
    command
        ->add_option("--quality", options.quality,
                     "draft, good or final: noise of pictures with looks, and fineness of surfaces")
        ->check(CLI::IsMember({"draft", "good", "final"}))
        ->capture_default_str();
    command->add_option(
        "--colour-by,--color-by", options.colour_by,
        "look, or an attribute: speed, temperature, density, phase, material, object, body, … (default: "
        "output.picture.colour_by of the scene, or else looks of the materials in 3D; in 2D temperature "
        "where "
        "it varies, else speed)");
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
    command->add_option("--samples", options.samples, "Rays per pixel, at most (default: by the quality)")
        ->check(CLI::Range(1, 65536));
    command
        ->add_option("--noise", options.noise,
                     "Standard error at which a pixel is finished, of white (default: by the quality)")
        ->check(within(1e-5, 1.0));
    command
        ->add_option("--method", options.method,
                     "Surfaces that are made: anisotropic (default), density, zhu_bridson or solenthaler")
        ->check(CLI::IsMember({"anisotropic", "density", "zhu_bridson", "solenthaler"}));
    command
        ->add_option("--resolution", options.resolution,
                     "Surfaces that are made: edge of a grid cell, in particle radii")
        ->check(within(0.05, 10.0));
    command->add_option("--clip", options.clip, "Cut away what is on one side: z>0.1, x<0; several times")
        ->expected(1)
        ->take_all();
    command
        ->add_option("--hide", options.hide,
                     "Leave out an object, a material or an obstacle, by name; several times")
        ->expected(1)
        ->take_all();
    command
        ->add_option("--key", options.keys,
                     "The camera at a time: time:x,y,z:x,y,z in s and m, its place and what it looks at; "
                     "several times")
        ->expected(1)
        ->take_all();
    command
        ->add_option("--camera", options.cameras,
                     "One of several cameras: name:x,y,z:x,y,z in m, its place and what it looks at; its "
                     "pictures go to a folder of that name; several times")
        ->expected(1)
        ->take_all();
    command
        ->add_option("--fit", options.fit,
                     "What the automatic camera frames: the matter of the whole run (default for several "
                     "pictures), or that of the frames that are shown (default for one)")
        ->check(CLI::IsMember({"run", "shown"}));
    command
        ->add_option("--turn", options.turn,
                     "Degrees that the camera goes around the scene over all pictures")
        ->check(within(-36000.0, 36000.0));
    command
        ->add_option("--aperture", options.aperture,
                     "Radius of the lens in m: what is not in focus is blurred")
        ->check(within(0.0, 1e3));
    command->add_option("--focus", options.focus, "Distance in m of what is sharp (default: the target)")
        ->check(within(1e-6, 1e6));
    command
        ->add_option("--shutter", options.shutter,
                     "Fraction of a frame that the shutter is open: motion blur")
        ->check(within(0.0, 1.0));
    command->add_option("--threads", options.threads, "Number of threads (0: all cores)")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    command->add_option("--radius", options.radius, "Particle radius in m, for files without radii")
        ->check([](const std::string& text) -> std::string {
            double radius = 0;
            if (CLI::detail::lexical_cast(text, radius) && radius > 0 && radius <= farthest_drawn) return "";
            return fmt::format("{} is no radius; expected a number above 0 m, at most {:g} m", text,
                               farthest_drawn);
        });
    command->add_option("--eye", options.eye, "Camera position: x y z in m")->expected(3);
    command->add_option("--target", options.target, "Point that the camera looks at: x y z in m")
        ->expected(3);
    command->add_option("--fov", options.fov, "Vertical field of view in degrees")->check(within(1.0, 150.0));
    command->add_flag("--plain", options.plain, "No time and no colour bar in the pictures");
    command->add_flag("!--no-contact-sheet", options.contact_sheet, "Do not write contact_sheet.png");
    command->add_option("--contact-frames", options.contact_frames, "Pictures on the contact sheet")
        ->check(CLI::Range(1, 400))
        ->capture_default_str();
    command->add_flag("--movie", options.movie,
                      "Also write a movie, at the speed of the scene (needs ffmpeg)");
    command->add_option("--movie-format", options.movie_format, "mp4, webm or gif")
        ->check(CLI::IsMember({"mp4", "webm", "gif"}))
        ->capture_default_str();
    command->add_flag("--exr", options.exr, "Also write OpenEXR files: linear light, albedo, normals, depth");
    command->add_option("--out", options.out, "Folder for the pictures (default: DIR/pictures)")
        ->type_name("DIR");
    command->add_flag("--quiet", options.quiet, "Print nothing");
    for (const char* other : {"--eye", "--target", "--key"})
        command->get_option("--camera")->excludes(command->get_option(other));
    return command;
}

}  // namespace thixo
