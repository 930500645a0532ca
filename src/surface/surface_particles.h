#pragma once

#include "core/vec.h"
#include "core/view.h"

namespace thixo {

/// What a surface is made from: columns of equal length, in an order that does not depend on the run (by id).
struct SurfaceParticles {
    View<const Vec3f> position;
    View<const float> radius;  ///< m, half the spacing of the particle's size
    View<const float> volume;  ///< m³, m/ρ₀; empty: (2 radius)³

    float volume_of(Index i) const {
        return volume.empty() ? 8 * radius[i] * radius[i] * radius[i] : volume[i];
    }
};

}  // namespace thixo
