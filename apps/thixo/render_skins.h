#pragma once

#include <memory>
#include <vector>

#include "render_look.h"
#include "run_skins.h"

namespace thixo {

/// Whether the options leave out objects or materials, or cut them: what is left has no skins.
bool cuts_matter(const RenderOptions& options, const Setting& setting);

/// Skins that are made for pictures, of a run whose folder has none. They follow all frames in their order,
/// also those that are not drawn.
class PictureSkins {
public:
    /// Null if the scene has no skins, the pictures do not show them, or frame 0 is not there.
    static std::unique_ptr<PictureSkins> for_pictures(const Device& device, const RenderOptions& options,
                                                      const Setting& setting, const Look& look,
                                                      const std::vector<FrameFile>& all);

    /// The skins of a frame, and the surface of the matter that they do not show. Frames come in their order.
    SurfaceMesh surface(const Device& device, const FrameFile& file, const ParticleFrame& frame,
                        const RenderOptions& options, const Setting& setting);

private:
    PictureSkins(RunSkins skins, std::vector<FrameFile> all)
        : skins_(std::move(skins)), all_(std::move(all)) {}

    RunSkins skins_;
    std::vector<FrameFile> all_;
    std::size_t next_ = 0;
};

}  // namespace thixo
