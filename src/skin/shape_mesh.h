#pragma once

#include "core/launch.h"
#include "geometry/shape.h"
#include "geometry/triangle_mesh.h"

namespace thixo {

/// The surface of a shape as a closed mesh whose sharp edges are edges of triangles, which are about `edge`
/// (m) long. A sheet gets the thickness `thickness` (m) for each of its layers, a rod that diameter. Boxes,
/// balls, ellipsoids, cylinders, capsules, tori, sheets and rods have texture coordinates; meshes have those
/// of their file, other shapes have none.
TriangleMesh shape_mesh(const Device& device, const Shape& shape, double edge, double thickness);

/// Edges longer than this (m) are halved until there are none. What is flat stays so, and texture coordinates
/// are interpolated.
void refine(TriangleMesh& mesh, double longest);

// What shape_mesh is made of, without placement.
TriangleMesh box_surface(const Box& box, double edge);
/// The profile turned about y: (distance from the axis, height, texture coordinate along it), from a point on
/// the axis to another, or closed.
struct ProfilePoint {
    double r, y, v;
};
TriangleMesh surface_of_revolution(const std::vector<ProfilePoint>& profile, double edge);
TriangleMesh thick_sheet(const TriangleMesh& sheet, double thickness);
struct Polyline;
TriangleMesh tube(const Polyline& rod, double radius);
/// The signed distance polygonised by marching cubes. Vertices near sharp edges are moved onto them: to the
/// point that is closest to the tangent planes around. [Kobbelt et al. 2001, Feature sensitive surface
/// extraction]
TriangleMesh feature_surface(const Device& device, const Shape& shape, double edge);

}  // namespace thixo
