#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "thixo/geometry/motion.h"
#include "thixo/geometry/shape.h"
#include "thixo/particles/time_window.h"

namespace thixo {

/// Heats or cools whatever is in a region of space while it is on.
struct Heater {
    std::string name = {};
    Shape region = Box{};
    std::optional<double> power = {};        ///< W, below zero it cools; in 2D W per metre of depth
    std::optional<double> temperature = {};  ///< °C, that what is inside is brought to
    double response = 0.1;                   ///< s in which the difference to that temperature falls to 37 %
    double start = 0, stop = end_of_time;    ///< s
    Motion motion = {};                      ///< of the region

    /// Seconds of a step from `time` on in which it is on.
    double seconds_on(double time, double dt) const {
        return std::max(0.0, std::min(stop, time + dt) - std::max(start, time));
    }
};

/// The air that free surfaces face.
struct Ambient {
    double temperature = 20;   ///< °C
    double heat_transfer = 0;  ///< W/(m² K); 0: free surfaces keep their heat
};

}  // namespace thixo
