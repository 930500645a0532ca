#pragma once

#include <string>

#include "thixo/geometry/shape.h"
#include "thixo/particles/time_window.h"

namespace thixo {

/// Takes every liquid particle whose centre is inside the shape while it is open.
struct Sink {
    std::string name = {};
    Shape shape = Box{};
    double start = 0, stop = end_of_time;  ///< s

    bool is_open(double time) const { return time >= start && time < stop; }
};

}  // namespace thixo
