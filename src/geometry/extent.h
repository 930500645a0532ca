#pragma once

#include "geometry/shape.h"

namespace thixo {

/// How large a bounded shape is.
struct Extent {
    double smallest = 0;  ///< m, over the used dimensions: of the thickest place of a tube or slab
    double volume = 0;    ///< m³, in 2D m²
};

/// Exact for kinds with a formula. Compound shapes are measured by sampling: a few percent for
/// a body that fills a fair part of its bounds. Layers have none: geometry/layer.h measures them.
Extent extent(const Shape& shape, int dimensions);

/// Its `smallest` alone: nothing is sampled.
double smallest_extent(const Shape& shape, int dimensions);

}  // namespace thixo
