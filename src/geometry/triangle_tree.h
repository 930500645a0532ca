#pragma once

#include <cstdint>
#include <vector>

#include "geometry/bounds.h"
#include "geometry/triangle_mesh.h"

namespace thixo {

/// Finds the nearest point of a mesh, closed or not, in a tree of boxes over its triangles.
class TriangleTree {
public:
    struct Nearest {
        double distance2;  ///< m²; infinite without triangles
        Vec3d point;
        std::uint32_t triangle;
        int feature;  ///< it lies on: 0 to 2 a vertex, 3 to 5 the edge to the next vertex, 6 the face

        static constexpr int on_edge = 3, on_face = 6;
    };

    TriangleTree() = default;
    /// Sorts the triangles of the mesh by leaf; it is to be passed to `nearest` as it is then.
    explicit TriangleTree(TriangleMesh& mesh);

    Nearest nearest(const TriangleMesh& mesh, const Vec3d& x) const;

private:
    /// A leaf has `count` triangles from `first` on; other nodes have one child right behind them and the
    /// other at `first`.
    struct Node {
        Bounds box;
        std::uint32_t first = 0, count = 0;
    };

    void build(const TriangleMesh& mesh, std::uint32_t begin, std::uint32_t end,
               const std::vector<Vec3d>& center, std::vector<std::uint32_t>& order);

    std::vector<Node> nodes_;
};

}  // namespace thixo
