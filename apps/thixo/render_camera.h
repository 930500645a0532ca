#pragma once

#include <string>
#include <vector>

#include "render/camera.h"

namespace thixo {

/// Where the camera is at a time of the scene.
struct CameraKey {
    double time = 0;  ///< s
    Vec3d eye, target;
};

/// A camera of several.
struct NamedCamera {
    std::string name;
    Vec3d eye, target;
};

/// "side:3,1,0:0,0.5,0": a name for the folder of its pictures, and two points in m; anything else is an
/// InputError.
std::vector<NamedCamera> named_cameras(const std::vector<std::string>& texts);

/// "1.5:2,1,3:0,0.5,0": time, eye and target. In any order of time; anything else is an InputError.
std::vector<CameraKey> camera_keys(const std::vector<std::string>& texts);

/// On a smooth curve through the keys, at rest before the first and behind the last.
Camera camera_at(const Camera& camera, const std::vector<CameraKey>& keys, double time);

/// Gone around the vertical through the middle of the stage.
Camera turned_camera(const Camera& camera, const Bounds& stage, double degrees);

}  // namespace thixo
