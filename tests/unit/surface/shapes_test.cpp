#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "clouds.h"

using namespace thixo;

namespace {

constexpr double r = 0.05;  // of the particles, m

/// The volume inside the surface that is farther than `reach` from all particles, by counting nodes, in
/// volumes of a particle.
double volume_outside(const Cloud& cloud, SurfaceMethod method, double reach) {
    constexpr double cell = r / 4;
    const SurfaceField field =
        make_field({2}, prepare_particles({2}, cloud.view(), method), method, cell, plenty);
    double count = 0;
    for (Index b = 0; b < field.grid.size(); ++b)
        for (int node = 0; node < block_nodes; ++node) {
            if (!(field.block(b)[node] < 0)) continue;
            const Vec3d x = field.grid.world(b, {double(node % 8), double(node / 8 % 8), double(node / 64)});
            count += std::none_of(cloud.position.begin(), cloud.position.end(),
                                  [&](const Vec3f& p) { return norm(to_double(p) - x) < reach; });
        }
    return count * cell * cell * cell / (8 * r * r * r);
}

/// Pairs of particles, 5.2 to 9.4 radii apart: farther than they influence, and less than twice as far.
Cloud pairs() {
    Cloud cloud;
    for (int k = 0; k < 7; ++k) {
        cloud.add({0, 20 * r * k, 0}, r);
        cloud.add({(5.2 + 0.7 * k) * r, 20 * r * k, 0}, r);
    }
    return cloud;
}

/// Two walls, six particles thick, that meet at a right angle.
Cloud corner() {
    return lattice(2 * r, 30 * r, [](const Vec3d& x) {
        return std::abs(x.z) < 10 * r && x.x > 0 && x.y > 0 && x.x < 24 * r && x.y < 24 * r &&
               std::min(x.x, x.y) < 12 * r;
    });
}

}  // namespace

TEST_CASE("zhu_bridson errs between separated particles, solenthaler does not [SSP07, fig. 6]") {
    // A drop has the radius 1.24 r.
    const double zhu = volume_outside(pairs(), SurfaceMethod::zhu_bridson, 1.3 * r),
                 solenthaler = volume_outside(pairs(), SurfaceMethod::solenthaler, 1.3 * r);
    MESSAGE("outside of seven pairs, in particles: zhu_bridson ", zhu, ", solenthaler ", solenthaler);
    CHECK(zhu > 0.5);
    CHECK(solenthaler < 0.1 * zhu);
}

TEST_CASE("zhu_bridson fills concave corners more than solenthaler [SSP07, fig. 6]") {
    // Balls of √3 r around the particles of a lattice leave no space between them.
    const double zhu = volume_outside(corner(), SurfaceMethod::zhu_bridson, 1.75 * r),
                 solenthaler = volume_outside(corner(), SurfaceMethod::solenthaler, 1.75 * r);
    MESSAGE("outside of a corner, in particles: zhu_bridson ", zhu, ", solenthaler ", solenthaler);
    CHECK(solenthaler < 0.1 * zhu);
}

TEST_CASE("a sheet of one layer keeps a thickness and has no holes") {
    Cloud sheet;
    for (int j = -15; j <= 15; ++j)
        for (int i = -15; i <= 15; ++i) sheet.add({2 * r * i, 0.013 + 0, 2 * r * j}, r);
    for (const SurfaceMethod method : every_method) {
        CAPTURE(static_cast<int>(method));
        const Surface s =
            reconstruct({2}, sheet.view(), {}, {.method = method, .resolution = 0.75}, r, plenty);
        CHECK(s.report.manifold());
        CHECK(s.report.components == 1);
        CHECK(s.report.genus == 0);
        double thinnest = 1, thickest = 0;
        for (const Vec3f& v : s.mesh.vertices) {
            if (std::abs(v.x) > 20 * r || std::abs(v.z) > 20 * r) continue;
            thinnest = std::min(thinnest, std::abs(v.y - 0.013));
            thickest = std::max(thickest, std::abs(v.y - 0.013));
        }
        CHECK(thinnest > 0.4 * r);
        CHECK(thickest < 1.8 * r);
        CHECK(s.report.volume == doctest::Approx(s.volume).epsilon(0.01));
    }
}

TEST_CASE("a rod of one particle's width keeps a thickness and does not break") {
    Cloud rod;
    for (int i = 0; i < 30; ++i) rod.add({2 * r * i * 0.8, 2 * r * i * 0.6, 0}, r);
    for (const SurfaceMethod method : every_method) {
        CAPTURE(static_cast<int>(method));
        const Surface s = reconstruct({2}, rod.view(), {}, {.method = method, .resolution = 0.75}, r, plenty);
        CHECK(s.report.manifold());
        CHECK(s.report.components == 1);
        CHECK(s.report.genus == 0);
        CHECK(s.report.volume == doctest::Approx(s.volume).epsilon(0.02));
    }
}

TEST_CASE("an iso-value that nothing reaches gives an empty closed mesh") {
    // Cells so large that no node is within the drop.
    Cloud one;
    one.add({5, 5, 5}, 0.5);
    for (const SurfaceMethod method : every_method) {
        const Surface s = reconstruct({1}, one.view(), {{"x", "m", {&one.radius[0], 1}, true}},
                                      {.method = method, .resolution = 10, .match_volume = false}, 1, plenty);
        CHECK(s.report.manifold());
    }
}
