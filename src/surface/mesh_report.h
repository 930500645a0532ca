#pragma once

#include <string>
#include <vector>

#include "core/launch.h"
#include "geometry/surface_mesh.h"

namespace thixo {

/// What a mesh is like.
struct MeshReport {
    std::size_t vertices = 0, triangles = 0;
    std::size_t components = 0;
    std::int64_t genus = 0;  ///< handles of all components together; of a closed mesh only
    double volume = 0;       ///< m³; of cavities negative
    double area = 0;         ///< m²
    std::size_t open =
        0;  ///< vertices around which the triangles do not close to one ring, consistently oriented
    std::size_t degenerate = 0;  ///< triangles without area
    std::size_t not_finite = 0;  ///< vertices that are nowhere

    /// Closed, consistently oriented, edge- and vertex-manifold, no triangle without area.
    bool manifold() const { return open == 0 && degenerate == 0 && not_finite == 0; }
};

/// The triangles at each vertex.
struct VertexTriangles {
    std::vector<Index> first;    ///< of each vertex, and behind the last
    std::vector<Index> corners;  ///< 3 triangle + corner
};
VertexTriangles triangles_of_vertices(const SurfaceMesh& mesh);

/// Checks everything: a mesh whose every vertex is surrounded by one ring of triangles, each passing it the
/// same way, has no border, no edge with more than two triangles, and no two neighbours that disagree about
/// what is outside.
MeshReport examine(const Device& device, const SurfaceMesh& mesh);
/// With triangles_of_vertices(mesh) at hand.
MeshReport examine(const Device& device, const SurfaceMesh& mesh, const VertexTriangles& around);

/// Volume (m³) and area (m²) alone.
struct Extents {
    double volume = 0, area = 0;
};
Extents extents(const Device& device, const SurfaceMesh& mesh);

/// The lowest vertex that is connected to each vertex.
std::vector<Index> components(const SurfaceMesh& mesh);

}  // namespace thixo
