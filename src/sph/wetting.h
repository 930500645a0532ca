#pragma once

#include "core/vec.h"

namespace thixo {

/// The solids with a contact angle that a particle of liquid touches.
struct Wetting {
    Vec3f gradient{};  ///< ∇c, into the solids, 1/m
    float gamma = 0;   ///< c, what they add to the kernel sums: Σ V⁰W over their particles, γ of walls
    float cosine = 0;  ///< c cos θ, summed in the same way
};

}  // namespace thixo
