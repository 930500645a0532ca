#pragma once

#include <array>
#include <vector>

#include "geometry/bounds.h"
#include "geometry/signed_distance.h"
#include "geometry/triangle_mesh.h"
#include "geometry/triangle_tree.h"

namespace thixo {

/// Exact signed distance to a closed mesh. Queries may run in any number of threads.
///
/// The sign comes from the pseudonormal n of the feature that contains the nearest point c, dot(x − c, n) < 0
/// inside: the normal of a triangle, the sum of the two at an edge, the sum weighted by the angles of all
/// triangles at a vertex. [Bærentzen & Aanæs 2005, Signed distance computation using the angle weighted
/// pseudonormal, theorem 1]
class MeshDistance {
public:
    /// `mesh` as closed_mesh or load_mesh returns it.
    explicit MeshDistance(TriangleMesh mesh);

    /// `dimensions` = 2 measures in the plane z = 0, to the outline that the plane cuts out of the mesh.
    SignedDistance at(const Vec3d& x, int dimensions) const;

    /// The point of the surface nearest to x, and the triangle that it lies on; in 2D of the outline.
    TriangleTree::Nearest nearest(const Vec3d& x, int dimensions = 3) const;

    const TriangleMesh& mesh() const { return mesh_; }
    const Bounds& bounds() const { return bounds_; }
    double volume() const { return volume_; }  ///< m³
    bool has_outline() const { return !outline_.triangles.empty(); }

private:
    void find_normals();
    void cut_outline();
    Vec3d pseudonormal(const TriangleTree::Nearest& nearest) const;

    TriangleMesh mesh_;
    TriangleTree tree_;
    Bounds bounds_;
    double volume_;
    std::vector<Vec3d> face_normals_;
    std::vector<std::array<Vec3d, 3>> edge_normals_;
    std::vector<Vec3d> vertex_normals_;
    TriangleMesh outline_;  ///< segments: triangles whose last two corners are one
    TriangleTree outline_tree_;
    std::vector<std::uint32_t> cut_;  ///< triangle that each segment lies on
};

}  // namespace thixo
