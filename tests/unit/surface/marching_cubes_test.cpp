#include "surface/marching_cubes_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "core/hash.h"
#include "core/vec.h"

using namespace thixo;

namespace {

using Segment = std::pair<int, int>;  // from edge to edge

bool on_face(int edge, int face) {
    return edge / 4 != face / 2 && ((first_corner(edge) >> (face / 2)) & 1) == face % 2;
}

/// Sides of triangles that no other triangle of the cell has: where the surface meets the faces.
std::set<Segment> outline(int inside) {
    std::set<Segment> sides;
    const MarchingCubesTable::Case& cell = marching_cubes_table.cases[static_cast<std::size_t>(inside)];
    for (int k = 0; k < cell.count; ++k) {
        for (std::size_t c = 0; c < 3; ++c) {
            const Segment side{cell.triangles[k][c], cell.triangles[k][(c + 1) % 3]};
            if (sides.erase({side.second, side.first}) == 0) sides.insert(side);
        }
    }
    return sides;
}

/// The edge of the cell behind face 2a + 1 that is the edge `edge` of this one.
int seen_from_next(int edge, int axis) {
    const int corner = first_corner(edge) & ~(1 << axis), a = edge / 4;
    return edge_between(corner, corner | 1 << a);
}

Vec3d point_on(int edge, double t) {
    const int c = first_corner(edge);
    Vec3d x{double(c & 1), double(c >> 1 & 1), double(c >> 2)};
    (edge / 4 == 0 ? x.x : edge / 4 == 1 ? x.y : x.z) = t;
    return x;
}

double side_of(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& x) {
    return dot(cross(b - a, c - a), x - a);
}

/// Whether the open segment pq passes through the inside of the triangle.
bool pierces(const Vec3d& p, const Vec3d& q, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    constexpr double least = 1e-9;
    const double sp = side_of(a, b, c, p), sq = side_of(a, b, c, q);
    if (sp * sq >= 0 || std::abs(sp) < least || std::abs(sq) < least) return false;
    const Vec3d x = p + (q - p) * (sp / (sp - sq)), n = cross(b - a, c - a);
    return dot(cross(b - a, x - a), n) > least && dot(cross(c - b, x - b), n) > least &&
           dot(cross(a - c, x - c), n) > least;
}

}  // namespace

TEST_CASE("edges begin and end at the corners they are named by") {
    for (int edge = 0; edge < 12; ++edge) {
        const int a = first_corner(edge), b = a | 1 << edge / 4;
        CHECK(a != b);
        CHECK(edge_between(a, b) == edge);
        CHECK(edge_between(b, a) == edge);
    }
}

TEST_CASE("every crossed edge has a vertex, and no other") {
    for (int inside = 0; inside < 256; ++inside) {
        std::set<int> used;
        const MarchingCubesTable::Case& cell = marching_cubes_table.cases[static_cast<std::size_t>(inside)];
        for (int k = 0; k < cell.count; ++k) used.insert(cell.triangles[k].begin(), cell.triangles[k].end());
        for (int edge = 0; edge < 12; ++edge) {
            const int a = first_corner(edge), b = a | 1 << edge / 4;
            CHECK(used.contains(edge) == (((inside >> a) & 1) != ((inside >> b) & 1)));
        }
    }
}

TEST_CASE("neighbouring cells agree on the face between them, for all pairs of cases") {
    int pairs = 0;
    for (int axis = 0; axis < 3; ++axis) {
        for (int low = 0; low < 256; ++low) {
            for (int high = 0; high < 256; ++high) {
                bool compatible = true;
                for (int c = 0; c < 8; ++c)
                    if (c >> axis & 1)
                        compatible = compatible && (low >> c & 1) == (high >> (c & ~(1 << axis)) & 1);
                if (!compatible) continue;
                ++pairs;
                std::set<Segment> here, there;
                for (const auto& [from, to] : outline(low))
                    if (on_face(from, 2 * axis + 1) && on_face(to, 2 * axis + 1))
                        here.insert({seen_from_next(from, axis), seen_from_next(to, axis)});
                for (const auto& [from, to] : outline(high))
                    if (on_face(from, 2 * axis) && on_face(to, 2 * axis)) there.insert({to, from});
                REQUIRE(here == there);
            }
        }
    }
    CHECK(pairs == 12288);
}

TEST_CASE("the surface meets faces in its outline alone: no diagonal lies within a face") {
    for (int inside = 0; inside < 256; ++inside) {
        const std::set<Segment> sides = outline(inside);
        const MarchingCubesTable::Case& cell = marching_cubes_table.cases[static_cast<std::size_t>(inside)];
        for (int k = 0; k < cell.count; ++k) {
            for (std::size_t c = 0; c < 3; ++c) {
                const int from = cell.triangles[k][c], to = cell.triangles[k][(c + 1) % 3];
                CHECK(share_face(from, to) == sides.contains({from, to}));
            }
        }
    }
}

TEST_CASE("triangles of a cell do not pass through each other, wherever the surface crosses its edges") {
    for (int inside = 0; inside < 256; ++inside) {
        const MarchingCubesTable::Case& cell = marching_cubes_table.cases[static_cast<std::size_t>(inside)];
        for (std::uint64_t round = 0; round < 40; ++round) {
            Vec3d x[12];
            for (int e = 0; e < 12; ++e)
                x[e] = point_on(
                    e, 0.01 + 0.98 *
                                  static_cast<double>(mix(round * 12 + static_cast<std::uint64_t>(e)) >> 11) *
                                  0x1p-53);
            for (int j = 0; j < cell.count; ++j) {
                const auto& t = cell.triangles[j];
                for (int k = 0; k < cell.count; ++k) {
                    if (j == k) continue;
                    const auto& u = cell.triangles[k];
                    for (std::size_t c = 0; c < 3; ++c)
                        CHECK_FALSE(pierces(x[u[c]], x[u[(c + 1) % 3]], x[t[0]], x[t[1]], x[t[2]]));
                }
            }
        }
    }
}
