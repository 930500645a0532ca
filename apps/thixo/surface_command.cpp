#include "surface_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/input_file.h"
#include "folder_lock.h"
#include "interrupt.h"
#include "option_limits.h"
#include "progress.h"
#include "render_frames.h"
#include "rest_places.h"
#include "scene/describe_choices.h"
#include "scene/load.h"
#include "scene/wording.h"
#include "surface_folder.h"
#include "text.h"
#include "threads.h"
#include "vdb_available.h"

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
    SurfaceOutput output{.settings = options.settings,
                         .by = chosen<SurfaceGrouping>("--by", options.by),
                         .rest = options.rest};
    output.skins = options.skins;
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
        SurfaceContext context = surface_context(scene);
        std::ifstream bodies = open_input(options.folder / "bodies.csv");
        context.parents =
            parents_of_bodies({std::istreambuf_iterator<char>(bodies), std::istreambuf_iterator<char>()});
        return context;
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

/// The skins of the scene, for which the particles of the first frame are needed.
std::unique_ptr<RunSkins> skins_of(const Device& device, const SurfaceOptions& options,
                                   const std::vector<FrameFile>& files) {
    const std::filesystem::path file = options.folder / "scene.json";
    if (!options.skins || !std::filesystem::exists(file)) return nullptr;
    const Scene scene = load_scene(file);
    if (!has_skins(scene)) return nullptr;
    if (files.front().number != 0)
        throw InputError(fmt::format("{}: skins need the particles of frame 0; --no-skin goes without them",
                                     options.folder.string()));
    return std::make_unique<RunSkins>(device, scene, read_particles(files.front().path, options.radius));
}

/// An active surface depends on every frame before it.
std::vector<FrameFile> frames_to_make(const std::vector<FrameFile>& all, const std::vector<FrameFile>& chosen,
                                      const SurfaceOutput& output) {
    if (output.settings.method != SurfaceMethod::active) return chosen;
    std::vector<FrameFile> files;
    for (const FrameFile& file : all)
        if (file.number <= chosen.back().number) files.push_back(file);
    return files;
}

/// Where to go on: at the first frame that is missing; of active surfaces, at the frame behind the last one
/// before it whose states are there.
std::size_t first_to_make(const std::vector<FrameFile>& files, const SurfaceFolder& folder,
                          const SurfaceOutput& output) {
    std::size_t first = 0;
    while (first < files.size() && folder.finished(files[first].number)) ++first;
    if (output.settings.method != SurfaceMethod::active || first == files.size()) return first;
    while (first > 0 && !folder.has_state(files[first - 1].number)) --first;
    return first;
}

/// Reads frames, and for rest coordinates and skins all those before them.
class FrameSequence {
public:
    FrameSequence(const Device& device, const std::vector<FrameFile>& all, const SurfaceOptions& options,
                  RunSkins* skins)
        : device_(device), all_(all), options_(options), skins_(skins) {}

    ParticleFrame read(const FrameFile& file) {
        if (!options_.rest && !skins_) return read_particles(file.path, options_.radius);
        for (;;) {
            const FrameFile& next = all_[next_++];
            ParticleFrame frame = read_particles(next.path, options_.radius);
            if (options_.rest) rest_.follow(frame);
            if (next.number == file.number) return frame;
            if (skins_) skins_->follow(device_, frame);
        }
    }

private:
    const Device& device_;
    const std::vector<FrameFile>& all_;
    const SurfaceOptions& options_;
    RunSkins* skins_;
    RestPlaces rest_;
    std::size_t next_ = 0;
};

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
    const std::vector<FrameFile> files = frames_to_make(all, selected(all, options.frames), output);
    const SurfaceContext context = context_of(options, all);
    refuse_impossible(output, context.dimensions);
    const Device device = started_device(options.threads);
    const std::unique_ptr<RunSkins> skins = skins_of(device, options, all);

    catch_interrupts();
    create_folder(options.folder / "surface");
    const FolderLock lock(options.folder / "surface");
    SurfaceFolder folder(options.folder, output, std::numeric_limits<long>::max());
    Progress progress("frame", static_cast<int>(files.size()), options.quiet);
    FrameSequence reader(device, all, options, skins.get());
    std::size_t skipped = 0;
    const std::size_t first = options.again ? 0 : first_to_make(files, folder, output);
    for (std::size_t k = 0; k < files.size(); ++k) {
        const bool finished = !options.again && folder.finished(files[k].number);
        if (finished) ++skipped;
        if (k < first || (finished && output.settings.method != SurfaceMethod::active)) continue;
        const ParticleFrame frame = reader.read(files[k]);
        const int last = k > 0 ? files[k - 1].number : -1;
        const std::vector<NamedSurface> surfaces =
            surfaces_of(device, frame, output, context, folder.state_of(last), skins.get());
        if (finished)
            folder.write_states(files[k].number, last, surfaces);
        else
            folder.write(files[k].number, last, frame.time, surfaces);
        progress.show(static_cast<double>(k + 1), line_of(surfaces));
        if (const int code = progress.exit_code_if_interrupted()) return code;
    }
    progress.end_line();
    if (skipped > 0 && !options.quiet)
        fmt::print("{} finished before; --again makes all anew\n",
                   skipped == 1 ? "1 frame was" : fmt::format("{} frames were", skipped));
    return 0;
}

CLI::App* add_surface_command(CLI::App& app, SurfaceOptions& options) {
    CLI::App* command =
        app.add_subcommand("surface", "make closed surfaces from the saved particles of a run");
    command->add_option("folder", options.folder, "Output folder of a run")->required()->type_name("DIR");
    command->add_option("--method", options.method,
                        "density, zhu_bridson, solenthaler, anisotropic (default) or active");
    command->add_option("--resolution", options.settings.resolution, "Edge of a grid cell, in particle radii")
        ->check(within(0.05, 10.0))
        ->capture_default_str();
    command->add_option("--smooth", options.settings.smooth, "Steps of smoothing; the volume is kept")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    command->add_option("--by", options.by, "A surface for each material, phase or body, or one for all")
        ->capture_default_str();
    command
        ->add_option("--specks", options.settings.specks,
                     "Drop components of less volume than so many particles")
        ->check(within(0.0, 1e9))
        ->capture_default_str();
    command->add_flag("!--no-volume", options.settings.match_volume,
                      "Do not shift the iso-value until the volume is that of the matter");
    command
        ->add_option("--slivers", options.settings.slivers,
                     "Collapse edges shorter than so many cells, for example 0.3")
        ->check(within(0.0, 0.5))
        ->capture_default_str();
    command->add_flag("--rest", options.rest,
                      "Vertices carry where their matter was at the start: rest_x, rest_y, rest_z");
    command->add_flag("--skin,!--no-skin", options.skins,
                      "Objects with a skin are shown by it where they are solid (default)");
    command
        ->add_option("--format", options.formats,
                     can_write_vdb() ? "ply (default), obj, vtp or vdb (the field); several with commas"
                                     : "ply (default), obj or vtp; several with commas")
        ->delimiter(',');
    command->add_option("--frames", options.frames, "all, 12, 0:100, 0:100:2, several with commas")
        ->capture_default_str();
    command->add_option("--radius", options.radius, "Particle radius in m for files that have none")
        ->check(above_zero("m"));
    command->add_option("--threads", options.threads, "Threads (0: all)")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    command->add_flag("--again", options.again, "Also make frames that are finished");
    command->add_flag("--quiet", options.quiet, "Print nothing");
    return command;
}

}  // namespace thixo
