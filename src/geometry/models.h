#pragma once

#include "geometry/shape.h"

namespace thixo {

/// What the kinds of fixed form are built of, at height 1. In 2D they lie in the plane: seen from the side.
const Shape& model_of(const Bunny&, int dimensions);
const Shape& model_of(const Duck&, int dimensions);

}  // namespace thixo
