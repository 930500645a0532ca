#include "surface/polygonise.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "core/simd.h"
#include "surface/halo.h"
#include "surface/marching_cubes_table.h"

namespace thixo {

namespace {

constexpr float far_from_walls = -1e30f;

/// The nodes of a block that are inside, and the edges from its nodes that the surface crosses, as bits: one word for each z, bit 8y + x.
struct BlockMask {
    std::uint64_t inside[block_width];
    std::uint64_t cross[3][block_width];
    std::uint16_t rank[3][block_width];  ///< crossed edges of the block before this word
    Index vertices, triangles;
};

struct FindInside {
    const SurfaceField* field;
    float level;
    View<BlockMask> masks;

    void operator()(Index b) const {
        const float *phi = field->block(b), *clip = field->clip_of(b);
        for (int z = 0; z < block_width; ++z) {
            std::uint64_t word = 0;
            for (int y = 0; y < block_width; ++y) {
                const int node = (z * block_width + y) * block_width;
                LaneMask inside = load(phi + node) < level;
                if (clip) inside &= load(clip + node) < 0.0f;
                word |= std::uint64_t{bits(inside)} << (block_width * y);
            }
            masks[b].inside[z] = word;
        }
    }
};

/// Masks of blocks that are not stored: nothing is inside, or everything.
constexpr BlockMask nothing{};
constexpr BlockMask everything{.inside = {~0ul, ~0ul, ~0ul, ~0ul, ~0ul, ~0ul, ~0ul, ~0ul},
                               .cross = {},
                               .rank = {},
                               .vertices = 0,
                               .triangles = 0};

struct MaskReader {
    const BlockGrid* grid;
    View<const BlockMask> masks;

    const BlockMask& neighbour(Index b, int dx, int dy, int dz) const {
        const Index n = grid->neighbour(b, dx, dy, dz);
        return grid->is_stored(n) ? masks[n] : n == inside_block ? everything : nothing;
    }
};

/// Nine nodes along each axis: those of the block and the first ones of the next. A row is nine bits.
struct InsideRows {
    unsigned row[block_width + 1][block_width + 1];

    InsideRows(const MaskReader& read, Index b) {
        const auto bit = [](const BlockMask& m, int z, int y) {
            return static_cast<unsigned>(m.inside[z] >> (block_width * y)) & 0xffu;
        };
        const auto fill = [&](int dy, int dz) {
            const BlockMask &here = read.neighbour(b, 0, dy, dz), &next = read.neighbour(b, 1, dy, dz);
            for (int z = dz ? block_width : 0; z < block_width + dz; ++z)
                for (int y = dy ? block_width : 0; y < block_width + dy; ++y)
                    row[z][y] = bit(here, z % block_width, y % block_width) |
                                (bit(next, z % block_width, y % block_width) & 1u) << block_width;
        };
        fill(0, 0);
        fill(1, 0);
        fill(0, 1);
        fill(1, 1);
    }

    /// Calls visit(x, y, z, case) for every cell that the surface passes.
    template <class Visit>
    void for_each_cell(const Visit& visit) const {
        for (int z = 0; z < block_width; ++z) {
            for (int y = 0; y < block_width; ++y) {
                const unsigned a = row[z][y], b = row[z][y + 1], c = row[z + 1][y], d = row[z + 1][y + 1];
                const unsigned some = a | b | c | d, every = a & b & c & d;
                for (unsigned left = (some | some >> 1) & ~(every & every >> 1) & 0xffu; left != 0;
                     left &= left - 1) {
                    const int x = std::countr_zero(left);
                    visit(x, y, z,
                          (a >> x & 3u) | (b >> x & 3u) << 2 | (c >> x & 3u) << 4 | (d >> x & 3u) << 6);
                }
            }
        }
    }
};

struct CountCrossings {
    MaskReader read;
    View<BlockMask> masks;

