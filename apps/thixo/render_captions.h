#pragma once

#include <optional>

#include "render/image.h"
#include "render_look.h"

namespace thixo {

/// Where time and legend stand in all pictures of one camera, so that they never cover matter.
struct Captions {
    bool none = false;  ///< as with `--plain`
    /// The corner of the time; none: matter is in all of them.
    struct Corner {
        bool right = false, bottom = false;
    };
    std::optional<Corner> time = Corner{};
    int strip = 0;  ///< pixels at the right that are kept for the legend, beside a narrower picture
};

/// Tries the corners for all frames. A legend that would cover matter gets a strip of its own; a time that
/// does in each corner is left out.
Captions place_captions(const Look& look, const Setting& setting, const RenderOptions& options,
                        const std::vector<FrameFile>& files);

/// The picture with its strip, and with captions.
Image with_captions(const Image& picture, const Captions& captions, double time, const Look& look);

}  // namespace thixo
