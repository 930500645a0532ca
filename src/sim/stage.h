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

/// Seconds spent in each stage.
class StageTimes {
public:
    template <class Work>
    void measure(Stage stage, const Work& work) {
        const auto start = std::chrono::steady_clock::now();
        work();
        seconds_[static_cast<std::size_t>(stage)] +=
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    const std::array<double, stage_names.size()>& seconds() const { return seconds_; }
    void reset() { seconds_ = {}; }

private:
    std::array<double, stage_names.size()> seconds_{};
};

}  // namespace thixo
