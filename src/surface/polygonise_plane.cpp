#include <array>
#include <cmath>
#include <map>

#include "core/disjoint_sets.h"
#include "surface/outline.h"
#include "surface/rims.h"

namespace thixo {

namespace {

constexpr CrossingMargins margins{1.0f / 256, 1.0f / 4096};

/// The nodes of the plane z = 0.
struct PlaneReader {
    const SurfaceField* field;
    float level;

    struct Node {
        Index block;  ///< `no_block` or `inside_block` where it is not stored
        int x, y;
    };
    /// x and y from −1 to 8.
    Node node(Index b, int x, int y) const {
        const int dx = x < 0 ? -1 : x / block_width, dy = y < 0 ? -1 : y / block_width;
        return {field->grid.neighbour(b, dx, dy, 0), x - block_width * dx, y - block_width * dy};
    }
    float phi(const Node& n) const {
        if (!field->grid.is_stored(n.block)) return n.block == inside_block ? field->inside : field->outside;
        return field->block(n.block)[n.y * block_width + n.x];
    }
    float wall(const Node& n) const {
        const float* clip = field->grid.is_stored(n.block) ? field->clip_of(n.block) : nullptr;
        return clip ? clip[n.y * block_width + n.x] : far_from_walls;
    }
    bool inside(const Node& n) const { return phi(n) < level && wall(n) < 0; }
    Vec3f gradient(Index b, int x, int y, bool of_wall) const {
        const auto at = [&](int i, int j) {
            const Node n = node(b, i, j);
            return of_wall ? wall(n) : phi(n);
        };
        return {at(x + 1, y) - at(x - 1, y), at(x, y + 1) - at(x, y - 1), 0};
    }
};

/// The vertex of each crossed edge: along x and y from each node of each block.
using EdgeVertices = std::vector<std::array<Index, 2 * block_width * block_width>>;

int edge_index(int axis, int x, int y) { return (axis * block_width + y) * block_width + x; }

void place_vertex(const PlaneReader& read, Index b, int x, int y, int axis, Polygonisation& out) {
    const int sx = axis == 0 ? 1 : 0, sy = axis == 1 ? 1 : 0;
    const bool low_inside = read.inside(read.node(b, x, y));
    const auto end = [&](bool high) {
        const int i = x + (high ? sx : 0), j = y + (high ? sy : 0);
        const PlaneReader::Node n = read.node(b, i, j);
        return EdgeEnd{read.field->grid.world(b, {double(i), double(j), 0}), read.phi(n), read.wall(n)};
    };
    const EdgeCrossing c = find_crossing(*read.field, end(!low_inside), end(low_inside), read.level, margins);
    const double along = low_inside ? c.t : 1 - double{c.t};
    out.mesh.vertices.push_back(to_float(read.field->grid.world(b, {x + sx * along, y + sy * along, 0})));
    const Vec3f gradient = read.gradient(b, x, y, c.on_wall);
    const float length = norm(gradient), side = low_inside ? 1.f : -1.f;
    out.mesh.normals.push_back(length > 0 && std::isfinite(length)
                                   ? gradient / length
                                   : Vec3f{axis == 0 ? side : 0, axis == 1 ? side : 0, 0});
    out.contact.push_back(c.on_wall ? WallContact::wall : WallContact::none);
}

/// The vertices in cells, where a wall begins.
using CellVertices = std::map<std::array<Index, 3>, Index>;  // by block, x, y

void place_rims(const PlaneReader& read, Index b, Polygonisation& out, CellVertices& rims) {
    const SurfaceField& field = *read.field;
    if (!field.clip_of(b)) return;
    const Halo phi(field.grid, b, field.outside, field.inside, [&](Index n) { return field.block(n); }),
        clip(field.grid, b, far_from_walls, far_from_walls, [&](Index n) { return field.clip_of(n); });
    for (int y = 0; y < block_width; ++y)
        for (int x = 0; x < block_width; ++x) {
            const std::optional<RimVertex> rim =
                find_rim(field, phi, clip, read.level, margins, b, 2, x, y, 0);
            if (!rim) continue;
            rims[{b, static_cast<Index>(x), static_cast<Index>(y)}] =
                static_cast<Index>(out.mesh.vertices.size());
            out.mesh.vertices.push_back(to_float(rim->x));
            const Vec3d n{rim->normal[0].x, rim->normal[0].y, 0};
            out.mesh.normals.push_back(norm(n) > 0 ? to_float(n / norm(n)) : Vec3f{0, 1, 0});
            out.contact.push_back(rim->free ? WallContact::rim : WallContact::wall);
        }
}

/// On the outline of a cell, counter-clockwise, each run of corners that are inside is cut off by one
/// segment, or by two about the vertex of a rim.
void place_edges(const PlaneReader& read, const EdgeVertices& vertices, const CellVertices& rims, Index b,
                 int x, int y, std::vector<SurfaceMesh::Ends>& edges) {
    constexpr int corner_x[4] = {0, 1, 1, 0}, corner_y[4] = {0, 0, 1, 1};
    bool inside[4];
    for (int k = 0; k < 4; ++k) inside[k] = read.inside(read.node(b, x + corner_x[k], y + corner_y[k]));
    // The side between corners k and k + 1.
    const auto vertex = [&](int k) {
        constexpr int side_x[4] = {0, 1, 0, 0}, side_y[4] = {0, 0, 1, 0}, side_axis[4] = {0, 1, 0, 1};
        const PlaneReader::Node n = read.node(b, x + side_x[k], y + side_y[k]);
        return vertices[n.block][static_cast<std::size_t>(edge_index(side_axis[k], n.x, n.y))];
    };
    const auto rim = rims.find({b, static_cast<Index>(x), static_cast<Index>(y)});
    for (int k = 0; k < 4; ++k) {
        if (inside[k] || !inside[(k + 1) % 4]) continue;
        int last = k + 1;
        while (inside[(last + 1) % 4]) ++last;
        if (rim == rims.end()) {
            edges.push_back({vertex(last % 4), vertex(k)});
        } else {
            edges.push_back({vertex(last % 4), rim->second});
            edges.push_back({rim->second, vertex(k)});
        }
    }
}

}  // namespace

Polygonisation polygonise_plane(const SurfaceField& field, float level) {
    const BlockGrid& grid = field.grid;
    const PlaneReader read{&field, level};
    Polygonisation out;
    EdgeVertices vertices(grid.size());
    CellVertices rims;
    for (Index b = 0; b < grid.size(); ++b) {
        out.first_vertex.push_back(static_cast<Index>(out.mesh.vertices.size()));
        if (grid.place(b).z != 0) continue;
        for (int axis = 0; axis < 2; ++axis)
            for (int y = 0; y < block_width; ++y)
                for (int x = 0; x < block_width; ++x) {
                    if (read.inside(read.node(b, x, y)) ==
                        read.inside(read.node(b, x + (axis == 0 ? 1 : 0), y + (axis == 1 ? 1 : 0))))
                        continue;
                    vertices[b][static_cast<std::size_t>(edge_index(axis, x, y))] =
                        static_cast<Index>(out.mesh.vertices.size());
                    place_vertex(read, b, x, y, axis, out);
                }
        place_rims(read, b, out, rims);
    }
    out.first_vertex.push_back(static_cast<Index>(out.mesh.vertices.size()));
    for (Index b = 0; b < grid.size(); ++b)
        if (grid.place(b).z == 0)
            for (int y = 0; y < block_width; ++y)
                for (int x = 0; x < block_width; ++x)
                    place_edges(read, vertices, rims, b, x, y, out.mesh.edges);
    return out;
}

Extents outline_extents(const SurfaceMesh& outline) {
    if (outline.vertices.empty()) return {};
    const Vec3d apex = to_double(outline.vertices.front());
    Extents sum;
    for (const SurfaceMesh::Ends& edge : outline.edges) {
        const Vec3d a = to_double(outline.vertices[edge[0]]) - apex,
                    b = to_double(outline.vertices[edge[1]]) - apex;
        sum.volume += 0.5 * (a.x * b.y - a.y * b.x);
        sum.area += norm(b - a);
    }
    return sum;
}

MeshReport examine_outline(const SurfaceMesh& outline) {
    MeshReport report;
    report.vertices = outline.vertices.size();
    const Extents size = outline_extents(outline);
    report.volume = size.volume;
    report.area = size.area;
    std::vector<std::uint8_t> begins(report.vertices), ends(report.vertices);
    DisjointSets sets(report.vertices);
    const auto count = [](std::uint8_t& times) { times = static_cast<std::uint8_t>(std::min(times + 1, 2)); };
    for (const SurfaceMesh::Ends& edge : outline.edges) {
        count(begins[edge[0]]);
        count(ends[edge[1]]);
        sets.join(edge[0], edge[1]);
        report.degenerate +=
            norm2(to_double(outline.vertices[edge[1]]) - to_double(outline.vertices[edge[0]])) > 0 ? 0 : 1;
    }
    for (Index v = 0; v < report.vertices; ++v) {
        report.open += begins[v] == 1 && ends[v] == 1 ? 0 : 1;
        report.not_finite += is_finite(outline.vertices[v]) ? 0 : 1;
        report.components += sets.find(v) == v ? 1 : 0;
    }
    return report;
}

}  // namespace thixo
