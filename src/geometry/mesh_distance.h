#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/bounds.h"
#include "geometry/signed_distance.h"
#include "geometry/triangle_mesh.h"

namespace thixo {

/// Exact signed distance to a closed mesh. Queries may run in any number of threads.
///
/// The nearest point is found in a tree of boxes over the triangles. Its sign comes from the pseudonormal of
/// what it lies on, dot(x − c, n) < 0 inside: the normal of a triangle, the sum of the two at an edge, the sum
/// weighted by the angles of all triangles at a vertex. [Bærentzen & Aanæs 2005, Signed distance computation
/// using the angle weighted pseudonormal, theorem 1]
class MeshDistance {
public:
    /// `mesh` as closed_mesh or load_mesh returns it.
    explicit MeshDistance(TriangleMesh mesh);

    SignedDistance at(const Vec3d& x) const;

    const TriangleMesh& mesh() const { return mesh_; }
    const Bounds& bounds() const { return bounds_; }
    double volume() const { return volume_; }  ///< m³

private:
    /// A leaf has `count` triangles from `first` on; other nodes have their near child right behind them and
    /// the far one at `first`.
    struct Node {
        Bounds box;
        std::uint32_t first = 0, count = 0;
    };
    struct Nearest {
        double distance2;
        Vec3d point;
        std::uint32_t triangle;
        int feature;  ///< 0 to 2: vertices; 3 to 5: edges from vertex 0, 1, 2 to the next; 6: the face
    };

    void build(std::uint32_t begin, std::uint32_t end, const std::vector<Vec3d>& center,
               std::vector<std::uint32_t>& order);
    void find_normals();
    Nearest nearest(const Vec3d& x) const;
    Vec3d pseudonormal(const Nearest& nearest) const;

    TriangleMesh mesh_;  ///< its triangles sorted by leaf
    Bounds bounds_;
    double volume_;
    std::vector<Node> nodes_;
    std::vector<Vec3d> face_normals_;
    std::vector<std::array<Vec3d, 3>> edge_normals_;
    std::vector<Vec3d> vertex_normals_;
};

}  // namespace thixo
