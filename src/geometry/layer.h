#pragma once

#include <variant>
#include <vector>

#include "geometry/shape.h"
#include "geometry/triangle_mesh.h"

namespace thixo {

/// Straight from point to point.
struct Polyline {
    std::vector<Vec3d> points;
    bool closed = false;  ///< and from the last one to the first
};

/// A sheet cut into triangles, or a rod cut into segments: 256 along the longer side of a sheet, 64 between
/// two points of a smooth curve, 256 a turn of a helix.
using Layer = std::variant<TriangleMesh, Polyline>;

/// Without placement. Files have been loaded.
Layer layer_of(const RectangleSheet& sheet);
Layer layer_of(const DiscSheet& sheet);
Layer layer_of(const Sombrero& sheet);
Layer layer_of(const HeightSheet& sheet);
Layer layer_of(const MeshSurface& sheet);
Layer layer_of(const Curve& curve);
Layer layer_of(const Helix& helix);

/// With so many cells along the longer side.
TriangleMesh tessellated(const Sombrero& sheet, int cells);
TriangleMesh tessellated(const HeightSheet& sheet, int cells);

bool is_sheet(const Shape& shape);
bool is_rod(const Shape& shape);
inline bool is_layer(const Shape& shape) { return is_sheet(shape) || is_rod(shape); }

/// A sheet or a rod where its placement brings it.
Layer layer_of(const Shape& shape);

/// Corners of triangles or segments.
const std::vector<Vec3d>& points_of(const Layer& layer);

/// m² of a sheet, m of a rod.
double measure(const Layer& layer);

/// Where the length along a rod is s, 0 to its measure (m); the lengths increase from point to point. Returns
/// as many points as there are lengths.
std::vector<Vec3d> points_along(const Polyline& rod, const std::vector<double>& lengths);

}  // namespace thixo
