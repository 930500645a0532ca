#pragma once

#include <limits>
#include <string>

namespace thixo {

/// The largest stable time step of one process, with a name a user understands: "sound in `water`".
struct TimeStepLimit {
    double seconds = std::numeric_limits<double>::infinity();
    std::string name = "nothing";

    /// Keeps the stricter of the two.
    void tighten(double other_seconds, auto&& other_name) {
        if (other_seconds < seconds) *this = {other_seconds, other_name()};
    }
};

}  // namespace thixo
