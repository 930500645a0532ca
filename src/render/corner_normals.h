#pragma once

#include <algorithm>
#include <array>

#include "geometry/surface_mesh.h"

namespace thixo {

/// Normals for shading at the corners of a triangle whose own normal is `flat`, both of unit length. A mesh
/// has one normal for each vertex: on an edge that of one of the faces that meet there. In a triangle of
/// another face it gives way to `flat`:
/// - on skins and cracks where the two differ by more than 35°;
/// - on surfaces of particles by more than 35° if another corner has the triangle's normal within 8°, which is
///   so beside rims on walls. On a round drop all three corners of a triangle are as far from its normal as
///   each other, however coarse it is.
inline std::array<Vec3f, 3> corner_normals(const SurfaceMesh& mesh, std::uint32_t triangle,
                                           const Vec3f& flat) {
    constexpr float cos_8 = 0.99f, cos_35 = 0.82f;
    const SurfaceMesh::Corners& c = mesh.triangles[triangle];
    std::array<Vec3f, 3> n{mesh.normals[c[0]], mesh.normals[c[1]], mesh.normals[c[2]]};
    const bool sharp = mesh.has_parts() && mesh.part[triangle] != SurfacePart::liquid;
    const bool on_face =
        std::any_of(n.begin(), n.end(), [&](const Vec3f& corner) { return dot(corner, flat) > cos_8; });
    if (sharp || on_face)
        for (Vec3f& corner : n)
            if (!(dot(corner, flat) > cos_35)) corner = flat;
    return n;
}

}  // namespace thixo
