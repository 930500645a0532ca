#include "surface/rims.h"

#include <cmath>

namespace thixo {

namespace {

/// Walls whose normals differ by less than 45° are one: curved walls have no edges.
constexpr double least_edge_cosine = 0.7;

/// Gradients of the wall's distance on the grid that differ by less than 8° are not worth a closer look.
constexpr float same_gradient_cosine = 0.99f;

/// Where an edge reaches a wall, from its inside end. On the grid the distance is linear only where the wall
/// is flat and far from its edges; the root of the distance itself is bracketed by the ends (Illinois
/// method).
float wall_crossing(const SurfaceField& field, const EdgeEnd& in, const EdgeEnd& out) {
    if (!(out.clip >= 0)) return 1;
    const double enough = 1e-5 * field.grid.cell();
    double a = 0, b = 1, fa = in.clip, fb = out.clip, t = fa / (fa - fb);
    constexpr int most_rounds = 12;
    for (int round = 0; round < most_rounds; ++round) {
        const double f = -distance_to(field.walls, in.x + t * (out.x - in.x)).distance;
        if (std::abs(f) < enough) break;
        if (f < 0) {
            a = t, fa = f;
            fb *= round > 0 ? 0.5 : 1;
        } else {
            b = t, fb = f;
            fa *= round > 0 ? 0.5 : 1;
        }
        const double next = (a * fb - b * fa) / (fb - fa);
        if (!(next > a && next < b)) break;
        t = next;
    }
    return static_cast<float>(t);
}

double component(const Vec3d& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/// A point in a face, in cells from its lowest node.
struct InFace {
    double u = 0, v = 0;

    friend InFace operator+(const InFace& a, const InFace& b) { return {a.u + b.u, a.v + b.v}; }
    friend InFace operator-(const InFace& a, const InFace& b) { return {a.u - b.u, a.v - b.v}; }
    friend InFace operator*(double s, const InFace& a) { return {s * a.u, s * a.v}; }
    friend double inner(const InFace& a, const InFace& b) { return a.u * b.u + a.v * b.v; }
};

/// A face of a cell of which two edges are crossed.
class RimFace {
public:
    RimFace(const SurfaceField& field, const Halo& phi, const Halo& clip, float level,
            const CrossingMargins& margins, Index b, int axis, int x, int y, int z)
        : field_(field), phi_(phi), clip_(clip), level_(level), margins_(margins), block_(b), axis_(axis) {
        node_[0] = {x, y, z};
        for (std::size_t k = 1; k < 4; ++k) {
            node_[k] = node_[0];
            if (k < 3) ++node_[k][static_cast<std::size_t>(u())];
            if (k > 1) ++node_[k][static_cast<std::size_t>(v())];
        }
    }

    std::optional<RimVertex> rim() {
        find_crossings();
        if (count_ != 2) return std::nullopt;
        if (!crossed_[0].on_wall && !crossed_[1].on_wall) return std::nullopt;
        if (crossed_[0].on_wall != crossed_[1].on_wall) return surface_meets_wall();
        return wall_meets_wall();
    }

private:
    struct Crossed {
        InFace at, outwards;  ///< and the direction of its edge
        bool on_wall = false;
        Vec3f gradient;  ///< of what was crossed
    };
    struct Wall {
        InFace point;
        Vec3d normal;  ///< towards the wall
        InFace in_face;
    };

    int u() const { return (axis_ + 1) % 3; }
    int v() const { return (axis_ + 2) % 3; }
    static InFace corner(std::size_t k) { return {k == 1 || k == 2 ? 1. : 0., k >= 2 ? 1. : 0.}; }
    float value(const Halo& h, std::size_t k) const { return h.at(node_[k][0], node_[k][1], node_[k][2]); }
    EdgeEnd end(std::size_t k) const { return {world(corner(k)), value(phi_, k), value(clip_, k)}; }
    bool inside(std::size_t k) const { return value(phi_, k) < level_ && !(value(clip_, k) >= 0); }

    void find_crossings() {
        for (std::size_t k = 0; k < 4; ++k) {
            const std::size_t next = (k + 1) % 4;
            if (inside(k) == inside(next)) continue;
            const std::size_t in = inside(k) ? k : next, out = inside(k) ? next : k;
            const EdgeCrossing c = find_crossing(field_, end(in), end(out), level_, margins_);
            if (count_ < 2) {
                const Halo& cut = c.on_wall ? clip_ : phi_;
                const auto gradient = [&](std::size_t n) {
                    return cut.gradient(node_[n][0], node_[n][1], node_[n][2]);
                };
                crossed_[count_] = {(1 - double{c.t}) * corner(in) + double{c.t} * corner(out),
                                    corner(out) - corner(in), c.on_wall,
                                    (1 - c.t) * gradient(in) + c.t * gradient(out)};
            }
            ++count_;
        }
    }

    Vec3d world(const InFace& p) const {
        std::array<double, 3> local{double(node_[0][0]), double(node_[0][1]), double(node_[0][2])};
        local[static_cast<std::size_t>(u())] += p.u;
        local[static_cast<std::size_t>(v())] += p.v;
        return field_.grid.world(block_, {local[0], local[1], local[2]});
    }

    /// The plane of the wall that an edge crosses; it cuts the face in a line. Looked at from a little behind
    /// it: on the edge of two walls, the one that is crossed counts.
    std::optional<Wall> wall_at(const Crossed& c) const {
        constexpr double behind = 1e-3;
        return wall_at(c.at + behind * c.outwards);
    }
    std::optional<Wall> wall_at(const InFace& p) const {
        const SignedDistance s = distance_to(field_.walls, world(p));
        Wall wall{{}, -1 * s.gradient, {}};
        wall.in_face = {component(wall.normal, u()), component(wall.normal, v())};
        const double steep2 = inner(wall.in_face, wall.in_face);
        if (!(steep2 > 0.01) || !std::isfinite(s.distance)) return std::nullopt;
        wall.point = p + (s.distance / field_.grid.cell() / steep2) * wall.in_face;
        return wall;
    }

    /// φ − level between the nodes, bilinear.
    double surface_at(const InFace& p) const {
        const auto along = [&](std::size_t a, std::size_t b) {
            return (1 - p.u) * value(phi_, a) + p.u * value(phi_, b);
        };
        return (1 - p.v) * along(0, 1) + p.v * along(3, 2) - double{level_};
    }

    InFace clamped(const InFace& p) const {
        const double least = margins_.wall;
        return {std::clamp(p.u, least, 1 - least), std::clamp(p.v, least, 1 - least)};
    }

    RimVertex vertex(const InFace& p, const Vec3d& a, const Vec3d& b, bool free) const {
        return {world(clamped(p)), {a, b}, free};
    }

    /// Along the wall from where an edge crosses it to where the surface does. A curved wall is a line in the
    /// face only near by: the search goes on where that led.
    std::optional<RimVertex> surface_meets_wall() const {
        const Crossed &on_wall = crossed_[crossed_[0].on_wall ? 0 : 1],
                      &free = crossed_[crossed_[0].on_wall ? 1 : 0];
        std::optional<Wall> wall = wall_at(on_wall);
        InFace found;
        constexpr int looks = 3;
        for (int look = 0; look < looks; ++look) {
            if (!wall) return std::nullopt;
            const std::optional<InFace> next = along_wall(*wall, on_wall.at, free.at);
            if (!next) return std::nullopt;
            found = *next;
            if (look + 1 < looks) wall = wall_at(found);
        }
        const float length = norm(free.gradient);
        const Vec3d normal =
            length > 0 && std::isfinite(length) ? to_double(free.gradient / length) : Vec3d{0, 1, 0};
        return vertex(found, normal, wall->normal, true);
    }

    /// Where the wall's line, from its point nearest to `from` in the direction of `to`, leaves the matter.
    std::optional<InFace> along_wall(const Wall& wall, const InFace& from, const InFace& to) const {
        InFace along{-wall.in_face.v, wall.in_face.u};
        const InFace start =
            clamped(wall.point + (inner(from - wall.point, along) / inner(along, along)) * along);
        if (inner(along, to - start) < 0) along = -1 * along;
        const auto room = [](double at, double step) {
            return step > 0 ? (1 - at) / step : step < 0 ? -at / step : 1e30;
        };
        double low = 0, high = std::min(room(start.u, along.u), room(start.v, along.v));
        if (!(high < 1e6)) return std::nullopt;
        constexpr int halvings = 24;
        for (int k = 0; k < halvings; ++k) {
            const double middle = 0.5 * (low + high);
            (surface_at(start + middle * along) < 0 ? low : high) = middle;
        }
        return start + low * along;
    }

    std::optional<RimVertex> wall_meets_wall() const {
        const Vec3f &g = crossed_[0].gradient, &h = crossed_[1].gradient;
        if (dot(g, h) > same_gradient_cosine * norm(g) * norm(h)) return std::nullopt;
        const std::optional<Wall> a = wall_at(crossed_[0]), b = wall_at(crossed_[1]);
        if (!a || !b || dot(a->normal, b->normal) > least_edge_cosine) return std::nullopt;
        const double across = a->in_face.u * b->in_face.v - a->in_face.v * b->in_face.u;
        if (std::abs(across) < 0.1) return std::nullopt;
        const double p = inner(a->in_face, a->point), q = inner(b->in_face, b->point);
        const InFace meet{(p * b->in_face.v - q * a->in_face.v) / across,
                          (q * a->in_face.u - p * b->in_face.u) / across};
        const InFace within = clamped(meet);
        constexpr double most_outside = 0.1;  // walls that bend may meet a little beside the face
        if (std::max(std::abs(within.u - meet.u), std::abs(within.v - meet.v)) > most_outside)
            return std::nullopt;
        return vertex(within, a->normal, b->normal, false);
    }

    const SurfaceField& field_;
    const Halo &phi_, &clip_;
    float level_;
    CrossingMargins margins_;
    Index block_;
    int axis_;
    std::array<std::array<int, 3>, 4> node_;
    std::array<Crossed, 2> crossed_;
    std::size_t count_ = 0;
};

}  // namespace

EdgeCrossing find_crossing(const SurfaceField& field, const EdgeEnd& in, const EdgeEnd& out, float level,
                           const CrossingMargins& margins) {
    const float surface = surface_crossing(in.phi, out.phi, level), wall = wall_crossing(field, in, out);
    // A wall through a node comes first even where the surface is as far: it is met closer.
    const bool on_wall = wall <= surface && out.clip >= 0;
    return {on_wall ? kept_clear(wall, margins.wall) : kept_clear(surface, margins.surface), on_wall};
}

std::optional<RimVertex> find_rim(const SurfaceField& field, const Halo& phi, const Halo& clip, float level,
                                  const CrossingMargins& margins, Index b, int axis, int x, int y, int z) {
    return RimFace(field, phi, clip, level, margins, b, axis, x, y, z).rim();
}

BlockRims find_rims(const SurfaceField& field, float level, const CrossingMargins& margins,
                    const MaskReader& read, Index b) {
    BlockRims out;
    const InsideRows rows(read, b);
    bool any = false;
    rows.for_each_cell([&](int, int, int, unsigned) { any = true; });
    if (!any) return out;
    const Halo phi(field.grid, b, field.outside, field.inside, [&](Index n) { return field.block(n); });
    const Halo clip(field.grid, b, far_from_walls, far_from_walls, [&](Index n) { return field.clip_of(n); });
    for (int axis = 0; axis < 3; ++axis)
        for (int z = 0; z < block_width; ++z) {
            out.rank[axis][z] = static_cast<std::uint16_t>(out.corners.size());
            for (int y = 0; y < block_width; ++y)
                for (int x = 0; x < block_width; ++x) {
                    const auto bit = [&](int i, int j, int k) { return rows.row[k][j] >> i & 1u; };
                    const int du = axis == 2, dv = axis == 0, dw = axis == 1;  // the axis after this one
                    const int eu = axis == 1, ev = axis == 2, ew = axis == 0;  // and the next
                    const unsigned in = bit(x, y, z) + bit(x + du, y + dv, z + dw) +
                                        bit(x + eu, y + ev, z + ew) +
                                        bit(x + du + eu, y + dv + ev, z + dw + ew);
                    if (in == 0 || in == 4) continue;
                    const std::optional<RimVertex> rim =
                        find_rim(field, phi, clip, level, margins, b, axis, x, y, z);
                    if (!rim) continue;
                    out.face[axis][z] |= std::uint64_t{1} << (block_width * y + x);
                    out.corners.push_back(*rim);
                }
        }
    return out;
}

RimVertex rim_center(const std::vector<const RimVertex*>& around, const Vec3d& low, double cell,
                     double margin) {
    // Least squares of the distances to the sheets, and a little of that to the mean, where they do not
    // determine a point.
    constexpr double pull = 1e-3;
    Vec3d mean;
    for (const RimVertex* rim : around) mean += rim->x / static_cast<double>(around.size());
    Mat3d matrix = diagonal(pull, pull, pull);
    Vec3d right;
    RimVertex out{mean, around.front()->normal, around.front()->free};
    for (const RimVertex* rim : around) {
        if (rim->free && !out.free) {
            out.free = true;
            out.normal = rim->normal;
        }
        for (const Vec3d& n : rim->normal) {
            matrix += outer(n, n);
            right += dot(n, rim->x - mean) * n;
        }
    }
    const Vec3d x = mean + inverse_of_symmetric(matrix) * right;
    const auto within = [&](double a, double first) {
        return std::clamp(a, first + margin * cell, first + (1 - margin) * cell);
    };
    out.x = {within(x.x, low.x), within(x.y, low.y), within(x.z, low.z)};
    return out;
}

}  // namespace thixo
