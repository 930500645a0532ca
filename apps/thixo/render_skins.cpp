#include "render_skins.h"

#include <algorithm>

#include "render_picture.h"
#include "scene/load.h"

namespace thixo {
namespace {

bool has_columns_for_skins(const ParticleFrame& frame) {
    for (const char* name : {"object", "id", "phase", "body"})
        if (!frame.attributes.contains(name)) return false;
    return true;
}

}  // namespace

bool cuts_matter(const RenderOptions& options, const Setting& setting) {
    const auto is_matter = [&](const std::string& name) {
        for (const auto* names : {&setting.objects, &setting.materials})
            if (std::find(names->begin(), names->end(), name) != names->end()) return true;
        return false;
    };
    return !options.clip.empty() || std::any_of(options.hide.begin(), options.hide.end(), is_matter);
}

std::unique_ptr<PictureSkins> PictureSkins::for_pictures(const Device& device, const RenderOptions& options,
                                                         const Setting& setting, const Look& look,
                                                         const std::vector<FrameFile>& all) {
    if (!(options.as.empty() || options.as == "skin") || !look.by_material || !setting.has_scene ||
        cuts_matter(options, setting) || all.front().number != 0)
        return nullptr;
    // Clear matter has separate surfaces.
    const auto& optics = look.materials.optics;
    if (options.as.empty() &&
        (!options.method.empty() ||
         std::any_of(optics.begin(), optics.end(), [](const Optics& o) { return o.clear; })))
        return nullptr;
    const Scene scene = load_scene(options.folder / "scene.json");
    if (!has_skins(scene)) return nullptr;
    const ParticleFrame start = read_frame(all.front(), options, setting);
    if (!has_columns_for_skins(start)) return nullptr;
    return std::unique_ptr<PictureSkins>(new PictureSkins(RunSkins(device, scene, start), all));
}

SurfaceMesh PictureSkins::surface(const Device& device, const FrameFile& file, const ParticleFrame& frame,
                                  const RenderOptions& options, const Setting& setting) {
    for (; all_[next_].number < file.number; ++next_)
        skins_.follow(device, read_frame(all_[next_], options, setting));
    ++next_;
    SurfaceOutput output{.settings = surface_settings(setting, options)};
    if (output.settings.method == SurfaceMethod::active) output.settings.method = SurfaceMethod::anisotropic;
    const auto surfaces = surfaces_of(
        device, frame, output, setting.surface_context, [](const std::string&) { return std::nullopt; },
        &skins_);
    return surfaces.front().surface.mesh;
}

}  // namespace thixo
