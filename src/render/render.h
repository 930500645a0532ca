#pragma once

#include "render/camera.h"
#include "render/image.h"
#include "render/scene.h"

namespace thixo {

struct RenderSettings {
    int width = 1280;  ///< pixels
    int height = 720;  ///< pixels
    int samples = 6;   ///< rays through each pixel
    int bounces = 2;   ///< rays into the sky from each hit
    int threads = 0;   ///< 0: as many as there are processors
};

/// One picture: particles as shaded spheres under a soft sun and a sky, with ray-traced shadows and one
/// bounce of indirect light. The same bits for any number of threads.
Image render(const RenderScene& scene, const Camera& camera, const RenderSettings& settings);

}  // namespace thixo
