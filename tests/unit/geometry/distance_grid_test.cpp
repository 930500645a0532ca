#include "geometry/distance_grid.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "geometry/shape.h"
#include "unit/core/generators.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

DistanceGrid grid_of(const Shape& shape, double cell, double band, int dimensions = 3,
                     const Device& device = {}) {
    return DistanceGrid([=](const Vec3d& x) { return signed_distance(shape, x, dimensions); }, bounds(shape),
                        {.cell = cell, .band = band, .dimensions = dimensions}, device);
}

}  // namespace

TEST_CASE("the distance to a ball is off by h²/4R and its direction is right") {
    constexpr double cell = 0.05, band = 0.3, radius = 1;
    const DistanceGrid grid = grid_of(Sphere{{0.1, 0.2, 0.3}, radius}, cell, band);
    Stream stream(1);
    for (int i = 0; i < 5000; ++i) {
        const Vec3d n = normalized(to_double(stream.point(-1, 1)));
        const double r = radius + stream.real(-0.28f, 0.28f);
        const auto [d, g] = grid.at(to_float(Vec3d{0.1, 0.2, 0.3} + r * n));
        // ∇²r = 2/r; the next term of the blend is of fourth order.
        const double expected = r - radius + cell * cell / (4 * r);
        CHECK(std::abs(d - expected) < std::pow(cell, 4) / std::pow(r, 3) + 2e-6);
        CHECK(norm(to_double(g) - n) < cell * cell / (r * r));
        CHECK(std::abs(norm(g) - 1) < 1e-5);
    }
}

TEST_CASE("flat walls are exact") {
    for (const int dimensions : {2, 3}) {
        const DistanceGrid grid = grid_of(Box{{0, 0, 0}, {1, 1, 1}}, 0.03, 0.2, dimensions);
        Stream stream(2);
        for (int i = 0; i < 1000; ++i) {
            // Far enough from the edges, and from the middle, where two walls are equally near.
            const double x = stream.real(0.4f, 0.6f), y = stream.real(-0.15f, 0.15f);
            const double z = dimensions == 2 ? 0 : stream.real(0.4f, 0.6f);
            const auto [d, g] = grid.at(to_float(Vec3d{x, y, z}));
            CHECK(std::abs(d + y) < 1e-6);
            CHECK(norm(to_double(g) - Vec3d{0, -1, 0}) < 1e-4);
        }
    }
}

