#pragma once

#include <string>

#include "geometry/shape.h"
#include "particles/emitter.h"

namespace thixo {

/// Takes every liquid particle whose centre is inside the shape while it is open.
struct Sink {
    std::string name;
    Shape shape = Box{};
    double start = 0, stop = end_of_time;  ///< s

    bool is_open(double time) const { return time >= start && time < stop; }
};

}  // namespace thixo
