#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "surface/field.h"
#include "surface/halo.h"
#include "surface/marching_cubes_table.h"
#include "surface/polygonise_masks.h"

namespace thixo {

/// The clip of nodes far from obstacles.
inline constexpr float far_from_walls = -1e30f;

/// How close to the end of an edge a vertex may be, in cells: on the surface, and on walls, which are met
/// closer.
struct CrossingMargins {
    float surface, wall;
};

/// Where an edge of the grid leaves the inside, from its inside end to the outside one.
struct EdgeCrossing {
    float t;
    bool on_wall;  ///< an obstacle comes first
};

/// An end of an edge: the values at its node.
struct EdgeEnd {
    Vec3d x;          ///< m
    float phi, clip;  ///< `clip` far below 0 where no obstacle is near
};

/// Where the surface alone crosses it, walls left out.
inline float surface_crossing(float phi_in, float phi_out, float level) {
    const float in = phi_in - level, out = phi_out - level;
    return out >= 0 ? in / (in - out) : 1;
}
/// A field may jump or be infinite; whatever comes out, the vertex stays on its edge, clear of its ends.
inline float kept_clear(float t, float clear) { return t > clear ? std::min(t, 1 - clear) : clear; }

EdgeCrossing find_crossing(const SurfaceField& field, const EdgeEnd& in, const EdgeEnd& out, float level,
                           const CrossingMargins& margins);

/// A vertex on a sharp edge of clipped matter, where the surface meets a wall or two walls meet.
struct RimVertex {
    Vec3d x;                      ///< m
    std::array<Vec3d, 2> normal;  ///< of the two sheets
    bool free;                    ///< the first one is the surface of the matter
};

/// The rims in a block: marching cubes alone would cut them off by up to a cell. On each face of a cell whose
/// outline passes from one sheet to the other there is a vertex where they meet. The rule looks at the face
/// alone, so the two cells at it agree, and the mesh stays closed. A cell with one or two such vertices gets
/// a fan of triangles about the first, and so an edge from one to the other; where there are more, as in the
/// corner of a tank, about a vertex in the cell.
struct BlockRims {
    std::uint64_t face[3]
                      [block_width]{};  ///< which faces, by the axis across and the lowest node: bit 8y + x
    std::uint16_t rank[3][block_width]{};  ///< vertices on faces before this word
    std::vector<RimVertex> corners;        ///< on faces
    std::vector<RimVertex> centers;        ///< in cells, in the order of the cells

    bool has(int axis, int x, int y, int z) const {
        return (face[axis][z] >> (block_width * y + x) & 1) != 0;
    }
    Index number(int axis, int x, int y, int z) const {
        const std::uint64_t before = face[axis][z] & ((std::uint64_t{1} << (block_width * y + x)) - 1);
        return rank[axis][z] + static_cast<Index>(std::popcount(before));
    }
};

/// Polygon of a cell: vertices on its edges and faces in turn, counter-clockwise from outside.
struct RimPolygon {
    struct Corner {
        int edge;  ///< of the cell, or −1
        int face;  ///< 2 axis + side, of a vertex on a rim
    };
    std::array<Corner, 24> corners{};
    int size = 0, rims = 0;
    int first_rim = 0;

    void add(const Corner& corner) { corners[static_cast<std::size_t>(size++)] = corner; }
    const Corner& operator[](int k) const { return corners[static_cast<std::size_t>(k % size)]; }
    bool has_center() const { return rims > 2; }
    int triangles() const { return has_center() ? size : size - 2; }
};

/// Calls visit(polygon) for each polygon of a cell; has_rim(face) says on which faces there are vertices.
template <class HasRim, class Visit>
void for_each_polygon(unsigned inside, const HasRim& has_rim, const Visit& visit) {
    const std::array<int, 12> next = marching_cubes_detail::links(static_cast<int>(inside));
    unsigned done = 0;
    for (int start = 0; start < 12; ++start) {
        if (next[static_cast<std::size_t>(start)] < 0 || (done >> start & 1u) != 0) continue;
        RimPolygon polygon;
        for (int edge = start; (done >> edge & 1u) == 0; edge = next[static_cast<std::size_t>(edge)]) {
            done |= 1u << edge;
            polygon.add({edge, -1});
            const int face = common_face(edge, next[static_cast<std::size_t>(edge)]);
            if (!has_rim(face)) continue;
            if (polygon.rims++ == 0) polygon.first_rim = polygon.size;
            polygon.add({-1, face});
        }
        visit(polygon);
    }
}

/// The vertex on the face across `axis` whose lowest node is (x, y, z) of block b, if there is one.
std::optional<RimVertex> find_rim(const SurfaceField& field, const Halo& phi, const Halo& clip, float level,
                                  const CrossingMargins& margins, Index b, int axis, int x, int y, int z);

/// Finds the vertices on the faces of a block.
BlockRims find_rims(const SurfaceField& field, float level, const CrossingMargins& margins,
                    const MaskReader& read, Index b);

/// The vertex in a cell at which rims meet: as close as possible to all their sheets, within the cell from
/// `low` to `low` + `cell`.
RimVertex rim_center(const std::vector<const RimVertex*>& around, const Vec3d& low, double cell,
                     double margin);

}  // namespace thixo
