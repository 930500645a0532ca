#pragma once

#include "core/launch.h"
#include "core/simd.h"
#include "fluid/fluid_state.h"

namespace thixo {

/// The velocities that move particles when XSPH smooths them [Monaghan 1989, used by WHP06]: v̂ᵢ = vᵢ + ε Σⱼ
/// V⁰ⱼ (vⱼ − vᵢ) Wᵢⱼ for liquids. `velocity` has a record (v, ·) for each row and one for padding.
void smooth_velocity(const Device& device, const FluidState& state, const Packed4* velocity, float weight,
                     View<Vec3f> transport);

}  // namespace thixo
