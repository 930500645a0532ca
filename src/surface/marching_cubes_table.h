#pragma once

#include <array>
#include <cstdint>

namespace thixo {

/// Which triangles a cell of eight nodes gets, for each of the 256 sets of nodes that are inside. The table
/// is made when the program is compiled, from a rule for faces: on a face, each run of corners that are
/// inside is cut off by one segment, so that two inside corners at the ends of a diagonal are always
/// separated. The rule looks at the four corners alone, so the two cells at a face agree on its segments, and
/// the surface has no holes. Along each cell the segments close to polygons, and those are cut into triangles
/// by diagonals of which none lies within a face: a neighbour could have the same one, and four triangles
/// would meet in it.
///
/// Corner c is at (c & 1, c >> 1 & 1, c >> 2). Edge 4a + k runs along axis a; k counts the corners it may
/// begin at, in ascending order.
struct MarchingCubesTable {
    static constexpr int most_triangles = 5;

    struct Case {
        std::uint8_t count = 0;
        std::array<std::array<std::uint8_t, 3>, most_triangles>
            triangles{};  ///< edges; counter-clockwise from outside

        constexpr void add(const std::array<std::uint8_t, 3>& triangle) { triangles.at(count++) = triangle; }
        constexpr void append(const Case& other) {
            for (int k = 0; k < other.count; ++k) add(other.triangles[k]);
        }
    };
    std::array<Case, 256> cases{};
};

/// The corner at which edge `edge` begins.
constexpr int first_corner(int edge) {
    const int axis = edge / 4, k = edge % 4;
    const int low = (1 << axis) - 1;  // bits below the axis
    return (k & low) | ((k & ~low) << 1);
}

constexpr int edge_between(int a, int b) {
    const int axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2;
    const int corner = a & b, low = (1 << axis) - 1;
    return 4 * axis + ((corner & low) | ((corner >> 1) & ~low));
}

/// The corners of face 2a + s, the one across axis a at its low (s = 0) or high end, counter-clockwise seen
/// from outside.
constexpr std::array<int, 4> face_corners(int face) {
    const int axis = face / 2, side = face % 2;
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = side << axis;
    return side == 1 ? std::array{base, base | u, base | u | v, base | v}
                     : std::array{base, base | v, base | u | v, base | u};
}

/// The face that two edges of a cell have in common, or −1. Different edges have one at most.
constexpr int common_face(int e, int f) {
    for (int face = 0; face < 6; ++face) {
        const auto on_face = [&](int edge) {
            return edge / 4 != face / 2 && ((first_corner(edge) >> (face / 2)) & 1) == face % 2;
        };
        if (on_face(e) && on_face(f)) return face;
    }
    return -1;
}

constexpr bool share_face(int e, int f) { return common_face(e, f) >= 0; }

namespace marching_cubes_detail {

struct Polygon {
    std::array<int, 12> edges{};
    int size = 0;
};

/// Four times the squared area of the triangle whose corners are the middles of three edges, in half cells.
constexpr int squared_area(int e, int f, int g) {
    const auto middle = [](int edge, int axis) {
        return edge / 4 == axis ? 1 : 2 * ((first_corner(edge) >> axis) & 1);
    };
    int u[3]{}, v[3]{}, sum = 0;
    for (int a = 0; a < 3; ++a) {
        u[a] = middle(f, a) - middle(e, a);
        v[a] = middle(g, a) - middle(e, a);
    }
    for (int a = 0; a < 3; ++a) {
        const int c = u[(a + 1) % 3] * v[(a + 2) % 3] - u[(a + 2) % 3] * v[(a + 1) % 3];
        sum += c * c;
    }
    return sum;
}

constexpr int impossible = 1 << 20;

struct Cut {
    int cost = impossible;
    MarchingCubesTable::Case triangles{};
};

/// Cuts the polygon's corners i … j into triangles by diagonals that lie in no face. Of the ways to do so it
/// takes the one with the least squared areas: the first that comes would let triangles pass through each
/// other in two of the cases.
constexpr Cut triangulate(const Polygon& polygon, int i, int j) {
    if (j - i < 2) return {0, {}};
    Cut best;
    for (int k = i + 1; k < j; ++k) {
        const auto allowed = [&](int a, int b) {
            return b - a == 1 || !share_face(polygon.edges[a], polygon.edges[b]);
        };
        if (!allowed(i, k) || !allowed(k, j)) continue;
        const Cut low = triangulate(polygon, i, k), high = triangulate(polygon, k, j);
        const int e = polygon.edges[i], f = polygon.edges[k], g = polygon.edges[j];
        const int cost = low.cost + high.cost + squared_area(e, f, g);
        if (cost >= best.cost) continue;
        best = {cost, low.triangles};
        best.triangles.append(high.triangles);
        best.triangles.add(
            {static_cast<std::uint8_t>(e), static_cast<std::uint8_t>(f), static_cast<std::uint8_t>(g)});
    }
    return best;
}

/// The edge behind each crossed edge on the polygon around the inside. On a face the surface runs from where
/// its outline enters the inside to where it leaves it.
constexpr std::array<int, 12> links(int inside) {
    std::array<int, 12> next{};
    next.fill(-1);
    for (int face = 0; face < 6; ++face) {
        const std::array<int, 4> corner = face_corners(face);
        const auto is_inside = [&](int k) { return ((inside >> corner[k % 4]) & 1) == 1; };
        for (int k = 0; k < 4; ++k) {
            if (is_inside(k) || !is_inside(k + 1)) continue;
            int last = k + 1;
            while (is_inside(last + 1)) ++last;
            next[edge_between(corner[k], corner[(k + 1) % 4])] =
                edge_between(corner[last % 4], corner[(last + 1) % 4]);
        }
    }
    return next;
}

constexpr MarchingCubesTable make_table() {
    MarchingCubesTable table;
    for (int inside = 0; inside < 256; ++inside) {
        const std::array<int, 12> next = links(inside);
        std::array<bool, 12> done{};
        for (int start = 0; start < 12; ++start) {
            if (next[start] < 0 || done[start]) continue;
            Polygon polygon;
            for (int edge = start; !done[edge]; edge = next[edge]) {
                done[edge] = true;
                polygon.edges[polygon.size++] = edge;
            }
            const Cut cut = triangulate(polygon, 0, polygon.size - 1);
            if (cut.cost >= impossible) throw "a polygon without triangulation";  // ends the compilation
            table.cases[inside].append(cut.triangles);
        }
    }
    return table;
}

}  // namespace marching_cubes_detail

inline constexpr MarchingCubesTable marching_cubes_table = marching_cubes_detail::make_table();

}  // namespace thixo
