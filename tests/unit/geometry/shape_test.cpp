#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "geometry/shape.h"
#include "unit/core/generators.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

using Plain = std::variant<Box, Sphere, Plane>;
Shape as_shape(const Plain& plain) {
    return std::visit([](const auto& kind) { return Shape(kind); }, plain);
}

/// A shape of every kind; in 2D it lies in the plane z = 0.
Plain any_shape(int dimensions) {
    const auto flat = [&](Vec3d a) { return dimensions == 2 ? Vec3d{a.x, a.y, 0} : a; };
    switch (*rc::gen::inRange(0, 3)) {
        case 0: {
            const Vec3d min = flat(any_point(-1, 0.5));
            return Box{min, min + flat(any_point(0.1, 1.5))};
        }
        case 1:
            return Sphere{flat(any_point(-1, 1)), any_real(0.1, 1.5)};
        default: {
            Vec3d normal = flat(any_point(-1, 1));
            if (norm(normal) < 0.1) normal = {0, 1, 0};
            return Plane{flat(any_point(-1, 1)), normal};
        }
    }
}

Vec3d any_position(int dimensions) {
    const Vec3d x = any_point(-2, 2);
    return dimensions == 2 ? Vec3d{x.x, x.y, 0} : x;
}

/// The distance by looking at many points of the surface, and how far apart those are at most.
struct Brute {
    double nearest = std::numeric_limits<double>::infinity();
    double gap = 0;
};

Brute search_surface(const Box& box, const Vec3d& x, int dimensions) {
    constexpr int n = 60;
    const Vec3d size = box.max - box.min;
    Brute out{.gap = norm(size) / n};
    const auto look = [&](double u, double v, double w) {
        out.nearest =
            std::min(out.nearest,
                     norm(x - (box.min + Vec3d{u * size.x, v * size.y, dimensions == 2 ? 0 : w * size.z})));
    };
    for (int i = 0; i <= n; ++i) {
        for (int j = 0; j <= (dimensions == 2 ? 0 : n); ++j) {
            const double s = double(i) / n, t = double(j) / n;
            for (const double side : {0., 1.}) {
                look(side, s, t);
                look(s, side, t);
                if (dimensions == 3) look(s, t, side);
            }
        }
    }
    return out;
}

Brute search_surface(const Sphere& sphere, const Vec3d& x, int dimensions) {
    constexpr double pi = std::numbers::pi;
    constexpr int n = 200;
    Brute out{.gap = 2 * pi * sphere.radius / n};
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= (dimensions == 2 ? 0 : n / 2); ++j) {
            const double a = 2 * pi * i / n, b = dimensions == 2 ? pi / 2 : pi * j / (n / 2);
            const Vec3d n_out{std::cos(a) * std::sin(b), std::sin(a) * std::sin(b), std::cos(b)};
            out.nearest = std::min(out.nearest, norm(x - (sphere.center + sphere.radius * n_out)));
        }
    }
    return out;
}

Brute search_surface(const Plane& plane, const Vec3d& x, int) {
    // The foot of the perpendicular, found by two directions along the plane.
    const Vec3d n = normalized(plane.normal);
    const Vec3d u = normalized(cross(n, std::abs(n.x) < 0.5 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0})),
                v = cross(n, u);
    const Vec3d foot = plane.point + dot(x - plane.point, u) * u + dot(x - plane.point, v) * v;
    return {norm(x - foot), 1e-12};
}

bool is_inside(const Box& box, const Vec3d& x, int dimensions) {
    return x.x > box.min.x && x.x < box.max.x && x.y > box.min.y && x.y < box.max.y &&
           (dimensions == 2 || (x.z > box.min.z && x.z < box.max.z));
}
bool is_inside(const Sphere& sphere, const Vec3d& x, int) {
    return norm2(x - sphere.center) < sphere.radius * sphere.radius;
}
bool is_inside(const Plane& plane, const Vec3d& x, int) { return dot(x - plane.point, plane.normal) < 0; }

}  // namespace

TEST_CASE("the distance is the one to the nearest point of the surface, negative inside") {
    for (const int dimensions : {2, 3}) {
        CHECK(rc::check([=] {
            const Plain plain = any_shape(dimensions);
            const Shape shape = as_shape(plain);
            const Vec3d x = any_position(dimensions);
            const double d = signed_distance(shape, x, dimensions).distance;
            const Brute brute =
                std::visit([&](const auto& s) { return search_surface(s, x, dimensions); }, plain);
            // No point of the surface is farther from a looked-at one than the gap between those.
            RC_ASSERT(std::abs(d) <= brute.nearest + 1e-12);
            RC_ASSERT(std::abs(d) >= brute.nearest - brute.gap);
            const bool inside = std::visit([&](const auto& s) { return is_inside(s, x, dimensions); }, plain);
            if (std::abs(d) > 1e-12) RC_ASSERT((d < 0) == inside);
        }));
    }
}

TEST_CASE("following the gradient leads to the surface") {
    for (const int dimensions : {2, 3}) {
        CHECK(rc::check([=] {
            const Plain plain = any_shape(dimensions);
            const Shape shape = as_shape(plain);
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
            const Plain plain = any_shape(dimensions);
            const Shape shape = as_shape(plain);
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

TEST_CASE("the centre of a shape has a direction too") {
    for (const int dimensions : {2, 3}) {
        CHECK(norm(signed_distance(Sphere{{1, 2, 0}, 3}, {1, 2, 0}, dimensions).gradient) == 1);
        CHECK(norm(signed_distance(Box{{0, 0, 0}, {1, 1, 1}}, {0.5, 0.5, 0.5}, dimensions).gradient) == 1);
    }
}

TEST_CASE("a plane's normal need not be of unit length") {
    CHECK(signed_distance(Plane{{0, 1, 0}, {0, 10, 0}}, {7, 3, -2}, 3).distance == near(2));
}
