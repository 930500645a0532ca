#include "surface_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>

#include "core/error.h"
#include "folder_lock.h"
#include "interrupt.h"
#include "progress.h"
#include "render_frames.h"
#include "scene/describe_choices.h"
#include "scene/load.h"
#include "scene/wording.h"
#include "surface_frames.h"
#include "text.h"
#include "threads.h"

namespace thixo {

namespace {

template <class Enumeration>
Enumeration chosen(const char* option, const std::string& name) {
    std::vector<std::string_view> known;
    for (const auto& choice : choices(Tag<Enumeration>{})) {
        if (choice.name == name) return choice.value;
        known.push_back(choice.name);
    }
    throw InputError(
        fmt::format("{}: {} is unknown{}", option, thixo::quoted(name), suggestion(name, known)));
}

SurfaceOutput output_of(const SurfaceOptions& options) {
    SurfaceOutput output{.settings = options.settings, .by = chosen<SurfaceGrouping>("--by", options.by)};
    if (!options.method.empty()) output.settings.method = chosen<SurfaceMethod>("--method", options.method);
    if (!options.formats.empty()) {
        output.formats.clear();
        for (const std::string& name : options.formats) {
            const auto format = chosen<MeshFormat>("--format", name);
            if (std::find(output.formats.begin(), output.formats.end(), format) == output.formats.end())
                output.formats.push_back(format);
        }
    }
    return output;
}

SurfaceContext context_of(const SurfaceOptions& options, const std::vector<FrameFile>& files) {
    const std::filesystem::path file = options.folder / "scene.json";
    if (std::filesystem::exists(file)) {
        const Scene scene = load_scene(file);
        if (scene.model.dimensions == 2)
            throw InputError(fmt::format("{}: it is a run in 2D; surfaces are made of particles in space",
                                         options.folder.string()));
        return surface_context(scene);
    }
    // The smallest particle of the first file that has any.
    float smallest = std::numeric_limits<float>::max();
    for (const FrameFile& frame : files) {
        for (const float r : read_particles(frame.path, options.radius).radius)
            if (r > 0) smallest = std::min(smallest, r);
        if (smallest < std::numeric_limits<float>::max()) break;
    }
    return {.radius = smallest};
}

std::string line_of(const std::vector<NamedSurface>& surfaces) {
    std::size_t triangles = 0, components = 0;
    double volume = 0, seconds = 0;
    for (const NamedSurface& s : surfaces) {
        triangles += s.surface.report.triangles;
        components += s.surface.report.components;
        volume += s.surface.report.volume;
        seconds += s.seconds;
    }
    return fmt::format("{}, {}, {:.4g} m³, {:.2f} s", counted(triangles, "triangle"),
                       counted(components, "component"), volume, seconds);
}

}  // namespace

int surface_command(const SurfaceOptions& options) {
    const SurfaceOutput output = output_of(options);
    const std::vector<FrameFile> all = particle_files(options.folder);
    const std::vector<FrameFile> files = selected(all, options.frames);
    const SurfaceContext context = context_of(options, all);
    const Device device = started_device(options.threads);

    catch_interrupts();
    std::error_code error;
    std::filesystem::create_directories(options.folder / "surface", error);
    if (error)
        throw RunError(
            fmt::format("cannot create {}: {}", (options.folder / "surface").string(), error.message()));
    const FolderLock lock(options.folder / "surface");
    SurfaceFolder folder(options.folder, output, std::numeric_limits<long>::max());
    Progress progress("frame", static_cast<int>(files.size()), options.quiet);
    std::size_t skipped = 0;
    for (std::size_t k = 0; k < files.size(); ++k) {
        if (!options.again && folder.finished(files[k].number)) {
            ++skipped;
            continue;
        }
        const ParticleFrame frame = read_particles(files[k].path, options.radius);
        const std::vector<NamedSurface> surfaces = surfaces_of(device, frame, output, context);
        folder.write(files[k].number, frame.time, surfaces);
        progress.show(static_cast<double>(k + 1), line_of(surfaces));
        if (interrupted_by() != 0) {
            progress.end_line();
            if (!options.quiet)
                fmt::print("interrupted; the same command goes on with the frames that are missing\n");
            return 128 + interrupted_by();
        }
    }
    progress.end_line();
    if (skipped > 0 && !options.quiet)
        fmt::print("{} finished before; --again makes all anew\n",
                   skipped == 1 ? "1 frame was" : fmt::format("{} frames were", skipped));
    return 0;
}

CLI::App* add_surface_command(CLI::App& app, SurfaceOptions& options) {
    CLI::App* command = app.add_subcommand("surface", "Closed surfaces from the saved particles of a run");
    command->add_option("folder", options.folder, "Output folder of a run")->required()->type_name("DIR");
    command->add_option("--method", options.method,
                        "density, zhu_bridson, solenthaler or anisotropic (default)");
    command->add_option("--resolution", options.settings.resolution, "Edge of a grid cell, in particle radii")
        ->check(CLI::Range(0.05, 10.0))
        ->capture_default_str();
    command->add_option("--smooth", options.settings.smooth, "Steps of smoothing; the volume is kept")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    command->add_option("--by", options.by, "A surface for each material, phase or body, or one for all")
        ->capture_default_str();
    command
        ->add_option("--specks", options.settings.specks,
                     "Drop components of less volume than so many particles")
        ->check(CLI::Range(0.0, 1e9))
        ->capture_default_str();
    command->add_flag("!--no-volume", options.settings.match_volume,
                      "Do not shift the iso-value until the volume is that of the matter");
    command->add_option("--format", options.formats, "ply (default), obj or vtp; several with commas")
        ->delimiter(',');
    command->add_option("--frames", options.frames, "all, 12, 0:100, 0:100:2, several with commas")
        ->capture_default_str();
    command->add_option("--radius", options.radius, "Particle radius in m for files that have none")
        ->check(CLI::PositiveNumber);
    command->add_option("--threads", options.threads, "Threads (0: all)")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    command->add_flag("--again", options.again, "Also make frames that are finished");
    command->add_flag("--quiet", options.quiet, "Print nothing");
    return command;
}

}  // namespace thixo
