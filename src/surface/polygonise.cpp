#include "surface/polygonise.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "core/simd.h"
#include "surface/rims.h"

namespace thixo {

namespace {

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
        mask.edges = mask.vertices = count;
        mask.triangles = 0;
        InsideRows(read, b).for_each_cell([&](int, int, int, unsigned inside) {
            mask.triangles += marching_cubes_table.cases[inside].count;
        });
    }
};

/// Blocks that both the surface and a wall pass have rims.
struct FindRims {
    const SurfaceField* field;
    float level;
    CrossingMargins margins;
    MaskReader read;
    View<BlockRims> rims;

    void operator()(Index b) const {
        if (field->clip_of(b)) rims[b] = find_rims(*field, level, margins, read, b);
    }
};

/// The rims of the six faces of cells.
struct RimReader {
    const BlockGrid* grid;
    View<const BlockRims> rims;  ///< empty without obstacles

    struct Face {
        Index block;
        int axis, x, y, z;
    };
    Face at(Index b, int x, int y, int z, int face) const {
        const int axis = face / 2, side = face % 2;
        x += axis == 0 ? side : 0, y += axis == 1 ? side : 0, z += axis == 2 ? side : 0;
        return {grid->neighbour(b, x / block_width, y / block_width, z / block_width), axis, x % block_width,
                y % block_width, z % block_width};
    }
    bool has(const Face& f) const {
        return grid->is_stored(f.block) && rims[f.block].has(f.axis, f.x, f.y, f.z);
    }
    Index number(const Face& f) const { return rims[f.block].number(f.axis, f.x, f.y, f.z); }

    /// Bit k: face k has a vertex.
    unsigned faces(Index b, int x, int y, int z) const {
        if (rims.empty()) return 0;
        unsigned out = 0;
        for (int face = 0; face < 6; ++face) out |= (has(at(b, x, y, z, face)) ? 1u : 0u) << face;
        return out;
    }
};

/// Places the vertices in cells at which rims meet, and counts what rims add.
struct FindCenters {
    const SurfaceField* field;
    CrossingMargins margins;
    RimReader read;
    View<BlockRims> rims;
    View<BlockMask> masks;

    void operator()(Index b) const {
        BlockMask& mask = masks[b];
        if (mask.triangles == 0) return;
        InsideRows({read.grid, masks}, b).for_each_cell([&](int x, int y, int z, unsigned inside) {
            const unsigned faces = read.faces(b, x, y, z);
            if (faces == 0) return;
            mask.triangles -= marching_cubes_table.cases[inside].count;
            for_each_polygon(
                inside, [&](int face) { return (faces >> face & 1u) != 0; },
                [&](const RimPolygon& polygon) {
                    mask.triangles += static_cast<Index>(polygon.triangles());
                    if (polygon.has_center()) add_center(b, x, y, z, polygon);
                });
        });
        mask.vertices += static_cast<Index>(rims[b].corners.size() + rims[b].centers.size());
    }

    void add_center(Index b, int x, int y, int z, const RimPolygon& polygon) const {
        std::vector<const RimVertex*> around;
        for (int k = 0; k < polygon.size; ++k) {
            if (polygon[k].face < 0) continue;
            const RimReader::Face face = read.at(b, x, y, z, polygon[k].face);
            around.push_back(&read.rims[face.block].corners[read.number(face)]);
        }
        rims[b].centers.push_back(rim_center(around, field->grid.world(b, {double(x), double(y), double(z)}),
                                             field->grid.cell(), double{margins.wall}));
    }
};

