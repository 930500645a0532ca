#pragma once

#include <functional>
#include <optional>

#include "core/launch.h"
#include "render/film.h"
#include "render_look.h"
#include "render_skins.h"

namespace thixo {

struct Picture {
    Image image;
    std::optional<Film> film = {};  ///< of pictures with looks
};

/// How surfaces are made for pictures: as the options say, or the scene, or by the quality.
SurfaceSettings surface_settings(const Setting& setting, const RenderOptions& options);

/// One picture of a frame, without captions. `skins`: of folders that have none, or null. `turned`: degrees
/// about the vertical that the camera has gone; `progress` gets the fraction that is done.
Picture paint(const Device& device, const FrameFile& file, const ParticleFrame& frame, const Look& look,
              const Setting& setting, const RenderOptions& options, PictureSkins* skins, double turned,
              const std::function<void(double)>& progress);

}  // namespace thixo
