#include "render_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "render/render.h"
#include "render/trace.h"
#include "scene/describe_choices.h"
#include "scene/wording.h"

namespace thixo {
namespace {

/// How thick outlines of 2D runs are drawn, half of it, in radii of the smallest particle.
constexpr float line_radii = 0.4f;

/// Rays of a quick picture of spheres.
constexpr int sphere_samples = 6;

/// Steps of smoothing, where the scene does not say: enough for even reflections.
constexpr int smoothing = 8;

struct Quality {
    const char* name;
    int samples, first_samples, bounces;
    float noise;
    double resolution;  ///< of surfaces, in radii
};
constexpr Quality qualities[] = {
    {"draft", 16, 4, 2, 0.03f, 1.0}, {"good", 128, 8, 3, 0.012f, 0.75}, {"final", 1024, 16, 6, 0.005f, 0.6}};

const Quality& quality(const std::string& name) {
    for (const Quality& q : qualities)
        if (name == q.name) return q;
    return qualities[0];
}

SurfaceSettings surface_settings(const Setting& setting, const RenderOptions& options) {
    SurfaceSettings settings;
    settings.resolution = quality(options.quality).resolution;
    settings.smooth = smoothing;
    if (setting.surface) settings = *setting.surface;
    if (options.resolution > 0) settings.resolution = options.resolution;
    if (!options.method.empty())
        for (const auto& choice : choices(Tag<SurfaceMethod>{}))
            if (choice.name == options.method) settings.method = choice.value;
    return settings;
}

/// Surfaces that the run has, if they can have the looks: where some matter is clear and some is not, surfaces must be made by look.
std::vector<TracedSurface> stored_surfaces(const FrameFile& file, const Look& look,
                                           const RenderOptions& options, double shutter) {
    const auto& optics = look.materials.optics;
    if (options.as == "skin" && !has_surfaces(options.folder, file.number))
        throw InputError(fmt::format("{}: frame {} has no skins yet; `thixo surface {}` makes them",
                                     options.folder.string(), file.number, options.folder.string()));
    const bool clear = std::any_of(optics.begin(), optics.end(), [](const Optics& o) { return o.clear; });
    if ((clear && options.as != "skin") || options.as == "field" || !options.method.empty() ||
        options.resolution > 0 || !look.cuts.empty() || !options.hide.empty() ||
        !has_surfaces(options.folder, file.number))
        return {};
    std::vector<TracedSurface> out;
    out.push_back(
        surface_with_looks(surfaces_of_frame(options.folder, file.number), look.materials, shutter));
    return out;
}

Picture paint_looks(const Device& device, const FrameFile& file, const ParticleFrame& frame, const Look& look,
                    const Setting& setting, const RenderOptions& options, const Camera& camera,
                    const std::function<void(double)>& progress) {
    const double shutter = options.shutter / setting.frame_rate;
    TracedPicture picture{.surfaces = stored_surfaces(file, look, options, shutter),
                          .obstacles = setting.obstacles_at(frame.time),
                          .looks = look.obstacles,
                          .stage = look.stage};
    if (picture.surfaces.empty() && !frame.position.empty())
        picture.surfaces =
            surfaces_by_look(device, frame, look.materials, setting.surface_context,
                             {surface_settings(setting, options), shutter, look.cuts, options.as == "field"});
    const Quality& q = quality(options.quality);
    const int samples = options.samples > 0 ? options.samples : q.samples;
    Film film = trace(picture, camera,
                      {.width = options.width,
                       .height = options.height,
                       .samples = samples,
                       .first_samples = std::min(samples, q.first_samples),
                       .noise = options.noise > 0 ? static_cast<float>(options.noise) : q.noise,
                       .bounces = q.bounces,
                       .aperture = static_cast<float>(options.aperture),
                       .focus = static_cast<float>(options.focus),
                       .threads = options.threads,
                       .progress = progress});
    Image image = develop(film);
    return {std::move(image), std::move(film)};
}

std::vector<Rgb> colours_by_material(const ParticleFrame& frame, const MaterialLooks& looks) {
    std::vector<Rgb> colours;
    for (const std::size_t k : looks.of(frame)) colours.push_back(looks.optics[k].colour);
    return colours;
}

/// One surface around everything, with all attributes that particles have.
SurfaceMesh made_surface(const Device& device, const ParticleFrame& frame, const Setting& setting,
                         const RenderOptions& options) {
    SurfaceContext context = setting.surface_context;
    if (!setting.has_scene)
        context = {.radius = *std::min_element(frame.radius.begin(), frame.radius.end()),
                   .dimensions = setting.dimensions};
    const auto surfaces = surfaces_of(
        device, frame, {.settings = surface_settings(setting, options)}, context,
        [](const std::string&) { return std::nullopt; }, nullptr);
    return surfaces.front().surface.mesh;
}

Image paint_values(const Device& device, const FrameFile& file, const ParticleFrame& frame, const Look& look,
                   const Setting& setting, const RenderOptions& options, bool as_surface,
                   const Camera& camera) {
    SurfaceMesh mesh;
    if (as_surface && !frame.position.empty())
        mesh = has_surfaces(options.folder, file.number) ? surfaces_of_frame(options.folder, file.number)
                                                         : made_surface(device, frame, setting, options);
    const std::vector<float> values =
        as_surface ? attribute(mesh, look.attribute) : attribute(frame, look.attribute);
    const bool as_outline = as_surface && !mesh.edges.empty();
    const OutlineBeads beads =
        as_outline ? beads_along(mesh, values,
                                 line_radii * *std::min_element(frame.radius.begin(), frame.radius.end()))
                   : OutlineBeads{};
    const std::vector<Rgb> colours =
        look.by_material && !as_surface ? colours_by_material(frame, look.materials) : std::vector<Rgb>{};
    const RenderParticles spheres = as_outline
                                        ? RenderParticles{beads.position, beads.radius, beads.values}
                                        : RenderParticles{frame.position, frame.radius, values, colours};
    const bool as_mesh = as_surface && !as_outline;
    const std::vector<Rgb> blended = as_mesh ? blended_colours(mesh, look, setting) : std::vector<Rgb>{};
    const RenderScene scene{.particles = as_mesh ? RenderParticles{} : spheres,
                            .mesh = as_mesh ? RenderMesh{&mesh, values, blended} : RenderMesh{},
                            .obstacles = setting.obstacles_at(frame.time),
                            .colours = look.colours,
                            .dimensions = setting.dimensions,
                            .stage = look.stage};
    return render(scene, camera,
                  {.width = options.width,
                   .height = options.height,
                   .samples = options.samples > 0 ? options.samples : sphere_samples,
                   .threads = options.threads});
}

}  // namespace

Picture paint(const Device& device, const FrameFile& file, const ParticleFrame& frame, const Look& look,
              const Setting& setting, const RenderOptions& options, double turned,
              const std::function<void(double)>& progress) {
    const Camera camera = turned_camera(camera_at(look.camera, look.keys, frame.time), look.stage, turned);
    const bool as_surface = options.as == "surface" || options.as == "skin" || options.as == "field" ||
                            (options.as.empty() && look.by_material);
    if (as_surface && look.by_material)
        return paint_looks(device, file, frame, look, setting, options, camera, progress);
    return {paint_values(device, file, frame, look, setting, options, as_surface, camera)};
}

}  // namespace thixo
