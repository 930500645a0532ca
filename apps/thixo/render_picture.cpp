#include "render_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "foam_folder.h"
#include "foam_picture.h"
#include "render/quality.h"
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

/// Surfaces that the run has, if they can have the looks: where some matter is clear and some is not,
/// surfaces must be made by look.
std::vector<TracedSurface> stored_surfaces(const FrameFile& file, const Look& look, const Setting& setting,
                                           const RenderOptions& options, double shutter) {
    const auto& optics = look.materials.optics;
    const bool clear = std::any_of(optics.begin(), optics.end(), [](const Optics& o) { return o.clear; });
    if ((clear && options.as != "skin") || options.as == "field" || !options.method.empty() ||
        options.resolution > 0 || cuts_matter(options, setting) || !has_surfaces(options.folder, file.number))
        return {};
    std::vector<TracedSurface> out;
    out.push_back(
        surface_with_looks(surfaces_of_frame(options.folder, file.number), look.materials, shutter));
    return out;
}

Picture paint_looks(const Device& device, const FrameFile& file, const ParticleFrame& frame, const Look& look,
                    const Setting& setting, const RenderOptions& options, PictureSkins* skins,
                    const Camera& camera, const std::function<void(double)>& progress) {
    const double shutter = options.shutter / setting.frame_rate;
    TracedPicture picture{.surfaces = stored_surfaces(file, look, setting, options, shutter),
                          .obstacles = setting.obstacles_at(frame.time),
                          .looks = {},
                          .stage = look.stage};
    picture.looks = setting.looks_at(frame.time, look.obstacles);
    if (picture.surfaces.empty() && skins && !frame.position.empty())
        picture.surfaces.push_back(surface_with_looks(skins->surface(device, file, frame, options, setting),
                                                      look.materials, shutter));
    if (picture.surfaces.empty() && options.as == "skin")
        throw InputError(fmt::format("{}: frame {} has no skins: {}", options.folder.string(), file.number,
                                     "no object of the scene has one, or frame 0 is missing"));
    if (picture.surfaces.empty() && !frame.position.empty())
        picture.surfaces =
            surfaces_by_look(device, frame, look.materials, setting.surface_context,
                             {surface_settings(setting, options), shutter, look.cuts, options.as == "field"});
    if (const auto foam = foam_of_frame(options.folder, file.number); foam && foam->size() > 0)
        picture.surfaces.push_back(foam_surface(*foam));
    TraceSettings settings = picture_quality(options.quality).trace();
    settings.width = options.width;
    settings.height = options.height;
    if (options.samples > 0) settings.samples = options.samples;
    settings.first_samples = std::min(settings.samples, settings.first_samples);
    if (options.noise > 0) settings.noise = static_cast<float>(options.noise);
    settings.aperture = static_cast<float>(options.aperture);
    settings.focus = static_cast<float>(options.focus);
    settings.threads = options.threads;
    settings.progress = progress;
    Film film = trace(picture, camera, settings);
    Image image = develop(film);
    return {std::move(image), std::move(film)};
}

std::vector<Rgb> colours_by_material(const ParticleFrame& frame, const MaterialLooks& looks) {
    std::vector<Rgb> colours;
    for (const std::size_t k : looks.of(frame)) colours.push_back(looks.optics[k].colour);
    return colours;
}

/// The particles of a frame and diffuse ones among them, which are white.
struct FoamySpheres {
    std::vector<Vec3f> position;
    std::vector<float> radius, values;
    std::vector<Rgb> colours;
};

/// Empty without foam.
FoamySpheres with_foam(const ParticleFrame& frame, const std::vector<float>& values, std::vector<Rgb> colours,
                       const Look& look, const std::optional<DiffuseParticles>& foam) {
    if (!foam || foam->size() == 0) return {};
    if (colours.empty())
        for (const float value : values) colours.push_back(look.colours(value));
    FoamySpheres all{frame.position, frame.radius, values, std::move(colours)};
    all.position.insert(all.position.end(), foam->position.begin(), foam->position.end());
    all.radius.insert(all.radius.end(), foam->radius.begin(), foam->radius.end());
    all.values.resize(all.position.size(), values.empty() ? 0.f : values.front());
    all.colours.resize(all.position.size(), foam_colour);
    return all;
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
    const FoamySpheres foamy =
        as_surface ? FoamySpheres{}
                   : with_foam(frame, values, colours, look, foam_of_frame(options.folder, file.number));
    const RenderParticles spheres =
        as_outline                ? RenderParticles{beads.position, beads.radius, beads.values}
        : !foamy.position.empty() ? RenderParticles{foamy.position, foamy.radius, foamy.values, foamy.colours}
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

SurfaceSettings surface_settings(const Setting& setting, const RenderOptions& options) {
    SurfaceSettings settings;
    settings.resolution = picture_quality(options.quality).resolution;
    settings.smooth = smoothing;
    if (setting.surface) settings = *setting.surface;
    if (options.resolution > 0) settings.resolution = options.resolution;
    if (!options.method.empty())
        for (const auto& choice : choices(Tag<SurfaceMethod>{}))
            if (choice.name == options.method) settings.method = choice.value;
    return settings;
}

Picture paint(const Device& device, const FrameFile& file, const ParticleFrame& frame, const Look& look,
              const Setting& setting, const RenderOptions& options, PictureSkins* skins, double turned,
              const std::function<void(double)>& progress) {
    const Camera camera = turned_camera(camera_at(look.camera, look.keys, frame.time), look.stage, turned);
    const bool as_surface = options.as == "surface" || options.as == "skin" || options.as == "field" ||
                            (options.as.empty() && look.by_material && setting.dimensions == 3);
    if (as_surface && look.by_material)
        return paint_looks(device, file, frame, look, setting, options, skins, camera, progress);
    return {paint_values(device, file, frame, look, setting, options, as_surface, camera)};
}

}  // namespace thixo
