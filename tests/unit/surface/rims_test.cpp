#include "surface/rims.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "clouds.h"
#include "surface/polygonise.h"
#include "surface/smooth.h"

using namespace thixo;

namespace {

constexpr double pi = std::numbers::pi;

/// Matter where f < 0 in the cube |x| < 1, without what is behind the obstacles.
template <class Function>
SurfaceField clipped_field(double cell, const std::vector<SurfaceObstacle>& obstacles, const Function& f) {
    const int n = static_cast<int>(std::ceil(1.3 / cell / 8));
    std::vector<BlockPlace> places;
    for (int z = -n; z < n; ++z)
        for (int y = -n; y < n; ++y)
            for (int x = -n; x < n; ++x) places.push_back({x, y, z});
    SurfaceField field{.grid = BlockGrid({1}, cell, places),
                       .values = {},
                       .outside = 9,
                       .inside = -9,
                       .clip = {},
                       .clip_block = {},
                       .walls = {}};
    for (Index b = 0; b < field.grid.size(); ++b)
        for (int node = 0; node < block_nodes; ++node)
            field.values.push_back(static_cast<float>(
                f(field.grid.world(b, {double(node % 8), double(node / 8 % 8), double(node / 64)}))));
    clip({1}, obstacles, field);
    return field;
}

/// Edges of the mesh from a wall to the free surface: a rim that is cut off.
std::size_t blunt_edges(const Polygonisation& p) {
    std::size_t count = 0;
    for (const SurfaceMesh::Corners& t : p.mesh.triangles)
        for (std::size_t c = 0; c < 3; ++c)
            count += p.contact[t[c]] == WallContact::wall && p.contact[t[(c + 1) % 3]] == WallContact::none;
    return count;
}

Polygonisation made(const SurfaceField& field) {
    Polygonisation p = polygonise({2}, field, 0, true);
    const std::vector<Vec3f> on_grid = p.mesh.vertices;
    meet_walls({2}, field.walls, p.contact, meet_from_grid * field.grid.cell(), p.mesh);
    put_back_turned(p.mesh, p.contact, on_grid, false);
    return p;
}

/// Whether the open segment pq passes through the inside of the triangle, by more than rounding.
bool pierces(const Vec3d& p, const Vec3d& q, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d n = cross(b - a, c - a);
    const double size = norm(n), least = 1e-4 * std::sqrt(size) * size;
    const double sp = dot(n, p - a), sq = dot(n, q - a);
    if (sp * sq >= 0 || std::abs(sp) < least || std::abs(sq) < least) return false;
    const Vec3d x = p + (sp / (sp - sq)) * (q - p);
    const auto inner = [&](const Vec3d& from, const Vec3d& to) {
        return dot(cross(to - from, x - from), n) > 1e-4 * size * size;
    };
    return inner(a, b) && inner(b, c) && inner(c, a);
}

/// Sides of triangles that pass through another one.
std::size_t self_intersections(const SurfaceMesh& mesh, double cell) {
    std::map<std::array<int, 3>, std::vector<Index>> cells;
    const auto at = [&](Index v) { return to_double(mesh.vertices[v]); };
    const auto place = [&](const SurfaceMesh::Corners& t) {
        const Vec3d x = (at(t[0]) + at(t[1]) + at(t[2])) / (3 * cell);
        return std::array{int(std::floor(x.x)), int(std::floor(x.y)), int(std::floor(x.z))};
    };
    for (Index t = 0; t < mesh.triangles.size(); ++t) cells[place(mesh.triangles[t])].push_back(t);
    std::size_t count = 0;
    for (const SurfaceMesh::Corners& t : mesh.triangles) {
        const std::array<int, 3> here = place(t);
        for (int k = 0; k < 27; ++k) {
            const auto found =
                cells.find({here[0] + k % 3 - 1, here[1] + k / 3 % 3 - 1, here[2] + k / 9 - 1});
            if (found == cells.end()) continue;
            for (const Index other : found->second) {
                const SurfaceMesh::Corners& u = mesh.triangles[other];
                for (std::size_t c = 0; c < 3; ++c)
                    count += pierces(at(u[c]), at(u[(c + 1) % 3]), at(t[0]), at(t[1]), at(t[2]));
            }
        }
    }
    return count;
}

const SurfaceObstacle glass{.shape = Cylinder{{0, -0.9, 0}, {0, 3, 0}, 0.8}, .inside = true};

}  // namespace