TEST_CASE("edges are rounded by less than a cell") {
    constexpr double cell = 0.05;
    const Box box{{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
    const DistanceGrid grid = grid_of(box, cell, 0.2);
    CHECK(rc::check([&] {
        const Vec3d x = any_point(-0.7, 0.7);
        const SignedDistance exact = signed_distance(box, x, 3);
        RC_PRE(std::abs(exact.distance) < 0.15);
        // The distance is convex and nowhere steeper than 1: a blend is not below it, and above it by no more
        // than the mean distance of the samples, √d h/2 (their variance is d h²/4). On the diagonal of a
        // corner, half-way between samples, it is 3/8 h.
        const double blended = grid.at(to_float(x)).distance - exact.distance;
        RC_ASSERT(blended > -1e-5);
        RC_ASSERT(blended < 0.5 * std::sqrt(3) * cell);
    }));
}

TEST_CASE("the gradient is that of the value, and has no jumps") {
    for (const int dimensions : {2, 3}) {
        constexpr double cell = 0.1, step = 2e-3;
        const DistanceGrid grid = grid_of(Box{{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}}, cell, 0.3, dimensions);
        CHECK(rc::check([&] {
            Vec3d x = any_point(-0.75, 0.75);
            if (dimensions == 2) x.z = 0;
            RC_PRE(std::abs(grid.at(to_float(x)).distance) < 0.25);
            const Vec3f g = grid.at(to_float(x)).gradient;
            const Vec3d axes[3] = {{step, 0, 0}, {0, step, 0}, {0, 0, step}};
            double slope[3] = {};
            for (int a = 0; a < dimensions; ++a) {
                const auto ahead = grid.at(to_float(x + axes[a])), behind = grid.at(to_float(x - axes[a]));
                slope[a] = (double{ahead.distance} - double{behind.distance}) / (2 * step);
            }
            const Vec3d s{slope[0], slope[1], slope[2]};
            // Where the field bends towards another wall the slope is short, and its direction turns fast.
            RC_PRE(norm(s) > 0.5);
            RC_ASSERT(norm(normalized(s) - to_double(g)) < 0.01);
            for (int a = 0; a < dimensions; ++a) {
                // |∇²d| is at most 2/h for a blend of distances, so two steps turn it by 4 step/h and the
                // norm it is divided by.
                const Vec3f turned = grid.at(to_float(x + axes[a])).gradient - g;
                RC_ASSERT(norm(turned) < 4 * 2 * step / cell);
            }
        }));
    }
}

TEST_CASE("far away the distance is never more than the true one, and its sign is right") {
    for (const int dimensions : {2, 3}) {
        const Sphere ball{{0, 0, 0}, 2};
        const DistanceGrid grid = grid_of(ball, 0.05, 0.2, dimensions);
        CHECK(rc::check([&] {
            Vec3d x = any_point(-4, 4);
            if (dimensions == 2) x.z = 0;
            const double exact = signed_distance(ball, x, dimensions).distance;
            const auto [d, g] = grid.at(to_float(x));
            RC_PRE(std::abs(exact) > 0.2);
            RC_ASSERT((d < 0) == (exact < 0));
            // Blocks beyond the band that have samples are as exact as those within.
            RC_ASSERT(std::abs(d) <= std::abs(exact) + 1e-3);
            RC_ASSERT(std::abs(d) >= 0.19);
            RC_ASSERT(std::abs(norm(g) - 1) < 1e-4);
        }));
        CHECK(grid.covers({0, 0, 0}));
        CHECK(grid.covers({2.2f, 0, 0}));
        CHECK_FALSE(grid.covers({3.5f, 0, 0}));
        CHECK(grid.at({100, 0, 0}).distance > 90);
    }
}

TEST_CASE("a position that is no number is no crash") {
    const DistanceGrid grid = grid_of(Sphere{}, 0.1, 0.2);
    const float nan = std::nanf("");
    grid.at({nan, nan, nan});
}

TEST_CASE("the grid is the same for any number of threads") {
    const Sphere ball{{0.1, 0, 0}, 1};
    const DistanceGrid one = grid_of(ball, 0.07, 0.2, 3, Device{1}),
                       three = grid_of(ball, 0.07, 0.2, 3, Device{3});
    Stream stream(4);
    for (int i = 0; i < 2000; ++i) {
        const Vec3f x = stream.point(-1.5f, 1.5f);
        const auto a = one.at(x), b = three.at(x);
        CHECK(std::memcmp(&a, &b, sizeof a) == 0);
    }
}

TEST_CASE("memory follows the surface, and has a limit") {
    // 100 spacings across, samples half a spacing apart, a band of three spacings.
    const DistanceGrid fine = grid_of(Sphere{{0, 0, 0}, 50}, 0.5, 3);
    CHECK(fine.cell() == 0.5);
    CHECK(fine.bytes() < 64 << 20);
    const auto field = [](const Vec3d& x) { return signed_distance(Sphere{{0, 0, 0}, 500}, x, 3); };
    const DistanceGrid large(field, bounds(Sphere{{0, 0, 0}, 500}),
                             {.cell = 0.5, .band = 3, .most_bytes = 16 << 20});
    CHECK(large.bytes() < 20 << 20);
    CHECK(large.cell() > 0.5);
    CHECK(std::abs(large.at({500, 0, 0}).distance) < large.cell());
}
