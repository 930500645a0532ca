#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "shapes.h"
#include "unit/core/near.h"

using namespace thixo;
using namespace thixo::test;

namespace {

constexpr double pi = std::numbers::pi;
constexpr int fine = 120;

/// Points all over a surface, no part of which is farther than `gap` from one of them.
struct Sown {
    std::vector<Vec3d> points;
    double gap = 0;
};

/// Two unit vectors across n; the first one lies in the plane z = 0 if n does.
std::array<Vec3d, 2> across(const Vec3d& n) {
    const Vec3d other = std::abs(n.z) > 0.9 ? Vec3d{1, 0, 0} : Vec3d{-n.y, n.x, 0};
    const Vec3d u = normalized(other - dot(other, n) * n);
    return {u, cross(n, u)};
}

/// Angles of a full circle in 3D; in 2D the two that stay in the plane.
template <class Body>
void around(int dimensions, const Body& body) {
    const int n = dimensions == 2 ? 2 : fine;
    for (int i = 0; i < n; ++i) body(std::cos(2 * pi * i / n), std::sin(2 * pi * i / n));
}

Sown sow(const Box& box, int dimensions) {
    const Vec3d size = box.max - box.min;
    Sown out{.gap = norm(size) / fine};
    const auto add = [&](double u, double v, double w) {
        out.points.push_back(box.min + Vec3d{u * size.x, v * size.y, w * size.z});
    };
    for (int i = 0; i <= fine; ++i) {
        for (int j = 0; j <= (dimensions == 2 ? 0 : fine); ++j) {
            const double s = double(i) / fine, t = double(j) / fine;
            for (const double side : {0., 1.}) {
                add(side, s, t);
                add(s, side, t);
                if (dimensions == 3) add(s, t, side);
            }
        }
    }
    return out;
}

Sown sow(const Sphere& sphere, int dimensions) {
    Sown out{.gap = 2 * pi * sphere.radius / fine};
    for (int i = 0; i <= fine; ++i) {
        const double a = pi * i / fine;
        around(dimensions, [&](double c, double s) {
            out.points.push_back(sphere.center +
                                 sphere.radius * Vec3d{std::sin(a) * c, std::cos(a), std::sin(a) * s});
        });
    }
    return out;
}

Sown sow(const Cylinder& cylinder, int dimensions) {
    const Vec3d e = cylinder.to - cylinder.from;
    const auto [u, v] = across(normalized(e));
    Sown out{.gap = (norm(e) + 2 * pi * cylinder.radius) / fine};
    for (int i = 0; i <= fine; ++i) {
        const double t = double(i) / fine;
        around(dimensions, [&, &u = u, &v = v](double c, double s) {
            const Vec3d rim = cylinder.radius * (c * u + s * v);
            out.points.push_back(cylinder.from + t * e + rim);
            out.points.push_back(cylinder.from + t * rim);
            out.points.push_back(cylinder.to + t * rim);
        });
    }
    return out;
}

Sown sow(const Capsule& capsule, int dimensions) {
    const Vec3d e = capsule.to - capsule.from, n = normalized(e);
    const auto [u, v] = across(n);
    Sown out{.gap = (norm(e) + 2 * pi * capsule.radius) / fine};
    for (int i = 0; i <= fine; ++i) {
        const double t = double(i) / fine, up = std::sin(pi / 2 * t), out_r = std::cos(pi / 2 * t);
        around(dimensions, [&, &u = u, &v = v](double c, double s) {
            const Vec3d rim = capsule.radius * (c * u + s * v);
            out.points.push_back(capsule.from + t * e + rim);
            out.points.push_back(capsule.from + out_r * rim - up * capsule.radius * n);
            out.points.push_back(capsule.to + out_r * rim + up * capsule.radius * n);
        });
    }
    return out;
}

Sown sow(const Torus& torus, int dimensions) {
    const Vec3d n = normalized(torus.axis);
    const auto [u, v] = across(n);
    Sown out{.gap = 2 * pi * (torus.major_radius + 2 * torus.minor_radius) / fine};
    for (int i = 0; i < fine; ++i) {
        const double a = 2 * pi * i / fine;
        const Vec3d outward = std::cos(a) * u + std::sin(a) * v;
        around(dimensions, [&](double c, double s) {
            out.points.push_back(torus.center + torus.major_radius * outward +
                                 torus.minor_radius * (c * outward + s * n));
        });
    }
    return out;
}

bool is_inside(const Box& box, const Vec3d& x, int dimensions) {
    return x.x > box.min.x && x.x < box.max.x && x.y > box.min.y && x.y < box.max.y &&
           (dimensions == 2 || (x.z > box.min.z && x.z < box.max.z));
}
bool is_inside(const Sphere& sphere, const Vec3d& x, int) {
    return norm2(x - sphere.center) < sphere.radius * sphere.radius;
}
bool is_inside(const Cylinder& c, const Vec3d& x, int) {
    const Vec3d e = c.to - c.from;
    const double t = dot(x - c.from, e) / norm2(e);
    return t > 0 && t < 1 && norm(cross(x - c.from, e)) < c.radius * norm(e);
}
bool is_inside(const Capsule& c, const Vec3d& x, int dimensions) {
    return is_inside(Cylinder{c.from, c.to, c.radius}, x, dimensions) ||
           is_inside(Sphere{c.from, c.radius}, x, dimensions) ||
           is_inside(Sphere{c.to, c.radius}, x, dimensions);
}
bool is_inside(const Torus& torus, const Vec3d& x, int) {
    // The surface as a polynomial: (|p|² + R² − r²)² = 4 R² (|p|² − h²).
    const Vec3d p = x - torus.center;
    const double h = dot(p, normalized(torus.axis)), R = torus.major_radius, r = torus.minor_radius;
    const double left = norm2(p) + R * R - r * r;
    return left * left < 4 * R * R * (norm2(p) - h * h);
}

}  // namespace