TEST_CASE(
    "water in a glass: its rim is where its surface meets the wall, and area and volume converge to second "
    "order") {
    constexpr double level = 0.137, depth = level + 0.9;
    const double area = 2 * pi * 0.8 * 0.8 + 2 * pi * 0.8 * depth, volume = pi * 0.8 * 0.8 * depth;
    double area_error[2], volume_error[2];
    for (const int fine : {0, 1}) {
        const double cell = fine ? 0.0413 : 0.0826;
        const Polygonisation p =
            made(clipped_field(cell, {glass}, [](const Vec3d& x) { return x.y - level; }));
        CHECK(examine({1}, p.mesh).manifold());
        CHECK(blunt_edges(p) == 0);
        CHECK(self_intersections(p.mesh, cell) == 0);
        std::size_t rims = 0;
        for (std::size_t v = 0; v < p.mesh.vertices.size(); ++v) {
            const Vec3d x = to_double(p.mesh.vertices[v]);
            if (p.contact[v] == WallContact::none) continue;
            CHECK(std::abs(glass.distance(x).distance) < 1e-5);
            if (p.contact[v] != WallContact::rim) continue;
            ++rims;
            CHECK(x.y == doctest::Approx(level).epsilon(1e-5));
            CHECK(std::hypot(x.x, x.z) == doctest::Approx(0.8).epsilon(1e-5));
        }
        CHECK(static_cast<double>(rims) > 2 * pi * 0.8 / cell);  // one on each face that it passes
        const Extents size = extents({1}, p.mesh);
        area_error[fine] = std::abs(size.area / area - 1);
        volume_error[fine] = std::abs(size.volume / volume - 1);
    }
    MESSAGE("area ", area_error[0], " ", area_error[1], ", volume ", volume_error[0], " ", volume_error[1]);
    // Chords of a circle: 1 − (cell/R)²/8 at most for the area, and the same of the volume's sections.
    for (const double* error : {area_error, volume_error}) {
        CHECK(error[0] < std::pow(0.0826 / 0.8, 2) / 3);
        CHECK(error[1] < std::pow(0.0413 / 0.8, 2) / 3);
    }
}

TEST_CASE("water in a box keeps the edges and corners of its walls, wherever the grid lies") {
    for (const double shift : {0., 0.31, 0.77}) {
        CAPTURE(shift);
        constexpr double cell = 0.1;
        const Vec3d low{-0.7 + shift * cell, -0.5 + 0.6 * shift * cell, -0.6 - 0.9 * shift * cell};
        const Vec3d size{1.3, 0.93, 1.1};
        const SurfaceObstacle tank{.shape = Box{low, {low.x + size.x, 5, low.z + size.z}}, .inside = true};
        const Polygonisation p =
            made(clipped_field(cell, {tank}, [&](const Vec3d& x) { return x.y - low.y - size.y; }));
        const MeshReport report = examine({1}, p.mesh);
        CHECK(report.manifold());
        CHECK(blunt_edges(p) == 0);
        CHECK(self_intersections(p.mesh, cell) == 0);
        CHECK(report.volume == doctest::Approx(size.x * size.y * size.z).epsilon(1e-4));
        CHECK(report.area ==
              doctest::Approx(2 * (size.x * size.y + size.y * size.z + size.z * size.x)).epsilon(1e-4));
    }
}

TEST_CASE("a stone half in the pool: nothing of the water is within it") {
    const SurfaceObstacle tank{.shape = Box{{-1, -0.8, -1}, {1, 5, 1}}, .inside = true};
    const SurfaceObstacle stones[] = {{.shape = Sphere{{0.1, 0.05, -0.1}, 0.4}},
                                      {.shape = Box{{-0.33, -0.4, -0.31}, {0.42, 0.51, 0.27}}}};
    for (const SurfaceObstacle& stone : stones) {
        const Polygonisation p =
            made(clipped_field(0.0826, {tank, stone}, [](const Vec3d& x) { return x.y - 0.02; }));
        CHECK(examine({1}, p.mesh).manifold());
        CHECK(blunt_edges(p) == 0);
        CHECK(self_intersections(p.mesh, 0.0826) == 0);
        double deepest = 0;
        const auto look = [&](const Vec3d& x) {
            deepest = std::max(deepest, -distance_to({tank, stone}, x).distance);
        };
        for (const SurfaceMesh::Corners& t : p.mesh.triangles) {
            const auto corner = [&](std::size_t c) { return to_double(p.mesh.vertices[t[c]]); };
            look(corner(0));
            look((corner(0) + corner(1) + corner(2)) / 3.0);
            look((corner(0) + corner(1)) / 2.0);
        }
        // Flat triangles on a ball of radius R: edges as long as a cell's diagonal are within it by that
        // squared over 8R. Vertices keep 1/256 of a cell away from nodes.
        CHECK(deepest < (std::holds_alternative<Sphere>(stone.shape.kind) ? 3 * 0.0826 * 0.0826 / (8 * 0.4)
                                                                          : 0.0826 / 256));
    }
}

