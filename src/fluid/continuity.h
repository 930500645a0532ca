#pragma once

#include <vector>

#include "core/launch.h"
#include "core/simd.h"
#include "fluid/constants.h"
#include "fluid/fluid_state.h"

namespace thixo {

/// Densities by the continuity equation over one step, with kicked velocities at mid-step separations. What
/// walls add to the density is not touched. `velocity_pressure` has a record (v, p/s²) for each row and one
/// for padding.
class ContinuityEquation {
public:
    /// `loose`: below the rest density there is no pressure. `support` is H of the model.
    ContinuityEquation(bool loose, double support)
        : loose_(loose), inverse_support_(static_cast<float>(1 / support)) {}

    void advance(const Device& device, const FluidState& state, View<const FluidConstants> constants,
                 const Packed4* velocity_pressure, float dt);

    /// For rows with block time steps (s): how fast their densities change in these (kg/m³/s). That of solids
    /// is 0.
    void find_rates(const Device& device, const FluidState& state, View<const FluidConstants> constants,
                    const Packed4* velocity_pressure, View<const float> steps, View<float> rates);

private:
    template <class StepOf, class Result>
    void run(const Device& device, const FluidState& state, View<const FluidConstants> constants,
             const Packed4* velocity_pressure, const StepOf& step, const Result& result);

    bool loose_;
    float inverse_support_;
    std::vector<float> liquid_;  ///< 1 for liquid rows, 0 for others; where there are solids
};

}  // namespace thixo
