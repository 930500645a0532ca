#pragma once

#include "unit/sim/splash.h"

namespace thixo {

/// All that comes, goes and is driven: a paddle stirs a pool that a tap fills and a drain empties.
struct Mill : Splash {
    explicit Mill(double spacing = 0.05, int dimensions = 3) : Splash(spacing, dimensions) {
        Obstacle& paddle = model.obstacles[1];
        paddle = {.name = "paddle", .shape = Box{{0.3, 0.4, 0.1}, {0.9, 0.5, 0.5}}, .friction = 0.2};
        paddle.motion.pivot = {0.6, 0.45, 0};
        paddle.motion.keyframes = {{.time = 0}, {.time = 1, .rotate = {0, 0, 720}}};
        model.emitters = {{.name = "tap",
                           .material = "water",
                           .opening = Disc{0.08},
                           .position = {0.6, 0.95, dimensions == 2 ? 0 : 0.3},
                           .speed = 3,
                           .temperature = 60}};
        model.objects = objects;  // whose numbers come before that of the tap
        model.sinks = {{.name = "drain", .shape = Box{{0, 0, 0}, {0.3, 0.25, 0.6}}, .start = 0.02}};
    }
};

}  // namespace thixo
