#pragma once

#include <limits>
#include <string>

namespace thixo {

/// The largest stable time step of one process, with a name a user understands: "sound in `water`".
struct TimeStepLimit {
    double seconds = std::numeric_limits<double>::infinity();
    std::string name = "nothing";
    bool named = true;  ///< else nobody asks for the name, which takes longer to write than the limit to find

    /// Keeps the stricter of the two.
    void tighten(double other_seconds, auto&& other_name) {
        if (!(other_seconds < seconds)) return;
        seconds = other_seconds;
        if (named) name = other_name();
    }
};

}  // namespace thixo
