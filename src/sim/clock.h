#pragma once

#include <cstdint>

#include "core/state.h"

namespace thixo {

/// Where a simulation stands in time, and the steps since the last frame.
struct Clock {
    double time = 0;          ///< s
    double last_step = 0;     ///< s, length of the last step; velocities are half of it behind the positions
    std::uint64_t step = 0;   ///< steps since the start
    std::uint64_t frame = 0;  ///< last finished frame
    std::uint64_t in_frame = 0;     ///< 1 while the next frame has begun
    std::uint64_t frame_steps = 0;  ///< steps of the last finished frame, or of the one that has begun
    double frame_step_min = 0, frame_step_max = 0;  ///< s
    std::uint64_t next_id = 0;  ///< number of the next particle that an emitter or a split makes

    /// Counts steps between these lengths (s) for the frame.
    void record_steps(double shortest, double longest, bool first) {
        frame_step_min = first || shortest < frame_step_min ? shortest : frame_step_min;
        frame_step_max = first || longest > frame_step_max ? longest : frame_step_max;
    }

    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        visit("clock", self, StateOrder::listed);
    }
};

}  // namespace thixo
