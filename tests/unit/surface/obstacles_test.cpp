#include "surface/obstacles.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "clouds.h"
#include "geometry/shape.h"

using namespace thixo;

namespace {

constexpr double spacing = 0.1;

/// Water in a tank of 1 × 1 × 1 m, half full.
Cloud pool() {
    Cloud cloud;
    for (int k = 0; k < 10; ++k)
        for (int j = 0; j < 5; ++j)
            for (int i = 0; i < 10; ++i) cloud.add(spacing * Vec3d{i + 0.5, j + 0.5, k + 0.5}, spacing / 2);
    return cloud;
}

Surface in(const Cloud& cloud, const std::vector<SurfaceObstacle>& obstacles, SurfaceMethod method,
           int smooth = 0) {
    return reconstruct({2}, cloud.view(), {}, {.method = method, .smooth = smooth}, spacing / 2, plenty,
                       obstacles);
}

}  // namespace

TEST_CASE("water fills its tank to the walls, edges and corners, and stays out of them") {
    const std::vector<SurfaceObstacle> tank{{Box{{0, 0, 0}, {1, 1, 1}}, true}};
    for (const SurfaceMethod method : every_method) {
        for (const int smooth : {0, 5}) {
            CAPTURE(static_cast<int>(method));
            const Surface s = in(pool(), tank, method, smooth);
            CHECK(s.report.manifold());
            CHECK(s.report.components == 1);
            CHECK(s.report.volume == doctest::Approx(0.5).epsilon(0.01));
            double lowest = 1, corner = 1, outside = 0, highest = 0;
            for (const Vec3f& v : s.mesh.vertices) {
                const Vec3d x = to_double(v);
                lowest = std::min(lowest, x.y);
                highest = std::max(highest, x.y);
                corner = std::min(corner, norm(x));
                outside = std::max(outside, -tank[0].distance(x).distance);
            }
            CHECK(std::abs(lowest) < 1e-4);
            CHECK(outside < 1e-5);
            CHECK(corner < 1e-4);  // corners of walls are not cut off
            CHECK(highest == doctest::Approx(0.5).epsilon(0.06));
            // The level surface reaches the walls level: no meniscus.
            for (const Vec3f& v : s.mesh.vertices)
                if (v.x < 0.01f && v.z > 0.2f && v.z < 0.8f && v.y > 0.3f) CHECK(v.y < 0.56f);
        }
    }
}

TEST_CASE("walls get their own normals, and tilted ones are met as exactly") {
    SurfaceObstacle slope{Plane{{0, 0, 0}, {0.6, 0.8, 0}}};
    Cloud cloud;
    for (int k = -6; k < 6; ++k)
        for (int j = 0; j < 6; ++j)
            for (int i = -6; i < 6; ++i)
                cloud.add(spacing * ((i + 0.5) * Vec3d{0.8, -0.6, 0} + (j + 0.5) * Vec3d{0.6, 0.8, 0} +
                                     (k + 0.5) * Vec3d{0, 0, 1}),
                          spacing / 2);
    const Surface s = in(cloud, {slope}, SurfaceMethod::density);
    CHECK(s.report.manifold());
    std::size_t on_wall = 0;
    for (std::size_t v = 0; v < s.mesh.vertices.size(); ++v) {
        const double distance = slope.distance(to_double(s.mesh.vertices[v])).distance;
        CHECK(distance > -1e-5);
        if (distance > 2e-5) continue;
        ++on_wall;
        // Not where the surface meets the wall.
        const Vec3f& x = s.mesh.vertices[v];
        if (std::abs(0.8f * x.x - 0.6f * x.y) < 0.5f && std::abs(x.z) < 0.5f)
            CHECK(dot(s.mesh.normals[v], Vec3f{-0.6f, -0.8f, 0}) > 0.99f);
    }
    CHECK(on_wall > 500);
}

TEST_CASE("a ball that water rests on stays free of it") {
    const SurfaceObstacle ball{Sphere{{0.5, 0.25, 0.5}, 0.2}};
    Cloud cloud;
    for (const Vec3f& x : pool().position)
        if (ball.distance(to_double(x)).distance > 0.04) cloud.add(to_double(x), spacing / 2);
    const Surface s = in(cloud, {ball}, SurfaceMethod::density);
    CHECK(s.report.manifold());
    for (const Vec3f& x : s.mesh.vertices) CHECK(ball.distance(to_double(x)).distance > -1e-5);
}

