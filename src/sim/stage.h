#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <string_view>

namespace thixo {

/// The stages of a step, in the order in which they begin.
enum class Stage {
    neighbours,
    phase_change,
    lattice,
    walls,
    density,
    pressure,
    forces,
    elastic,
    time_step,
    heat,
    integrate,
    viscosity,
    contact,
    rigid,
    obstacles,
    fracture,
    exchange,
    adapt
};

inline constexpr std::array<std::string_view, 18> stage_names{
    "neighbours", "phase change", "lattice",   "walls",    "density",   "pressure",
    "forces",     "elastic",      "time step", "heat",     "integrate", "viscosity",
    "contact",    "rigid",        "obstacles", "fracture", "exchange",  "adapt"};

/// Seconds spent in each stage, measured from the first `reset` on: reading the clock twenty times takes as long as a step of a
/// few particles. A stage ends where the next begins.
class StageTimes {
public:
    /// Before the first stage of a step.
    void begin() {
        if (measuring_) last_ = std::chrono::steady_clock::now();
    }

    template <class Work>
    void measure(Stage stage, const Work& work) {
        work();
        if (!measuring_) return;
        const auto now = std::chrono::steady_clock::now();
        seconds_[static_cast<std::size_t>(stage)] += std::chrono::duration<double>(now - last_).count();
        last_ = now;
    }
    const std::array<double, stage_names.size()>& seconds() const { return seconds_; }
    void reset() {
        measuring_ = true;
        seconds_ = {};
    }

private:
    bool measuring_ = false;
    std::chrono::steady_clock::time_point last_{};
    std::array<double, stage_names.size()> seconds_{};
};

}  // namespace thixo
