#pragma once

#include "thixo/core/vec.h"

namespace thixo {

/// Distance to the surface, negative inside; `gradient` is the unit outward direction.
struct SignedDistance {
    double distance = 0;
    Vec3d gradient{0, 1, 0};
};

}  // namespace thixo