TEST_CASE("the distance is the one to the nearest point of the surface, negative inside") {
    for (const int dimensions : {2, 3}) {
        CHECK(rc::check([=] {
            const Shape shape = any_primitive(dimensions);
            const Vec3d x = any_position(dimensions);
            const double d = signed_distance(shape, x, dimensions).distance;
            std::visit(
                [&](const auto& kind) {
                    if constexpr (requires { sow(kind, dimensions); }) {
                        const Sown sown = sow(kind, dimensions);
                        double nearest = 1e9;
                        for (const Vec3d& p : sown.points) nearest = std::min(nearest, norm(x - p));
                        RC_ASSERT(std::abs(d) <= nearest + 1e-12);
                        RC_ASSERT(std::abs(d) >= nearest - sown.gap);
                        if (std::abs(d) > 1e-9) RC_ASSERT((d < 0) == is_inside(kind, x, dimensions));
                    }
                },
                shape.kind);
        }));
    }
}

TEST_CASE("the distance to a plane is measured along its normal, of whatever length") {
    CHECK(signed_distance(Plane{{0, 1, 0}, {0, 10, 0}}, {7, 3, -2}, 3).distance == near(2));
    CHECK(signed_distance(Plane{{0, 1, 0}, {0, 10, 0}}, {7, -3, -2}, 3).distance == near(-4));
}

TEST_CASE("following the gradient leads to the surface") {
    for (const int dimensions : {2, 3}) {
        CHECK(rc::check([=] {
            const Shape shape = any_primitive(dimensions);
            const Vec3d x = any_position(dimensions);
            const auto [d, g] = signed_distance(shape, x, dimensions);
            RC_ASSERT(std::abs(norm(g) - 1) < 1e-12);
            if (dimensions == 2) RC_ASSERT(g.z == 0);
            RC_ASSERT(std::abs(signed_distance(shape, x - d * g, dimensions).distance) < 1e-12);
        }));
    }
}

