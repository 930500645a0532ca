#pragma once

#include <vector>

#include "core/view.h"
#include "geometry/pose.h"
#include "geometry/shape.h"
#include "render/colour_map.h"

namespace thixo {

/// What a picture shows of the particles: three columns of equal length.
struct RenderParticles {
    View<const Vec3f> position;
    View<const float> radius;
    View<const float> value;  ///< the attribute that chooses the colour
};

struct RenderObstacle {
    Shape shape;
    bool inside = false;  ///< a container: drawn as an outline, so that its contents can be seen
    Pose pose = {};       ///< where the shape is in this frame
};

struct RenderScene {
    RenderParticles particles;
    std::vector<RenderObstacle> obstacles;
    ColourScale colours;
    int dimensions = 3;
    Bounds stage;  ///< what the floor, its grid and its fading are scaled to: the same for all frames
};

}  // namespace thixo