constexpr std::array<std::array<int, 3>, 3> steps{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

struct PlaceVertices {
    const SurfaceField* field;
    float level;
    CrossingMargins margins;
    bool with_normals;
    View<const BlockMask> masks;
    View<const BlockRims> rims;
    View<const Index> first;
    View<Vec3f> vertices, normals;
    View<WallContact> contact;

    void operator()(Index b) const {
        if (masks[b].vertices == 0) return;
        const BlockGrid& grid = field->grid;
        const Halo phi(grid, b, field->outside, field->inside, [&](Index n) { return field->block(n); });
        if (field->clip.empty()) return place(b, phi, nullptr);
        const Halo clip(grid, b, far_from_walls, far_from_walls, [&](Index n) { return field->clip_of(n); });
        place(b, phi, &clip);
        Index vertex = first[b] + masks[b].edges;
        for (const RimVertex& rim : rims[b].corners) place_rim(rim, WallContact::rim, vertex++);
        for (const RimVertex& rim : rims[b].centers) place_rim(rim, WallContact::corner, vertex++);
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

    void place_one(Index b, const Halo& phi, const Halo* clip, const std::array<int, 3>& low, int axis,
                   Index vertex) const {
        const auto [sx, sy, sz] = steps[static_cast<std::size_t>(axis)];
        const std::array<int, 3> high{low[0] + sx, low[1] + sy, low[2] + sz};
        const auto value = [](const Halo& h, const std::array<int, 3>& node) {
            return h.at(node[0], node[1], node[2]);
        };
        const auto wall = [&](const std::array<int, 3>& node) {
            return clip ? value(*clip, node) : far_from_walls;
        };
        const bool low_inside = value(phi, low) < level && !(wall(low) >= 0);
        const std::array<int, 3>&in = low_inside ? low : high, &out = low_inside ? high : low;
        const auto end = [&](const std::array<int, 3>& node) {
            return EdgeEnd{field->grid.world(b, {double(node[0]), double(node[1]), double(node[2])}),
                           value(phi, node), wall(node)};
        };
        const EdgeCrossing crossing =
            clip ? find_crossing(*field, end(in), end(out), level, margins)
                 : EdgeCrossing{
                       kept_clear(surface_crossing(value(phi, in), value(phi, out), level), margins.surface),
                       false};
        if (clip) contact[vertex] = crossing.on_wall ? WallContact::wall : WallContact::none;
        const float t = crossing.t;
        const double along = low_inside ? t : 1 - double{t};
        vertices[vertex] =
            to_float(field->grid.world(b, {low[0] + sx * along, low[1] + sy * along, low[2] + sz * along}));
        if (!with_normals) return;
        const Halo& cut = crossing.on_wall ? *clip : phi;
        const Vec3f gradient =
            (1 - t) * cut.gradient(in[0], in[1], in[2]) + t * cut.gradient(out[0], out[1], out[2]);
        const float length = norm(gradient);
        const float side = low_inside ? 1.f : -1.f;
        normals[vertex] =
            length > 0 && std::isfinite(length)
                ? gradient / length
                : side * Vec3f{static_cast<float>(sx), static_cast<float>(sy), static_cast<float>(sz)};
    }

    /// Seen from above a liquid goes on level to its rim.
    void place_rim(const RimVertex& rim, WallContact kind, Index vertex) const {
        vertices[vertex] = to_float(rim.x);
        contact[vertex] = rim.free ? kind : WallContact::wall;
        if (!with_normals) return;
        const Vec3d sum = rim.normal[0] + rim.normal[1];
        normals[vertex] = to_float(rim.free || !(norm(sum) > 0) ? rim.normal[0] : sum / norm(sum));
    }
};

struct PlaceTriangles {
    const BlockGrid* grid;
    View<const BlockMask> masks;
    RimReader rims;
    View<const Index> first_vertex, first_triangle;
    View<SurfaceMesh::Corners> triangles;

    void operator()(Index b) const {
        if (masks[b].triangles == 0) return;
        Index triangle = first_triangle[b];
        Index center = first_vertex[b] + masks[b].edges;  // behind the vertices on faces
        if (!rims.rims.empty()) center += static_cast<Index>(rims.rims[b].corners.size());
        InsideRows({grid, masks}, b).for_each_cell([&](int x, int y, int z, unsigned inside) {
            if (const unsigned faces = rims.faces(b, x, y, z); faces != 0) {
                for_each_polygon(
                    inside, [&](int face) { return (faces >> face & 1u) != 0; },
                    [&](const RimPolygon& polygon) { fill(polygon, b, x, y, z, center, triangle); });
                return;
            }
            const MarchingCubesTable::Case& cell = marching_cubes_table.cases[inside];
            for (int k = 0; k < cell.count; ++k, ++triangle)
                for (std::size_t c = 0; c < 3; ++c)
                    triangles[triangle][c] = vertex(b, x, y, z, cell.triangles[k][c]);
        });
    }

    void fill(const RimPolygon& polygon, Index b, int x, int y, int z, Index& center, Index& triangle) const {
        if (polygon.rims == 0) {
            marching_cubes_detail::Polygon plain;
            for (int k = 0; k < polygon.size; ++k)
                plain.edges[static_cast<std::size_t>(plain.size++)] = polygon[k].edge;
            const MarchingCubesTable::Case cut =
                marching_cubes_detail::triangulate(plain, 0, plain.size - 1).triangles;
            for (int k = 0; k < cut.count; ++k, ++triangle)
                for (std::size_t c = 0; c < 3; ++c)
                    triangles[triangle][c] =
                        vertex(b, x, y, z, cut.triangles[static_cast<std::size_t>(k)][c]);
            return;
        }
        const auto corner = [&](int k) {
            const RimPolygon::Corner& at = polygon[k];
            if (at.face < 0) return vertex(b, x, y, z, at.edge);
            const RimReader::Face face = rims.at(b, x, y, z, at.face);
            return first_vertex[face.block] + masks[face.block].edges + rims.number(face);
        };
        const bool about_center = polygon.has_center();
        const int start = polygon.first_rim;
        const Index apex = about_center ? center++ : corner(start);
        for (int k = 0; k < polygon.triangles(); ++k, ++triangle) {
            const int side = start + k + (about_center ? 0 : 1);
            triangles[triangle] = {apex, corner(side), corner(side + 1)};
        }
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

/// How close to the end of an edge a vertex may be, in cells: positions are rounded to single precision, and
/// must stay apart.
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

    const CrossingMargins margins{margin_of(grid, 1.0 / 256), margin_of(grid, 1.0 / 4096)};
    std::vector<BlockRims> rims;
    const MaskReader read{&grid, masks};
    if (!field.clip.empty()) {
        rims.resize(n);
        launch<small_grain>(device, n, FindRims{&field, level, margins, read, rims});
        launch<small_grain>(device, n, FindCenters{&field, margins, {&grid, rims}, rims, masks});
    }

    Polygonisation out;
    out.first_vertex = running_sum(n, [&](Index b) { return masks[b].vertices; });
    const std::vector<Index> first_triangle = running_sum(n, [&](Index b) { return masks[b].triangles; });
    SurfaceMesh& mesh = out.mesh;
    mesh.vertices.resize(out.first_vertex[n]);
    if (normals) mesh.normals.resize(mesh.vertices.size());
    mesh.triangles.resize(first_triangle[n]);
    if (!field.clip.empty()) out.contact.resize(mesh.vertices.size());
    launch<small_grain>(device, n,
                        PlaceVertices{&field, level, margins, normals, masks, rims, out.first_vertex,
                                      mesh.vertices, mesh.normals, out.contact});
    launch<small_grain>(
        device, n,
        PlaceTriangles{&grid, masks, {&grid, rims}, out.first_vertex, first_triangle, mesh.triangles});
    return out;
}

}  // namespace thixo