TEST_CASE("images are mirrored across one wall, two at an edge and three in a corner") {
    const std::vector<SurfaceObstacle> tank{{Box{{0, 0, 0}, {1, 1, 1}}, true}};
    const auto images = [&](const Vec3d& x) {
        Cloud cloud;
        cloud.add(x, 0.05);
        return mirror({1}, cloud.view(), tank).view().position.size() - 1;
    };
    CHECK(images({0.5, 0.5, 0.5}) == 0);
    CHECK(images({0.5, 0.1, 0.5}) == 1);
    CHECK(images({0.1, 0.15, 0.5}) == 3);
    CHECK(images({0.1, 0.15, 0.2}) == 7);
    Cloud cloud;
    cloud.add({0.5, 0.1, 0.5}, 0.05);
    const MirroredParticles two = mirror({1}, cloud.view(), tank);
    CHECK(two.position[1].y == doctest::Approx(-0.1));
    CHECK(two.real == 1);
    CHECK(two.source == std::vector<Index>{0, 0});
}

TEST_CASE("images behind walls shape the surface, but lend it no attributes") {
    // A post that is thinner than a spacing, with matter on both sides.
    const Cloud block = lattice(spacing, 0.5, [](const Vec3d& x) { return x.y > 0 && x.y < 0.5; });
    std::vector<float> x;
    for (const Vec3f& p : block.position) x.push_back(p.x);
    const SurfaceObstacle post{.shape = Box{{-0.04, -1, -2}, {0.04, 2, 2}}};
    const Surface s =
        reconstruct({2}, block.view(), {{"x", "m", x, true}},
                    {.method = SurfaceMethod::density, .resolution = 0.4}, spacing / 2, plenty, {post});
    // A vertex takes from particles within two spacings; an image of one 1.5 spacings off on one side of the
    // post would bring its x to the other.
    double worst = 0;
    for (std::size_t v = 0; v < s.mesh.vertices.size(); ++v)
        worst = std::max(worst, std::abs(double{s.mesh.attributes[0].values[v]} - s.mesh.vertices[v].x));
    MESSAGE("farthest from its own place, in spacings: ", worst / spacing);
    CHECK(worst < spacing);
}

TEST_CASE("a small stone beside a wall makes no matter where there is none") {
    // Water below, air above; a ball smaller than two spacings a little above the water, near the wall of the
    // tank.
    const Cloud pool = lattice(spacing, 0.5, [](const Vec3d& x) {
        return x.y > 0 && x.y < 0.3 && std::max(std::abs(x.x), std::abs(x.z)) < 0.5;
    });
    const SurfaceObstacle tank{.shape = Box{{-0.5, 0, -0.5}, {0.5, 2, 0.5}}, .inside = true},
        stone{.shape = Sphere{{0.3, 0.42, 0.1}, 0.08}};
    for (const SurfaceMethod method : every_method) {
        CAPTURE(static_cast<int>(method));
        const Surface s = reconstruct({2}, pool.view(), {}, {.method = method, .resolution = 1.5},
                                      spacing / 2, plenty, {tank, stone});
        CHECK(s.report.components == 1);
        // The highest particles are half a spacing below the surface.
        for (const Vec3f& v : s.mesh.vertices) CHECK(v.y < 0.3 + spacing);
    }
}

TEST_CASE("a stone between liquid and a wall gets no speck behind it") {
    // The stone is within reach of pool, ball and wall: its tangent planes and the wall meet where neither of
    // them ends.
    const Cloud matter = lattice(spacing, 1.1, [](const Vec3d& x) {
        const bool pool = x.y > 0 && x.y < 0.3 && std::abs(x.x) < 0.5 && std::abs(x.z) < 0.4;
        return pool || norm(x - Vec3d{0, 0.8, 0}) < 0.25;
    });
    const SurfaceObstacle tank{.shape = Box{{-0.5, 0, -0.4}, {0.5, 2, 0.4}}, .inside = true},
        stone{.shape = Sphere{{0.3, 0.45, 0.1}, 0.08}};
    for (const SurfaceMethod method :
         {SurfaceMethod::density, SurfaceMethod::solenthaler, SurfaceMethod::anisotropic}) {
        CAPTURE(static_cast<int>(method));
        const Surface s =
            reconstruct({2}, matter.view(), {}, {.method = method}, spacing / 2, plenty, {tank, stone});
        double farthest = 0;
        for (const Vec3f& v : s.mesh.vertices) {
            double nearest = 1;
            for (const Vec3f& x : matter.position) nearest = std::min(nearest, norm(to_double(v - x)));
            farthest = std::max(farthest, nearest);
        }
        // No particle acts farther than five radii (`solenthaler`, `anisotropic`).
        CHECK(farthest < 2.5 * spacing);
    }
}
