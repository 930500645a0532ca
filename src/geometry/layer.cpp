#include "geometry/layer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/height_surface.h"

namespace thixo {

namespace {

constexpr int most_cells = 256;

/// The surface y = height(x, z) over a rectangle of at most `cells` cells along its longer side.
template <class Height>
TriangleMesh tessellate(double min_x, double max_x, double min_z, double max_z, int cells,
                        const Height& height) {
    const double width = max_x - min_x, depth = max_z - min_z, cell = std::max(width, depth) / cells;
    const auto nx = static_cast<std::uint32_t>(std::max(1.0, std::ceil(width / cell - 1e-9)));
    const auto nz = static_cast<std::uint32_t>(std::max(1.0, std::ceil(depth / cell - 1e-9)));
    TriangleMesh mesh;
    for (std::uint32_t k = 0; k <= nz; ++k) {
        for (std::uint32_t i = 0; i <= nx; ++i) {
            const double x = min_x + width * i / nx, z = min_z + depth * k / nz;
            mesh.vertices.push_back({x, height(x, z), z});
        }
    }
    for (std::uint32_t k = 0; k < nz; ++k) {
        for (std::uint32_t i = 0; i < nx; ++i) {
            const std::uint32_t a = k * (nx + 1) + i, b = a + 1, c = a + nx + 1, d = c + 1;
            mesh.triangles.push_back({a, c, b});
            mesh.triangles.push_back({b, c, d});
        }
    }
    return mesh;
}

double sinc(double x) { return x == 0 ? 1 : std::sin(x) / x; }

/// Point of a Catmull-Rom spline between p1 and p2 at the parameter u, 0 to 1.
Vec3d catmull_rom(const Vec3d& p0, const Vec3d& p1, const Vec3d& p2, const Vec3d& p3, double u) {
    const Vec3d a = 2. * p1, b = p2 - p0, c = 2. * p0 - 5. * p1 + 4. * p2 - p3,
                d = 3. * p1 - 3. * p2 + p3 - p0;
    return 0.5 * (a + u * (b + u * (c + u * d)));
}

/// Spans of the spline cut into segments; an open one is extended straight beyond its ends.
std::vector<Vec3d> smoothed(const Curve& curve) {
    constexpr int segments = 64;
    const auto& p = curve.points;
    const auto count = static_cast<long>(p.size()), spans = curve.closed ? count : count - 1;
    const auto at = [&](long k) {
        if (curve.closed) return p[static_cast<std::size_t>((k + count) % count)];
        if (k < 0) return 2. * p[0] - p[1];
        if (k >= count) return 2. * p.back() - p[p.size() - 2];
        return p[static_cast<std::size_t>(k)];
    };
    std::vector<Vec3d> points;
    for (long k = 0; k < spans; ++k)
        for (int i = 0; i < segments; ++i)
            points.push_back(
                catmull_rom(at(k - 1), at(k), at(k + 1), at(k + 2), static_cast<double>(i) / segments));
    if (!curve.closed) points.push_back(p.back());
    return points;
}

/// Length of the way to each point; of a closed rod one more, back to the first.
std::vector<double> lengths_to(const Polyline& rod) {
    std::vector<double> lengths{0};
    const std::size_t count = rod.points.size(), segments = rod.closed ? count : count - 1;
    for (std::size_t k = 0; k < segments; ++k)
        lengths.push_back(lengths.back() + norm(rod.points[(k + 1) % count] - rod.points[k]));
    return lengths;
}

}  // namespace

Layer layer_of(const RectangleSheet& sheet) {
    const Vec3d& c = sheet.center;
    return tessellate(c.x - 0.5 * sheet.width, c.x + 0.5 * sheet.width, c.z - 0.5 * sheet.depth,
                      c.z + 0.5 * sheet.depth, 1, [&](double, double) { return c.y; });
}

Layer layer_of(const DiscSheet& sheet) {
    // Squares around the centre become circles, and areas stay in proportion.
    // [Shirley & Chiu 1997, A low distortion map between disk and square]
    TriangleMesh mesh = tessellate(-1, 1, -1, 1, 64, [](double, double) { return 0.0; });
    for (Vec3d& x : mesh.vertices) {
        const bool along_x = std::abs(x.x) > std::abs(x.z);
        const double r = along_x ? x.x : x.z, across = along_x ? x.z : x.x;
        const double angle = r == 0 ? 0 : std::numbers::pi / 4 * across / r;
        const Vec3d on_axis{std::cos(angle), 0, std::sin(angle)};
        x = sheet.center + sheet.radius * r * (along_x ? on_axis : Vec3d{on_axis.z, 0, on_axis.x});
    }
    return mesh;
}

TriangleMesh tessellated(const Sombrero& sheet, int cells) {
    const Vec3d& c = sheet.center;
    const double half = 0.5 * sheet.size, wave_number = 2 * std::numbers::pi * sheet.waves / sheet.size;
    return tessellate(c.x - half, c.x + half, c.z - half, c.z + half, cells, [&](double x, double z) {
        return c.y + sheet.height * sinc(wave_number * std::hypot(x - c.x, z - c.z));
    });
}

TriangleMesh tessellated(const HeightSheet& sheet, int cells) {
    return tessellate(sheet.min.x, sheet.max.x, sheet.min.z, sheet.max.z, cells,
                      [&](double x, double z) { return sheet.surface->height(x, z); });
}

Layer layer_of(const Sombrero& sheet) { return tessellated(sheet, most_cells); }
Layer layer_of(const HeightSheet& sheet) { return tessellated(sheet, most_cells); }

Layer layer_of(const MeshSurface& sheet) { return *sheet.mesh; }

Layer layer_of(const Curve& curve) {
    return Polyline{curve.smooth ? smoothed(curve) : curve.points, curve.closed};
}

Layer layer_of(const Helix& helix) {
    const auto segments = static_cast<int>(std::ceil(most_cells * helix.turns));
    Polyline rod;
    for (int k = 0; k <= segments; ++k) {
        const double turn = helix.turns * k / segments, angle = 2 * std::numbers::pi * turn;
        rod.points.push_back(helix.center + Vec3d{helix.radius * std::cos(angle), helix.pitch * turn,
                                                  -helix.radius * std::sin(angle)});
    }
    return rod;
}

bool is_sheet(const Shape& shape) {
    return std::visit([]<class Kind>(const Kind&) { return is_alternative<Kind, SheetKind>; }, shape.kind);
}

bool is_rod(const Shape& shape) {
    return std::visit([]<class Kind>(const Kind&) { return is_alternative<Kind, RodKind>; }, shape.kind);
}

Layer layer_of(const Shape& shape) {
    Layer layer;
    std::visit(
        [&]<class Kind>(const Kind& kind) {
            if constexpr (LayerKind<Kind>) layer = layer_of(kind);
        },
        shape.kind);
    const auto place = [&](std::vector<Vec3d>& points) {
        for (Vec3d& x : points) x = shape.placement.to_world(x);
    };
    if (auto* mesh = std::get_if<TriangleMesh>(&layer)) place(mesh->vertices);
    if (auto* rod = std::get_if<Polyline>(&layer)) place(rod->points);
    return layer;
}

const std::vector<Vec3d>& points_of(const Layer& layer) {
    const auto* mesh = std::get_if<TriangleMesh>(&layer);
    return mesh ? mesh->vertices : std::get<Polyline>(layer).points;
}

double measure(const Layer& layer) {
    if (const auto* rod = std::get_if<Polyline>(&layer)) return lengths_to(*rod).back();
    const auto& mesh = std::get<TriangleMesh>(layer);
    double sum = 0;
    for (const TriangleMesh::Corners& t : mesh.triangles) sum += area(mesh, t);
    return sum;
}

std::vector<Vec3d> points_along(const Polyline& rod, const std::vector<double>& lengths) {
    const std::vector<double> to = lengths_to(rod);
    const std::size_t count = rod.points.size();
    std::vector<Vec3d> points;
    std::size_t k = 0;
    for (const double s : lengths) {
        while (k + 2 < to.size() && to[k + 1] < s) ++k;
        const double length = to[k + 1] - to[k], fraction = length > 0 ? (s - to[k]) / length : 0;
        points.push_back(rod.points[k] + fraction * (rod.points[(k + 1) % count] - rod.points[k]));
    }
    return points;
}

}  // namespace thixo
