#pragma once

#include <cstdint>
#include <vector>

#include "core/launch.h"
#include "geometry/layer.h"
#include "particles/object.h"

namespace thixo {

struct LayerSample {
    std::vector<Vec3d> points;
    double measure = 0;  ///< area or length that a particle stands for: m² or m
};

/// Particles on a sheet or along a rod, about one spacing apart.
///
/// Rectangles are covered by a grid of squares, with any lattice but the cubic one by equilateral triangles;
/// other sheets by `scatter`. Both leave half a spacing to the border. Along a rod particles are evenly
/// spaced, with half of their distance left at the ends.
LayerSample sample_layer(const Shape& shape, Lattice lattice, double spacing, std::uint64_t seed,
                         const Device& device = {});

/// About how many particles that are.
double estimated_layer_particles(const Shape& shape, double spacing);

}  // namespace thixo
