#pragma once

#include <string>
#include <vector>

#include "thixo/geometry/motion.h"
#include "thixo/geometry/shape.h"
#include "thixo/particles/time_window.h"

namespace thixo {

/// Matter that stands still for a while, and then goes on as it was going.
struct Pause {
    std::vector<std::string> objects = {};    ///< that it came from, or emitters; none: any
    std::vector<std::string> materials = {};  ///< that it is of; none: any
    double start = 0, stop = end_of_time;     ///< s
};

/// Takes hold of the solids in a region, leads them along keyframes, and lets them go.
struct Grab {
    std::string name = {};
    Shape region = Box{};                     ///< takes the solid particles that are inside at the start
    std::vector<std::string> objects = {};    ///< that they came from, or emitters; none: any
    std::vector<std::string> materials = {};  ///< that they are of; none: any
    bool whole_bodies = false;                ///< and all that is connected to them
    bool liquids = false;                     ///< liquid particles too; only hands take them, scenes do not
    double start = 0, stop = end_of_time;     ///< s
    Motion motion = {};                       ///< from where it is at the start on
};

}  // namespace thixo
