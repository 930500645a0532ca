#include "geometry/height_surface.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/error.h"
#include "unit/core/generators.h"
#include "unit/core/near.h"
#include "unit/core/temporary_folder.h"

using namespace thixo;

namespace {

HeightSurface from_formula(const std::string& text) {
    return {Formula(text, {"x", "z"}), {-1, -1, -1}, {1, 1, 1}};
}

/// The distance by looking at many points of the surface, a gap apart along each axis.
double brute_distance(const HeightSurface& surface, const Vec3d& x, int dimensions, double gap) {
    const int n = static_cast<int>(1.5 / gap);
    double nearest = std::numeric_limits<double>::infinity();
    for (int i = -n; i <= n; ++i) {
        for (int j = dimensions == 2 ? 0 : -n; j <= (dimensions == 2 ? 0 : n); ++j) {
            const double u = x.x + i * gap, w = x.z + j * gap;
            nearest = std::min(nearest, norm(x - Vec3d{u, surface.height(u, w), w}));
        }
    }
    return nearest;
}

}  // namespace

TEST_CASE("a slope is a plane") {
    const HeightSurface slope = from_formula("0.5*x");
    for (const int dimensions : {2, 3}) {
        const auto [d, g] = slope.at({0.1, 0.3, 0}, dimensions);
        CHECK(d == near(0.25 / std::sqrt(1.25)));
        CHECK(norm(g - normalized(Vec3d{-0.5, 1, 0})) < 1e-9);
        CHECK(slope.at({0.1, -0.2, 0}, dimensions).distance == near(-0.25 / std::sqrt(1.25)));
        CHECK(norm(slope.at({0.1, 0.05, 0}, dimensions).gradient - normalized(Vec3d{-0.5, 1, 0})) < 1e-6);
    }
}

TEST_CASE("the ground goes on beyond its sides and is cut at bottom and top") {
    const HeightSurface slope = from_formula("x + 2*z");
    CHECK(slope.height(5, 0) == near(1));
    CHECK(std::abs(slope.height(-0.5, 0.25)) < 1e-12);
    CHECK(slope.height(0, 3) == 1);
    CHECK(slope.height(-1, -1) == -1);
    CHECK(slope.at({5, 3, 0}, 2).distance == near(2));
    CHECK(slope.at({-8, -5, 0}, 2).distance == near(-4));
}

TEST_CASE("the distance to waves is the one to the nearest of their points") {
    const HeightSurface waves = from_formula("0.1*sin(6*x) + 0.05*cos(5*z + x)");
    for (const int dimensions : {2, 3}) {
        CHECK(rc::check([&] {
            const double x = any_real(-0.5, 0.5), z = dimensions == 2 ? 0 : any_real(-0.5, 0.5);
            const Vec3d at{x, waves.height(x, z) + any_real(-0.3, 0.3), z};
            const auto [d, g] = waves.at(at, dimensions);
            const double gap = dimensions == 2 ? 1e-3 : 2e-2;
            const double found = brute_distance(waves, at, dimensions, gap);
            // The waves are bent with radii of 0.28 m and more: nearer than that the foot is well defined.
            RC_ASSERT(std::abs(d) <= found + (std::abs(d) < 0.2 ? 1e-7 : 1e-3));
            // No point of the surface is farther from a looked-at one than half the diagonal, on a slope
            // below 1.
            RC_ASSERT(std::abs(d) >= found - gap * std::sqrt(0.5 * 2));
            RC_ASSERT((d < 0) == (at.y < waves.height(x, z)));
            RC_ASSERT(std::abs(norm(g) - 1) < 1e-9);
            if (dimensions == 2) RC_ASSERT(g.z == 0);
            const Vec3d foot = at - d * g;
            RC_ASSERT(std::abs(foot.y - waves.height(foot.x, foot.z)) < 1e-9);
        }));
    }
}

