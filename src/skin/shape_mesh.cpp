#include "skin/shape_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "geometry/layer.h"
#include "geometry/mesh_distance.h"

namespace thixo {

namespace {

using Uv = std::array<float, 2>;

Uv uv(double u, double v) { return {static_cast<float>(u), static_cast<float>(v)}; }

/// Vertices are written once for each triangle, with the same digits where they are the same; closed_mesh
/// joins them.
class Soup {
public:
    struct Corner {
        Vec3d x;
        Uv uv;
    };
    void add(const Corner& a, const Corner& b, const Corner& c) {
        if (a.x == b.x || b.x == c.x || c.x == a.x) return;
        const auto first = static_cast<std::uint32_t>(mesh_.vertices.size());
        for (const Corner* corner : {&a, &b, &c}) mesh_.vertices.push_back(corner->x);
        mesh_.triangles.push_back({first, first + 1, first + 2});
        mesh_.texture.push_back({a.uv, b.uv, c.uv});
    }
    /// Counter-clockwise seen from outside.
    void add(const Corner& a, const Corner& b, const Corner& c, const Corner& d) {
        add(a, b, c);
        add(a, c, d);
    }
    TriangleMesh take() { return closed_mesh(std::move(mesh_)); }

private:
    TriangleMesh mesh_;
};

int pieces(double length, double edge) {
    return std::max(1, static_cast<int>(std::ceil(length / edge - 1e-9)));
}

double& axis_of(Vec3d& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/// Turns y into the direction, which has unit length.
struct Frame {
    Vec3d x, y, z;
    explicit Frame(const Vec3d& direction) : y(direction) {
        const Vec3d other = std::abs(direction.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 0, 1};
        z = normalized(cross(other, y));
        x = cross(y, z);
    }
    Vec3d apply(const Vec3d& v) const { return v.x * x + v.y * y + v.z * z; }
};

void move(TriangleMesh& mesh, const Frame& frame, const Vec3d& to) {
    for (Vec3d& x : mesh.vertices) x = to + frame.apply(x);
}

/// From the south pole of a ball to its north pole; `gap` is what lies between its halves.
std::vector<ProfilePoint> ball_profile(double radius, double gap, double edge) {
    const int n = 2 * pieces(0.5 * std::numbers::pi * radius, edge);
    const double length = std::numbers::pi * radius + gap;
    std::vector<ProfilePoint> profile;
    for (int k = 0; k <= n; ++k) {
        const double angle = std::numbers::pi * (static_cast<double>(k) / n - 0.5);
        const double y = radius * std::sin(angle), r = k == 0 || k == n ? 0 : radius * std::cos(angle);
        const double along = radius * std::numbers::pi * k / n;
        if (2 * k <= n) profile.push_back({r, y - 0.5 * gap, along / length});
        if (2 * k == n && gap > 0) {
            const int rings = pieces(gap, edge);
            for (int i = 1; i < rings; ++i)
                profile.push_back(
                    {r, gap * (static_cast<double>(i) / rings - 0.5), (along + gap * i / rings) / length});
            profile.push_back({r, y + 0.5 * gap, (along + gap) / length});
        }
        if (2 * k > n) profile.push_back({r, y + 0.5 * gap, (along + gap) / length});
    }
    return profile;
}

TriangleMesh mesh_of(const Box& box, double edge, double) { return box_surface(box, edge); }

TriangleMesh mesh_of(const Sphere& ball, double edge, double) {
    TriangleMesh mesh = surface_of_revolution(ball_profile(ball.radius, 0, edge), edge);
    for (Vec3d& x : mesh.vertices) x += ball.center;
    return mesh;
}

TriangleMesh mesh_of(const Ellipsoid& ellipsoid, double edge, double) {
    const Vec3d& r = ellipsoid.radii;
    TriangleMesh mesh = surface_of_revolution(ball_profile(1, 0, edge / std::max({r.x, r.y, r.z})),
                                              edge / std::max({r.x, r.y, r.z}));
    for (Vec3d& x : mesh.vertices) x = ellipsoid.center + Vec3d{r.x * x.x, r.y * x.y, r.z * x.z};
    return mesh;
}

TriangleMesh mesh_of(const Cylinder& cylinder, double edge, double) {
    const Vec3d axis = cylinder.to - cylinder.from;
    const double length = norm(axis), radius = cylinder.radius;
    const int rings = pieces(radius, edge), along = pieces(length, edge);
    // The ends take a quarter of the texture each.
    std::vector<ProfilePoint> profile;
    for (int k = 0; k < rings; ++k) profile.push_back({radius * k / rings, 0, 0.25 * k / rings});
    for (int k = 0; k <= along; ++k) profile.push_back({radius, length * k / along, 0.25 + 0.5 * k / along});
    for (int k = rings - 1; k >= 0; --k)
        profile.push_back({radius * k / rings, length, 1 - 0.25 * k / rings});
    TriangleMesh mesh = surface_of_revolution(profile, edge);
    move(mesh, Frame(axis / length), cylinder.from);
    return mesh;
}

TriangleMesh mesh_of(const Capsule& capsule, double edge, double) {
    const Vec3d axis = capsule.to - capsule.from;
    const double length = norm(axis);
    TriangleMesh mesh = surface_of_revolution(ball_profile(capsule.radius, length, edge), edge);
    move(mesh, Frame(axis / length), 0.5 * (capsule.from + capsule.to));
    return mesh;
}

TriangleMesh mesh_of(const Torus& torus, double edge, double) {
    const int n = std::max(6, pieces(2 * std::numbers::pi * torus.minor_radius, edge));
    std::vector<ProfilePoint> profile;
    for (int k = 0; k <= n; ++k) {
        const double angle = 2 * std::numbers::pi * (k % n) / n;
        profile.push_back({torus.major_radius + torus.minor_radius * std::cos(angle),
                           torus.minor_radius * std::sin(angle), static_cast<double>(k) / n});
    }
    TriangleMesh mesh = surface_of_revolution(profile, edge);
    move(mesh, Frame(normalized(torus.axis)), torus.center);
    return mesh;
}

TriangleMesh mesh_of(const Mesh& mesh, double edge, double) {
    TriangleMesh out = mesh.distance->mesh();
    refine(out, 2 * edge);
    return out;
}

Layer fitting_layer(const Sombrero& sheet, double edge) {
    return tessellated(sheet, std::clamp(pieces(sheet.size, edge), 16, 256));
}
Layer fitting_layer(const HeightSheet& sheet, double edge) {
    const Vec3d size = sheet.max - sheet.min;
    return tessellated(sheet, std::clamp(pieces(std::max(size.x, size.z), edge), 16, 256));
}
template <LayerKind Kind>
Layer fitting_layer(const Kind& kind, double) {
    return layer_of(kind);
}

template <LayerKind Kind>
TriangleMesh mesh_of(const Kind& kind, double edge, double thickness) {
    const Layer layer = fitting_layer(kind, edge);
    if (const auto* rod = std::get_if<Polyline>(&layer)) {
        TriangleMesh mesh = tube(*rod, 0.5 * thickness);
        refine(mesh, 2 * edge);
        return mesh;
    }
    TriangleMesh sheet = std::get<TriangleMesh>(layer);
    refine(sheet, 2 * edge);
    if constexpr (std::same_as<Kind, RectangleSheet>) thickness *= kind.layers;
    return thick_sheet(sheet, thickness);
}

}  // namespace

TriangleMesh box_surface(const Box& box, double edge) {
    Soup soup;
    const Vec3d size = box.max - box.min;
    for (int axis = 0; axis < 3; ++axis) {
        const int a = (axis + 1) % 3, b = (axis + 2) % 3;
        Vec3d s = size;
        const int na = pieces(axis_of(s, a), edge), nb = pieces(axis_of(s, b), edge);
        for (int side = 0; side < 2; ++side) {
            // Faces +x, +y, +z in the upper row of the texture, −x, −y, −z in the lower one.
            const auto corner = [&](int i, int k) {
                Vec3d x = side == 1 ? box.max : box.min, low = box.min, high = box.max;
                const auto at = [](double from, double to, int j, int n) {
                    return j == n ? to : from + (to - from) * j / n;
                };
                axis_of(x, a) = at(axis_of(low, a), axis_of(high, a), i, na);
                axis_of(x, b) = at(axis_of(low, b), axis_of(high, b), k, nb);
                return Soup::Corner{x, uv((axis + static_cast<double>(i) / na) / 3,
                                          0.5 * (side + static_cast<double>(k) / nb))};
            };
            for (int i = 0; i < na; ++i)
                for (int k = 0; k < nb; ++k) {
                    if (side == 1)
                        soup.add(corner(i, k), corner(i + 1, k), corner(i + 1, k + 1), corner(i, k + 1));
                    else
                        soup.add(corner(i, k), corner(i, k + 1), corner(i + 1, k + 1), corner(i + 1, k));
                }
        }
    }
    return soup.take();
}

TriangleMesh surface_of_revolution(const std::vector<ProfilePoint>& profile, double edge) {
    double widest = 0;
    for (const ProfilePoint& p : profile) widest = std::max(widest, p.r);
    const int n = std::max(8, pieces(2 * std::numbers::pi * widest, edge));
    const auto corner = [&](const ProfilePoint& p, int k) {
        const double angle = 2 * std::numbers::pi * (k % n) / n;
        const Vec3d x =
            p.r == 0 ? Vec3d{0, p.y, 0} : Vec3d{p.r * std::cos(angle), p.y, -p.r * std::sin(angle)};
        return Soup::Corner{x, uv(static_cast<double>(k) / n, p.v)};
    };
    Soup soup;
    for (std::size_t i = 0; i + 1 < profile.size(); ++i)
        for (int k = 0; k < n; ++k)
            soup.add(corner(profile[i], k), corner(profile[i], k + 1), corner(profile[i + 1], k + 1),
                     corner(profile[i + 1], k));
    return soup.take();
}

void refine(TriangleMesh& mesh, double longest) {
    constexpr std::size_t most_triangles = 4'000'000;
    const double limit2 = longest * longest;
    for (bool split = true; split && mesh.triangles.size() < most_triangles;) {
        split = false;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middle;
        const auto half = [&](std::uint32_t a, std::uint32_t b) -> std::uint32_t {
            if (a > b) std::swap(a, b);
            if (!(norm2(mesh.vertices[b] - mesh.vertices[a]) > limit2)) return ~0u;
            const auto [entry, added] =
                middle.try_emplace({a, b}, static_cast<std::uint32_t>(mesh.vertices.size()));
            if (added) mesh.vertices.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
            return entry->second;
        };
        TriangleMesh out;
        const bool textured = !mesh.texture.empty();
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            const TriangleMesh::Corners c = mesh.triangles[t];
            TriangleMesh::TextureCorners w{};
            if (textured) w = mesh.texture[t];
            std::uint32_t m[3];
            Uv wm[3];
            int cuts = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                const std::size_t l = (k + 1) % 3;
                m[k] = half(c[k], c[l]);
                wm[k] = {0.5f * (w[k][0] + w[l][0]), 0.5f * (w[k][1] + w[l][1])};
                cuts += m[k] != ~0u ? 1 : 0;
            }
            const auto add = [&](std::uint32_t i, std::uint32_t j, std::uint32_t k, const Uv& wi,
                                 const Uv& wj, const Uv& wk) {
                out.triangles.push_back({i, j, k});
                if (textured) out.texture.push_back({wi, wj, wk});
            };
            split = split || cuts > 0;
            if (cuts == 0) {
                add(c[0], c[1], c[2], w[0], w[1], w[2]);
                continue;
            }
            if (cuts == 3) {
                for (std::size_t k = 0; k < 3; ++k)
                    add(c[k], m[k], m[(k + 2) % 3], w[k], wm[k], wm[(k + 2) % 3]);
                add(m[0], m[1], m[2], wm[0], wm[1], wm[2]);
                continue;
            }
            // Turned so that one cut is on the first side, or two on the first and the second.
            std::size_t k = 0;
            while (!(m[k] != ~0u && (cuts == 1 || m[(k + 1) % 3] != ~0u))) ++k;
            const std::size_t l = (k + 1) % 3, o = (k + 2) % 3;
            add(c[k], m[k], c[o], w[k], wm[k], w[o]);
            if (cuts == 1) {
                add(m[k], c[l], c[o], wm[k], w[l], w[o]);
                continue;
            }
            add(m[k], c[l], m[l], wm[k], w[l], wm[l]);
            add(m[k], m[l], c[o], wm[k], wm[l], w[o]);
        }
        mesh.triangles = std::move(out.triangles);
        mesh.texture = std::move(out.texture);
    }
}

TriangleMesh shape_mesh(const Device& device, const Shape& shape, double edge, double thickness) {
    const double scale = shape.placement.scale;
    TriangleMesh mesh = std::visit(
        [&]<class Kind>(const Kind& kind) {
            if constexpr (requires { mesh_of(kind, edge, thickness); })
                return mesh_of(kind, edge / scale, thickness / scale);
            else
                return feature_surface(device, Shape(kind), edge / scale);
        },
        shape.kind);
    for (Vec3d& x : mesh.vertices) x = shape.placement.to_world(x);
    return mesh;
}

}  // namespace thixo
