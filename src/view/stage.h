#pragma once

#include <string>

#include "scene/scene.h"
#include "view/subject.h"

namespace thixo {

/// What a page needs before it shows anything, as JSON: names, sizes, attributes, and the obstacles
/// as triangles.
std::string describe_stage(const Subject& subject);

/// Gravity and the constants of materials, as JSON: what actions change.
std::string describe_constants(const Model& model);

/// Where the obstacles are at a time (s): for each that moves twelve numbers, three axes and a place. Empty
/// if none moves.
std::string obstacle_poses(const Scene& scene, double time);

}  // namespace thixo
