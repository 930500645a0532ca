#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "core/simd.h"
#include "core/vec.h"
#include "core/view.h"
#include "unit/core/generators.h"

using namespace thixo;

TEST_CASE("vectors obey the algebra of three-dimensional space") {
    CHECK(rc::check([] {
        const Vec3d a = any_point(-2, 2), b = any_point(-2, 2), c = any_point(-2, 2);
        const double s = any_real(-3, 3), eps = 1e-13;
        const auto same = [&](const Vec3d& u, const Vec3d& v) { return norm(u - v) < eps; };
        RC_ASSERT(a + b == b + a);
        RC_ASSERT(a - a == Vec3d{});
        RC_ASSERT(-a == Vec3d{} - a);
        RC_ASSERT(s * a == a * s);
        RC_ASSERT(same((a + b) * s, s * a + s * b));
        RC_ASSERT(dot(a, b) == dot(b, a));
        RC_ASSERT(cross(a, b) == -cross(b, a));
        RC_ASSERT(std::abs(dot(cross(a, b), a)) < eps);
        // Lagrange and the triple product: together they fix signs and order of every component.
        RC_ASSERT(std::abs(norm2(cross(a, b)) - (norm2(a) * norm2(b) - dot(a, b) * dot(a, b))) < 1e-12);
        RC_ASSERT(same(cross(a, cross(b, c)), b * dot(a, c) - c * dot(a, b)));
        Vec3d d = a;
        d += b;
        d -= c;
        d *= s;
        RC_ASSERT(same(d, (a + b - c) * s));
        if (norm(a) > 0.01) {
            RC_ASSERT(std::abs(norm(normalized(a)) - 1) < eps);
            RC_ASSERT(same(normalized(a) * norm(a), a));
            RC_ASSERT(same(a / norm(a), normalized(a)));
        }
    }));
    CHECK(cross(Vec3d{1, 0, 0}, Vec3d{0, 1, 0}) == Vec3d{0, 0, 1});
    CHECK(norm(Vec3f{2, 3, 6}) == 7);
}

TEST_CASE("conversions and the test for finite numbers") {
    constexpr float inf = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(to_float(Vec3d{1, 2, 3}) == Vec3f{1, 2, 3});
    CHECK(to_double(Vec3f{0.1f, 2, 3}) == Vec3d{double{0.1f}, 2, 3});
    CHECK(is_finite({1, 2, 3}));
    for (const float bad : {inf, -inf, nan}) {
        CHECK_FALSE(is_finite({bad, 0, 0}));
        CHECK_FALSE(is_finite({0, bad, 0}));
        CHECK_FALSE(is_finite({0, 0, bad}));
    }
}

TEST_CASE("a vector of lanes computes eight vectors at once") {
    CHECK(rc::check([] {
        Vec3<Lanes> a, b;
        Vec3f one[lane_count], other[lane_count];
        for (Index l = 0; l < lane_count; ++l) {
            one[l] = to_float(any_point(-2, 2));
            other[l] = to_float(any_point(-2, 2));
            a.x[l] = one[l].x, a.y[l] = one[l].y, a.z[l] = one[l].z;
            b.x[l] = other[l].x, b.y[l] = other[l].y, b.z[l] = other[l].z;
        }
        const Lanes d = dot(a, b);
        const Vec3<Lanes> c = cross(a, b), e = spread<Lanes>(2.f) * (a + b) - b / spread<Lanes>(4.f);
        for (Index l = 0; l < lane_count; ++l) {
            const Vec3f u = one[l], v = other[l];
            RC_ASSERT(std::abs(d[l] - dot(u, v)) <= 1e-5f);
            RC_ASSERT(norm(Vec3f{c.x[l], c.y[l], c.z[l]} - cross(u, v)) <= 1e-5f);
            RC_ASSERT(norm(Vec3f{e.x[l], e.y[l], e.z[l]} - (2.f * (u + v) - v / 4.f)) <= 1e-5f);
        }
    }));
}

TEST_CASE("a view shows the vector it was made from") {
    std::vector<int> values{3, 1, 4};
    const View view(values);
    view[1] = 7;
    CHECK(values[1] == 7);
    CHECK(view.size() == 3);
    CHECK(view.data() == values.data());
    CHECK(std::vector<int>(view.begin(), view.end()) == values);
    const View<const int> readable = view;
    CHECK(readable[2] == 4);
    const std::vector<int> constant{5};
    const View deduced(constant);
    static_assert(std::is_same_v<decltype(deduced), const View<const int>>);
    static_assert(!std::is_constructible_v<View<int>, const std::vector<int>&>);
    static_assert(std::is_trivially_copyable_v<View<int>>);
    CHECK(View<int>().empty());
    CHECK_FALSE(deduced.empty());
}