TEST_CASE("a formula without a value is refused with its place") {
    CHECK_THROWS_WITH_AS(from_formula("sqrt(x)"), doctest::Contains("its value at x = -1, z = -1 is"),
                         InputError);
    CHECK_THROWS_WITH_AS(from_formula("1/x"), doctest::Contains("its value at x = 0, z = -1 is inf"),
                         InputError);
}

TEST_CASE("an image is seen from above: black is low, white is high") {
    const TemporaryFolder folder;
    write_text(folder / "a.pgm", std::string("P5 3 2 255\n") + std::string("\x00\x33\xff\x66\x99\xcc", 6));
    const GreyImage image = load_grey_image(folder / "a.pgm");
    CHECK(image.width == 3);
    CHECK(image.height == 2);
    CHECK(image.pixels[1] == doctest::Approx(0.2));
    // Each pixel three times each way: where neighbours agree the blend is the pixel.
    GreyImage wide{9, 6, {}};
    for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 9; ++i)
            wide.pixels.push_back(image.pixels[static_cast<std::size_t>(j / 3 * 3 + i / 3)]);
    const HeightSurface ground(wide, {0, 1, 0}, {8, 3, 5});
    CHECK(ground.height(0, 0) == near(1));
    CHECK(ground.height(4, 1) == near(1.4));
    CHECK(ground.height(7, 1) == near(3));
    CHECK(ground.height(8, 0) == near(3));
    CHECK(ground.height(1, 4) == near(1.8));
    CHECK(ground.height(100, 100) == near(2.6));
}

TEST_CASE("the ground of an image has no steps and no kinks") {
    GreyImage image{8, 8, {}};
    Stream stream(9);
    for (int i = 0; i < 64; ++i) image.pixels.push_back(stream.unit());
    const HeightSurface ground(image, {0, 0, 0}, {7, 2, 7});
    CHECK(rc::check([&] {
        constexpr double h = 1e-4;
        const double x = any_real(0.01, 6.99), z = any_real(0.01, 6.99);
        const double before = ground.height(x - h, z), at = ground.height(x, z),
                     after = ground.height(x + h, z);
        RC_ASSERT(at >= 0);
        RC_ASSERT(at <= 2);
        // Second differences of the pixels are at most 2, heights twice that.
        RC_ASSERT(std::abs(before - 2 * at + after) <= 4 * h * h + 1e-12);
    }));
}

TEST_CASE("images of 16 bits keep them") {
    const TemporaryFolder folder;
    write_text(folder / "a.pgm", std::string("P5 2 1 65535\n") + std::string("\x00\x01\x80\x00", 4));
    const GreyImage image = load_grey_image(folder / "a.pgm");
    CHECK(image.pixels[0] == near(1.0 / 65535));
    CHECK(image.pixels[1] == near(32768.0 / 65535));
}

TEST_CASE("what is no image is refused") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH_AS(load_grey_image(folder / "no.png"), doctest::Contains("no.png: no such file"),
                         InputError);
    write_text(folder / "a.png", "");
    CHECK_THROWS_WITH_AS(load_grey_image(folder / "a.png"), doctest::Contains("a.png: is empty"), InputError);
    write_text(folder / "a.png", "something else");
    CHECK_THROWS_WITH_AS(load_grey_image(folder / "a.png"), doctest::Contains("is neither PNG nor PGM"),
                         InputError);
    write_text(folder / "a.pgm", "P5 30 20 255\n1234");
    CHECK_THROWS_WITH_AS(load_grey_image(folder / "a.pgm"),
                         doctest::Contains("is cut short: 30 × 20 pixels take 613 bytes, the file has 17"),
                         InputError);
    write_text(folder / "a.pgm", "P5 # a comment\n 0 20 255\n1234");
    CHECK_THROWS_WITH_AS(load_grey_image(folder / "a.pgm"),
                         doctest::Contains("byte 16: expected the width, 1 to 16384"), InputError);
    write_text(folder / "a.pgm", "P5 1 1 9\nz");
    CHECK_THROWS_WITH_AS(load_grey_image(folder / "a.pgm"),
                         doctest::Contains("byte 9: a pixel is brighter than white"), InputError);
}