    void operator()(Index b) const {
        BlockMask& mask = masks[b];
        const BlockMask &right = read.neighbour(b, 1, 0, 0), &above = read.neighbour(b, 0, 1, 0),
                        &front = read.neighbour(b, 0, 0, 1);
        constexpr std::uint64_t first_column = 0x0101010101010101u;
        for (int z = 0; z < block_width; ++z) {
            const std::uint64_t w = mask.inside[z];
            const std::uint64_t next = z + 1 < block_width ? mask.inside[z + 1] : front.inside[0];
            mask.cross[0][z] = w ^ ((w >> 1 & ~(first_column << 7)) | (right.inside[z] & first_column) << 7);
            mask.cross[1][z] =
                w ^ (w >> block_width | above.inside[z] << (block_nodes / block_width - block_width));
            mask.cross[2][z] = w ^ next;
        }
        unsigned count = 0;
        for (int axis = 0; axis < 3; ++axis) {
            for (int z = 0; z < block_width; ++z) {
                mask.rank[axis][z] = static_cast<std::uint16_t>(count);
                count += static_cast<unsigned>(std::popcount(mask.cross[axis][z]));
            }
        }
        mask.vertices = count;
        mask.triangles = 0;
        InsideRows(read, b).for_each_cell([&](int, int, int, unsigned inside) {
            mask.triangles += marching_cubes_table.cases[inside].count;
        });
    }
};

constexpr std::array<std::array<int, 3>, 3> steps{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

struct PlaceVertices {
    const SurfaceField* field;
    float level, margin, wall_margin;
    bool with_normals;
    View<const BlockMask> masks;
    View<const Index> first;
    View<Vec3f> vertices, normals;
    View<std::uint8_t> on_wall;

    void operator()(Index b) const {
        if (masks[b].vertices == 0) return;
        const BlockGrid& grid = field->grid;
        const Halo phi(grid, b, field->outside, field->inside, [&](Index n) { return field->block(n); });
        if (field->clip.empty()) return place(b, phi, nullptr);
        const Halo clip(grid, b, far_from_walls, far_from_walls, [&](Index n) { return field->clip_of(n); });
        place(b, phi, &clip);
    }

    void place(Index b, const Halo& phi, const Halo* clip) const {
        Index vertex = first[b];
        for (int axis = 0; axis < 3; ++axis)
            for (int z = 0; z < block_width; ++z)
                for (std::uint64_t left = masks[b].cross[axis][z]; left != 0; left &= left - 1) {
                    const int bit = std::countr_zero(left);
                    place_one(b, phi, clip, {bit % block_width, bit / block_width, z}, axis, vertex++);
                }
    }

    /// Where a value that is negative at the inside end reaches zero, from there to the outside end; 1 if it stays negative.
    static float crossing(float inside, float outside) {
        return outside >= 0 ? inside / (inside - outside) : 1;
    }

    void place_one(Index b, const Halo& phi, const Halo* clip, const std::array<int, 3>& low, int axis,
                   Index vertex) const {
        const auto [sx, sy, sz] = steps[static_cast<std::size_t>(axis)];
        const std::array<int, 3> high{low[0] + sx, low[1] + sy, low[2] + sz};
        const auto value = [&](const Halo& h, const std::array<int, 3>& node) {
            return h.at(node[0], node[1], node[2]);
        };
        const bool low_inside = value(phi, low) < level && !(clip && value(*clip, low) >= 0);
        const std::array<int, 3>&in = low_inside ? low : high, &out = low_inside ? high : low;
        float t = crossing(value(phi, in) - level, value(phi, out) - level);
        const Halo* cut = &phi;
        if (clip) {
            const float wall = crossing(value(*clip, in), value(*clip, out));
            // A wall through a node comes first even where the surface is as far: it is met closer.
            if (wall <= t && value(*clip, out) >= 0) {
                t = wall;
                cut = clip;
            }
            on_wall[vertex] = cut == clip;
        }
        // A field may jump or be infinite; whatever comes out, the vertex stays on its edge. A wall is met closer.
        const float clear = cut == &phi ? margin : wall_margin;
        t = t > clear ? std::min(t, 1 - clear) : clear;
        const double along = low_inside ? t : 1 - double{t};
        vertices[vertex] =
            to_float(field->grid.world(b, {low[0] + sx * along, low[1] + sy * along, low[2] + sz * along}));
        if (!with_normals) return;
        const Vec3f gradient =
            (1 - t) * cut->gradient(in[0], in[1], in[2]) + t * cut->gradient(out[0], out[1], out[2]);
        const float length = norm(gradient);
        const float side = low_inside ? 1.f : -1.f;
        normals[vertex] =
            length > 0 && std::isfinite(length)
                ? gradient / length
                : side * Vec3f{static_cast<float>(sx), static_cast<float>(sy), static_cast<float>(sz)};
    }
};

struct PlaceTriangles {
    const BlockGrid* grid;
    View<const BlockMask> masks;
    View<const Index> first_vertex, first_triangle;
    View<SurfaceMesh::Corners> triangles;

    void operator()(Index b) const {
        if (masks[b].triangles == 0) return;
        Index triangle = first_triangle[b];
        InsideRows({grid, masks}, b).for_each_cell([&](int x, int y, int z, unsigned inside) {
            const MarchingCubesTable::Case& cell = marching_cubes_table.cases[inside];
            for (int k = 0; k < cell.count; ++k, ++triangle)
                for (std::size_t c = 0; c < 3; ++c)
                    triangles[triangle][c] = vertex(b, x, y, z, cell.triangles[k][c]);
        });
    }

    Index vertex(Index b, int x, int y, int z, int edge) const {
        const int corner = first_corner(edge), axis = edge / 4;
        x += corner & 1, y += corner >> 1 & 1, z += corner >> 2;
        const Index owner = grid->neighbour(b, x / block_width, y / block_width, z / block_width);
        const int word = z % block_width, bit = (y % block_width) * block_width + x % block_width;
        const BlockMask& mask = masks[owner];
        const std::uint64_t before = mask.cross[axis][word] & ((std::uint64_t{1} << bit) - 1);
        return first_vertex[owner] + mask.rank[axis][word] + static_cast<Index>(std::popcount(before));
    }
};

/// How close to the end of an edge a vertex may be, in cells: positions are rounded to single precision, and must stay apart.
float margin_of(const BlockGrid& grid, double least) {
    const double margin = std::max(least, 1e-6 * grid.farthest());
    if (margin > 0.25)
        throw RunError("the matter is too far from the origin for a surface with such small cells");
    return static_cast<float>(margin);
}

/// Where the entries of each block begin, and behind the last the number of all.
template <class Count>
std::vector<Index> running_sum(Index n, const Count& count) {
    std::vector<Index> first(std::size_t{n} + 1);
    std::uint64_t sum = 0;
    for (Index b = 0; b < n; ++b) {
        first[b] = static_cast<Index>(sum);
        sum += count(b);
        if (sum >= no_block) throw RunError("the surface has too many triangles; choose a larger resolution");
    }
    first[n] = static_cast<Index>(sum);
    return first;
}

}  // namespace

Polygonisation polygonise(const Device& device, const SurfaceField& field, float level, bool normals) {
    const BlockGrid& grid = field.grid;
    const Index n = grid.size();
    std::vector<BlockMask> masks(n);
    launch<small_grain>(device, n, FindInside{&field, level, masks});
    launch<small_grain>(device, n, CountCrossings{{&grid, masks}, masks});

    Polygonisation out;
    out.first_vertex = running_sum(n, [&](Index b) { return masks[b].vertices; });
    const std::vector<Index> first_triangle = running_sum(n, [&](Index b) { return masks[b].triangles; });
    SurfaceMesh& mesh = out.mesh;
    mesh.vertices.resize(out.first_vertex[n]);
    if (normals) mesh.normals.resize(mesh.vertices.size());
    mesh.triangles.resize(first_triangle[n]);
    if (!field.clip.empty()) out.on_wall.resize(mesh.vertices.size());
    launch<small_grain>(
        device, n,
        PlaceVertices{&field, level, margin_of(grid, 1.0 / 256), margin_of(grid, 1.0 / 4096), normals, masks,
                      out.first_vertex, mesh.vertices, mesh.normals, out.on_wall});
    launch<small_grain>(device, n,
                        PlaceTriangles{&grid, masks, out.first_vertex, first_triangle, mesh.triangles});
    return out;
}

}  // namespace thixo