TEST_CASE("the gradient is the one of the distance") {
    constexpr double h = 1e-5;
    for (const int dimensions : {2, 3}) {
        CHECK(rc::check([=] {
            const Shape shape = any_primitive(dimensions);
            const Vec3d x = any_position(dimensions);
            const auto at = [&](const Vec3d& y) { return signed_distance(shape, y, dimensions); };
            const Vec3d g = at(x).gradient, axes[3] = {{h, 0, 0}, {0, h, 0}, {0, 0, h}};
            // The distance has kinks where two points of the surface are equally near, and bends sharply at
            // edges and centres: there is no gradient to compare with.
            RC_PRE(std::abs(at(x).distance) > 0.01);
            for (int a = 0; a < dimensions; ++a) {
                const SignedDistance ahead = at(x + axes[a]), behind = at(x - axes[a]);
                RC_PRE(norm(ahead.gradient - behind.gradient) < 0.01);
                const double difference = (ahead.distance - behind.distance) / (2 * h);
                RC_ASSERT(std::abs(difference - dot(g, axes[a]) / h) < 1e-4);
            }
        }));
    }
}

TEST_CASE("two dimensions ignore the depth of a box") {
    const Box box{{0, 0, 5}, {2, 1, 6}};
    CHECK(signed_distance(box, {1, 0.75, 0}, 2).distance == near(-0.25));
    CHECK(signed_distance(box, {1, 0.75, 0}, 2).gradient == Vec3d{0, 1, 0});
    CHECK(signed_distance(box, {1, 0.5, 0}, 3).distance == near(5));
}

TEST_CASE("the middle of a shape has a direction too") {
    const Vec3d c{1, 2, 0};
    for (const int d : {2, 3}) {
        const Shape shapes[] = {
            Sphere{c, 3},
            Box{c - Vec3d{1, 1, 1}, c + Vec3d{1, 1, 1}},
            Ellipsoid{c, {1, 2, 3}},
            Cylinder{c - Vec3d{0, 1, 0}, c + Vec3d{0, 1, 0}, 0.4},
            Capsule{c - Vec3d{1, 0, 0}, c + Vec3d{1, 0, 0}, 0.4},
            Torus{c, {0, 0, 1}, 1, 0.3},
            Torus{c - Vec3d{1, 0, 0}, {0, 0, 1}, 1, 0.3},
            SmoothUnion{0.5, {Sphere{c + Vec3d{1, 0, 0}, 0.5}, Sphere{c - Vec3d{1, 0, 0}, 0.5}}}};
        for (const Shape& shape : shapes) {
            const auto [distance, g] = signed_distance(shape, c, d);
            CHECK(std::isfinite(distance));
            CHECK(norm(g) == near(1));
            if (d == 2) CHECK(g.z == 0);
        }
    }
}

TEST_CASE("an ellipsoid's distance has the right sign, and the right size near its surface") {
    for (const int dimensions : {2, 3}) {
        CHECK(rc::check([=] {
            const Ellipsoid ellipsoid{any_position(dimensions, 1), any_point(0.3, 1)};
            const Vec3d n = any_direction(dimensions), &r = ellipsoid.radii;
            const Vec3d on{n.x * r.x, n.y * r.y, n.z * r.z};
            const Vec3d normal = normalized(Vec3d{n.x / r.x, n.y / r.y, n.z / r.z});
            for (const double off : {-1e-3, -1e-5, 1e-5, 1e-3}) {
                const auto [d, g] =
                    signed_distance(ellipsoid, ellipsoid.center + on + off * normal, dimensions);
                // The second order term is the curvature's, at most max r / min² r < 12 per metre, times the
                // offset.
                RC_ASSERT(std::abs(d - off) < 12 * off * off + 1e-12);
                RC_ASSERT(norm(g - normal) < 24 * std::abs(off) + 1e-12);
            }
        }));
    }
}