TEST_CASE("whatever the field is like, surfaces with rims are closed manifolds") {
    std::size_t crossings = 0;
    for (std::uint64_t round = 0; round < 40; ++round) {
        CAPTURE(round);
        const auto random = [&](std::uint64_t k) { return 2 * uniform(100 * round + k) - 1; };
        const SurfaceObstacle tank{
            .shape = Box{{-0.8, -0.7 + 0.1 * random(0), -0.9}, {0.7, 0.8, 0.8 + 0.1 * random(1)}},
            .inside = true};
        const SurfaceObstacle stone{.shape =
                                        Sphere{{random(2), random(3), random(4)}, 0.3 + 0.2 * random(5)}};
        const SurfaceObstacle slope{
            .shape = Plane{{0.5 * random(6), -0.6, 0}, normalized(Vec3d{random(7), 1, random(8)})}};
        // Noise: every case of every cell, or waves as long as a few cells.
        std::uint64_t node = 0;
        const bool noise = round % 2 == 0;
        const SurfaceField field = clipped_field(0.13, {tank, stone, slope}, [&](const Vec3d& x) {
            return noise
                       ? 0.1 * (2 * uniform(round << 32 | node++) - 0.9)
                       : 0.1 * (std::sin(9 * x.x + random(10)) + std::sin(8 * x.y) * std::cos(7 * x.z + x.x));
        });
        const Polygonisation p = made(field);
        if (!noise) {
            CHECK(self_intersections(polygonise({2}, field, 0, true).mesh, 0.13) == 0);
            crossings += self_intersections(p.mesh, 0.13);
        }
        const MeshReport report = examine({1}, p.mesh);
        CHECK(report.triangles > 100);
        CHECK(report.open == 0);
        CHECK(report.degenerate == 0);
        CHECK(report.not_finite == 0);
    }
    MESSAGE("sides that pass through a triangle once walls are met exactly, in 20 meshes: ", crossings);
}

TEST_CASE("smoothing evens out the rim along the wall, and leaves no triangle of the wall turned over") {
    // Waves around the glass, eight cells long. A step multiplies one of wave number k by cos(k d), where
    // vertices are d apart: 0.035 in the mean.
    const SurfaceField field = clipped_field(
        0.05, {glass}, [](const Vec3d& x) { return x.y - 0.01 * std::sin(12 * std::atan2(x.z, x.x)); });
    const auto unevenness = [&](const Polygonisation& p) {
        double sum = 0, count = 0;
        for (std::size_t v = 0; v < p.mesh.vertices.size(); ++v) {
            if (p.contact[v] != WallContact::rim) continue;
            const Vec3d x = to_double(p.mesh.vertices[v]);
            // On the wall; what would have turned a sliver over stays on the wall's tangent, off by
            // (cell)²/8R at most.
            CHECK(std::abs(glass.distance(x).distance) < 0.05 * 0.05 / (8 * 0.8));
            sum += x.y * x.y, ++count;
        }
        return std::sqrt(sum / count);
    };
    Polygonisation p = made(field);
    const double before = unevenness(p);
    const SurfaceMesh raw = p.mesh;
    VertexNotes notes{std::vector<float>(raw.vertices.size(), 13.f), p.contact};
    smooth({2}, p.mesh, triangles_of_vertices(p.mesh), notes, 10);
    meet_walls({2}, field.walls, p.contact, meet_from_chord * 0.05, p.mesh);
    CHECK(before > 0.8 * 0.01 / std::sqrt(2));
    CHECK(unevenness(p) < 0.5 * before);
    CHECK(examine({1}, p.mesh).manifold());
    for (const SurfaceMesh::Corners& t : p.mesh.triangles) {
        if (std::any_of(t.begin(), t.end(), [&](Index v) { return p.contact[v] == WallContact::none; }))
            continue;
        const auto area = [&](const SurfaceMesh& m) {
            return cross(m.vertices[t[1]] - m.vertices[t[0]], m.vertices[t[2]] - m.vertices[t[0]]);
        };
        // Slivers as narrow as the 1/256 of a cell that vertices keep clear of nodes may turn when chords go
        // back to the wall.
        if (norm(area(raw)) > 0.05f * 0.05f / 256) CHECK(dot(area(raw), area(p.mesh)) > 0);
    }
}
