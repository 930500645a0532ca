#include "export_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "core/atomic_file.h"
#include "core/error.h"
#include "export_scene.h"
#include "folder_lock.h"
#include "interrupt.h"
#include "option_limits.h"
#include "progress.h"
#include "scene/wording.h"
#include "text.h"
#include "threads.h"

namespace thixo {
namespace {

const SceneFormatInfo& chosen_format(const std::string& name) {
    std::vector<std::string_view> known;
    for (const SceneFormatInfo& format : scene_formats) {
        if (format.name == name) return format;
        known.push_back(format.name);
    }
    throw InputError(fmt::format("--to: {} is unknown{}", thixo::quoted(name), suggestion(name, known)));
}

std::string summary(const ExportedFrame& frame) {
    std::size_t triangles = 0;
    for (const ExportedSurface& s : frame.surfaces) triangles += s.mesh.triangles.size();
    return fmt::format("frame {}, {}, {}", frame.number, counted(frame.surfaces.size(), "surface"),
                       counted(triangles, "triangle"));
}

}  // namespace

int export_command(const ExportOptions& options) {
    const SceneFormatInfo& format = chosen_format(options.to);
    if (!options.surfaces && !options.particles)
        throw InputError("--no-surfaces and --no-particles leave no matter to export");
    const std::vector<FrameFile> all = particle_files(options.view.folder);
    const std::vector<FrameFile> files = selected(all, options.view.frames);
    const Device device = started_device(options.view.threads);
    const std::filesystem::path folder = options.view.out.empty()
                                             ? options.view.folder / "export" / std::string(format.name)
                                             : options.view.out;
    ExportedRun run(options, device, all, files, folder);
    create_folder(folder);
    const FolderLock lock(folder);
    catch_interrupts();
    const std::unique_ptr<SceneExporter> exporter = format.make(run.scene(), folder);
    Progress progress("frame", static_cast<int>(files.size()), options.view.quiet);
    for (std::size_t k = 0; k < files.size(); ++k) {
        const ParticleFrame particles = run.read(files[k]);
        const double turned = options.view.turn * static_cast<double>(k) / static_cast<double>(files.size());
        const ExportedFrame frame = run.frame(files[k], particles, turned);
        exporter->add(frame);
        progress.show(static_cast<double>(k + 1), summary(frame));
        if (interrupted_by() != 0) {
            progress.end_line();
            return 128 + interrupted_by();
        }
    }
    const std::filesystem::path file = exporter->finish();
    progress.end_line();
    if (!options.view.quiet) fmt::print("{}\n", file.string());
    return 0;
}

CLI::App* add_export_command(CLI::App& app, ExportOptions& options) {
    RenderOptions& view = options.view;
    CLI::App* command = app.add_subcommand(
        "export", "write matter, obstacles, camera, light and looks of a run for other programs");
    command->add_option("folder", view.folder, "Output folder of a run")->required()->type_name("DIR");
    std::string help;
    for (const SceneFormatInfo& format : scene_formats)
        help += fmt::format("{}{} ({})", help.empty() ? "" : "; ", format.name, format.help);
    command->add_option("--to", options.to, help)->required();
    command->add_option("--frames", view.frames, "all, 12, 0:100, 0:100:2, several with commas")
        ->capture_default_str();
    command->add_option("--out", view.out, "Folder for the files (default: DIR/export/FORMAT)")
        ->type_name("DIR");
    command->add_flag("!--no-surfaces", options.surfaces, "Leave out surfaces and skins");
    command->add_flag("!--no-particles", options.particles, "Leave out particles");
    command
        ->add_option("--method", view.method,
                     "Surfaces that are made: anisotropic (default), density, zhu_bridson or solenthaler")
        ->check(CLI::IsMember({"anisotropic", "density", "zhu_bridson", "solenthaler"}));
    command
        ->add_option("--resolution", view.resolution,
                     "Surfaces that are made: edge of a grid cell, in particle radii")
        ->check(within(0.05, 10.0));
    command->add_option("--clip", view.clip, "Cut away what is on one side: z>0.1, x<0; several times")
        ->expected(1)
        ->take_all();
    command
        ->add_option("--hide", view.hide,
                     "Leave out an object, a material or an obstacle, by name; several times")
        ->expected(1)
        ->take_all();
    command->add_option("--eye", view.eye, "Camera position: x y z in m")->expected(3);
    command->add_option("--target", view.target, "Point that the camera looks at: x y z in m")->expected(3);
    command->add_option("--fov", view.fov, "Vertical field of view in degrees")->check(within(1.0, 150.0));
    command
        ->add_option("--key", view.keys,
                     "The camera at a time: time:x,y,z:x,y,z in s and m, its place and what it looks at; "
                     "several times")
        ->expected(1)
        ->take_all();
    command->add_option("--turn", view.turn, "Degrees that the camera goes around the scene over all frames")
        ->check(within(-36000.0, 36000.0));
    command->add_option("--width", view.width, "Pixels; with the height, the shape of the camera's picture")
        ->check(CLI::Range(16, 16384))
        ->capture_default_str();
    command->add_option("--height", view.height, "Pixels")
        ->check(CLI::Range(16, 16384))
        ->capture_default_str();
    command->add_option("--radius", view.radius, "Particle radius in m for files that have none")
        ->check(above_zero("m"));
    command->add_option("--threads", view.threads, "Threads (0: all)")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    command->add_flag("--quiet", view.quiet, "Print nothing");
    return command;
}

}  // namespace thixo
