#pragma once

#include <string>
#include <variant>

#include "thixo/core/vec.h"
#include "thixo/particles/time_window.h"

namespace thixo {

/// Openings that particles come out of; in 2D segments as long as the disc is wide, or the rectangle.
struct Disc {
    double radius = 0.05;  ///< m
};
struct Rectangle {
    double width = 0.1;   ///< m, across `up`
    double height = 0.1;  ///< m, along `up`; means nothing in 2D
};
using Opening = std::variant<Disc, Rectangle>;

/// Makes particles while the simulation runs. They come in layers that fill the opening at rest density.
struct Emitter {
    std::string name = {};
    std::string material = {};  ///< key in the scene's materials
    Opening opening = Disc{};
    Vec3d position{0, 0, 0};    ///< m, the opening's centre
    Vec3d direction{0, -1, 0};  ///< out of the opening; any length
    Vec3d up{0, 0, 0};          ///< along the rectangle's height; any direction but `direction`; zero: chosen
    double speed = 1;           ///< m/s
    double rate = 0;            ///< m³/s, in 2D m²/s; 0: the opening's area times the speed
    double temperature = 20;    ///< °C
    double start = 0, stop = end_of_time;  ///< s
};

}  // namespace thixo
