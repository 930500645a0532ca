#pragma once

#include <cmath>
#include <limits>
#include <string>

namespace thixo {

/// How long a way (m) takes at this speed, when each step begins with what it is accelerated by:
/// v Δt + a Δt² = way.
inline double time_for(double way, double speed, double acceleration = 0) {
    return 2 * way / (speed + std::sqrt(speed * speed + 4 * acceleration * way));
}

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
