#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/shape.h"

namespace thixo {

/// The surface of a shape as triangles, counter-clockwise seen from outside.
struct Polygons {
    std::vector<Vec3f> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    float sag = 0;  ///< m, how far the triangles may lie off the surface
};

/// Exact for a box and a mesh; a height field is a fine grid over its box. Any other shape is cut into cells,
/// about a hundred along its longest side, and gets a vertex in each cell that its surface passes; edges and
/// corners stay sharp. `stage` is as much of an unbounded shape as is made.
Polygons polygons_of(const Shape& shape, const Bounds& stage);

}  // namespace thixo
