#pragma once

#include <embree3/rtcore.h>

#include <memory>
#include <vector>

#include "render/lights.h"

namespace thixo {

/// Walls of containers that have no outline, such as bowls and cylinders: drawn as thin glass over what is
/// behind them. They bend no light and cast no shadow, as their contents must be seen.
class ContainerWalls {
public:
    ContainerWalls(const std::vector<RenderObstacle>& obstacles, const Bounds& stage, int threads);

    /// `light` with the walls in front of it that are nearer than `visible`.
    Rgb over(const Rgb& light, const Ray& ray, float visible, const Lights& lights) const;

private:
    struct Release {
        void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
        void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
    };
    std::vector<RenderObstacle> containers_;
    std::unique_ptr<RTCDeviceTy, Release> device_;
    std::unique_ptr<RTCSceneTy, Release> scene_;
};

}  // namespace thixo
