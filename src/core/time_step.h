#pragma once

#include <limits>
#include <string>

namespace thixo {

/// The largest stable time step of one process, with a name a user understands: "sound in `water`".
struct TimeStepLimit {
    double seconds = std::numeric_limits<double>::infinity();
    std::string name = "nothing";
    bool named = true;  ///< false: skip the name, which takes longer to format than the limit to compute

    /// Keeps the stricter of the two.
    void tighten(double other_seconds, auto&& other_name) {
        if (!(other_seconds < seconds)) return;
        seconds = other_seconds;
        if (named) name = other_name();
    }
};

}  // namespace thixo
