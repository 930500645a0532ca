#pragma once

#include <vector>

#include "geometry/surface_mesh.h"
#include "surface/field.h"

namespace thixo {

/// The surface φ = level as triangles, and where its vertices come from.
struct Polygonisation {
    SurfaceMesh mesh;
    std::vector<Index> first_vertex;   ///< of each block, and behind the last
    std::vector<WallContact> contact;  ///< of each vertex; empty without obstacles
};

/// Marching cubes with one vertex for each grid edge that the surface crosses. A node is inside if φ < level.
/// Closed, oriented, edge- and vertex-manifold by construction; crossings keep clear of the ends of their
/// edge, so that every triangle has an area. Normals, where requested, are those of the field.
Polygonisation polygonise(const Device& device, const SurfaceField& field, float level, bool normals);

}  // namespace thixo
