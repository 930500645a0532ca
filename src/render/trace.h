#pragma once

#include <functional>

#include "render/film.h"
#include "render/path_tracer.h"

namespace thixo {

/// What a traced picture shows.
struct TracedPicture {
    std::vector<TracedSurface> surfaces;
    std::vector<RenderObstacle> obstacles;
    std::vector<Optics> looks;  ///< of the obstacles
    Bounds stage;
};

struct TraceSettings {
    int width = 1280;       ///< pixels
    int height = 720;       ///< pixels
    int samples = 64;       ///< paths of a pixel, at most
    int first_samples = 8;  ///< of every pixel
    float noise = 0.01f;    ///< standard error of a pixel's brightness at which it is finished, of white
    int bounces = 4;        ///< off matte surfaces
    bool denoised = true;
    float aperture = 0;                         ///< m, radius of the lens; 0: all is sharp
    float focus = 0;                            ///< m to what is sharp; 0: the camera's target
    int threads = 0;                            ///< 0: as many as there are processors
    std::function<void(double)> progress = {};  ///< fraction that is done, 0 to 1
};

/// Traces a picture. The same bits for any number of threads.
Film trace(const TracedPicture& picture, const Camera& camera, const TraceSettings& settings);

}  // namespace thixo
