#include "surface/active.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "clouds.h"
#include "surface/mesh_report.h"
#include "surface/polygonise.h"

using namespace thixo;

namespace {

constexpr double pi = std::numbers::pi;

/// A grid over the cube |x| < 2 with the values of a function, all of it in the band.
struct GridBox {
    SurfaceField field;
    std::vector<BlockBits> band;

    template <class Function>
    GridBox(double cell, const Function& f)
        : field{BlockGrid({1}, cell, places(cell)), {}, 0.9f, -0.9f, {}, {}} {
        field.values = sampled(f);
        band.resize(field.grid.size());
        for (BlockBits& bits : band)
            for (std::uint64_t& word : bits.word) word = ~std::uint64_t{0};
    }
    static std::vector<BlockPlace> places(double cell) {
        const int n = static_cast<int>(std::ceil(2 / cell / 8));
        std::vector<BlockPlace> out;
        for (int z = -n; z < n; ++z)
            for (int y = -n; y < n; ++y)
                for (int x = -n; x < n; ++x) out.push_back({x, y, z});
        return out;
    }
    template <class Function>
    std::vector<float> sampled(const Function& f) const {
        std::vector<float> values;
        for (Index b = 0; b < field.grid.size(); ++b)
            for (int node = 0; node < block_nodes; ++node)
                values.push_back(static_cast<float>(std::clamp(
                    f(field.grid.world(b, {double(node % 8), double(node / 8 % 8), double(node / 64)})), -0.9,
                    0.9)));
        return values;
    }
    double radius() const {
        return std::cbrt(3 / (4 * pi) * extents({1}, polygonise({1}, field, 0, false).mesh).volume);
    }
};

}  // namespace

TEST_CASE("curvature flow of a sphere: R² = R₀² − 4βt [notes 4.5]") {
    GridBox box(0.07, [](const Vec3d& x) { return norm(x) - 1; });
    const std::vector<float> nothing(box.field.values.size(), 0.f);
    const double time = (1 - 0.76 * 0.76) / 4;
    advance({2}, box.field, box.band, nothing, {.tracking = 0, .tension = 1}, time);
    CHECK(box.radius() == doctest::Approx(0.76).epsilon(0.004));
}

TEST_CASE("inflation moves a sphere outwards at its speed") {
    GridBox box(0.07, [](const Vec3d& x) { return norm(x) - 0.8; });
    const std::vector<float> nothing(box.field.values.size(), 0.f);
    advance({2}, box.field, box.band, nothing, {.tracking = 0, .inflation = 0.1}, 1);
    CHECK(box.radius() == doctest::Approx(0.9).epsilon(0.01));
}

TEST_CASE("a surface with tension and volume tracks a density: R = 0.996 [notes 4.5]") {
    GridBox box(0.085, [](const Vec3d& x) { return norm(x) - 1.2; });
    // d = iso − ρ with the logistic density of width 0.1.
    const std::vector<float> target =
        box.sampled([](const Vec3d& x) { return 0.5 - 1 / (1 + std::exp((norm(x) - 1) / 0.1)); });
    for (int k = 0; k < 30; ++k) {
        const double r = box.radius();
        advance({2}, box.field, box.band, target,
                {.tracking = 5, .tension = 0.05, .inflation = 5 * (1 - r * r * r)}, 0.05);
    }
    CHECK(std::abs(box.radius() - 0.996) < 0.002);
}

namespace {

/// A pool at rest, 20 spacings wide, in which each frame one in ten particles near the surface is split into
/// eight or was until now: as in adaptive scenes, where nothing moves but the size of particles.
Cloud pool(int frame) {
    constexpr double spacing = 0.1;
    Cloud cloud;
    for (int k = 0; k < 20; ++k)
        for (int j = 0; j < 6; ++j)
            for (int i = 0; i < 20; ++i) {
                const auto id = static_cast<std::uint64_t>((k * 6 + j) * 20 + i);
                const auto jitter = [&](std::uint64_t c) {
                    return 0.1 * spacing * (uniform(3 * id + c) - 0.5);
                };
                const Vec3d x =
                    spacing * Vec3d{i + 0.5, j + 0.5, k + 0.5} + Vec3d{jitter(0), jitter(1), jitter(2)};
                // Each particle changes every ten frames, at its own time.
                const auto turn = (static_cast<std::uint64_t>(frame) + id) / 10;
                if (uniform(mix(id) + turn) > 0.3) {
                    cloud.add(x, spacing / 2);
                    continue;
                }
                for (int c = 0; c < 8; ++c)
                    cloud.add(x + 0.25 * spacing *
                                      Vec3d{c & 1 ? 1.0 : -1.0, c & 2 ? 1.0 : -1.0, c & 4 ? 1.0 : -1.0},
                              spacing / 4);
            }
    return cloud;
}

/// Heights of the upper surface above the nodes of the grid, away from the sides.
std::map<std::pair<long, long>, double> heights(const SurfaceMesh& mesh, double cell) {
    std::map<std::pair<long, long>, double> out;
    for (const Vec3f& v : mesh.vertices) {
        const double x = v.x / cell, z = v.z / cell;
        const bool on_column = std::abs(x - std::round(x)) < 1e-3 && std::abs(z - std::round(z)) < 1e-3;
        if (on_column && v.y > 0.4 && v.x > 0.4 && v.x < 1.6 && v.z > 0.4 && v.z < 1.6)
            out[{std::lround(x), std::lround(z)}] = v.y;
    }
    return out;
}

/// How far the surface of the pool moves from frame to frame, root of the mean square, in spacings.
double flicker(SurfaceMethod method) {
    std::map<std::pair<long, long>, double> last;
    std::optional<ActiveState> state;
    double squares = 0, count = 0;
    for (int frame = 0; frame < 16; ++frame) {
        Surface s = reconstruct({2}, pool(frame).view(), {}, {.method = method, .resolution = 2}, 0.025,
                                plenty, {}, state);
        CHECK(s.report.manifold());
        CHECK(s.report.volume == doctest::Approx(s.volume).epsilon(0.01));
        state = s.active;
        const auto now = heights(s.mesh, 0.05);
        for (const auto& [place, y] : now)
            if (const auto before = last.find(place); frame > 5 && before != last.end()) {
                squares += (y - before->second) * (y - before->second);
                ++count;
            }
        last = now;
    }
    CHECK(count > 1000);
    return std::sqrt(squares / count) / 0.1;
}

}  // namespace

TEST_CASE("in a still pool with splits and merges the active surface does not flicker") {
    const double active = flicker(SurfaceMethod::active), density = flicker(SurfaceMethod::density);
    MESSAGE("moves a frame, in spacings: active ", active, ", density ", density);
    CHECK(active < 0.02);
    CHECK(density > 0.02);
}

TEST_CASE("an active surface goes on from its state to the same bits, and follows matter that moves") {
    const auto ball_at = [](double x) {
        Cloud cloud = lattice(0.1, 0.5, [](const Vec3d& p) { return norm(p) < 0.5; });
        for (Vec3f& p : cloud.position) p.x += static_cast<float>(x);
        return cloud;
    };
    const SurfaceSettings settings{.method = SurfaceMethod::active};
    std::optional<ActiveState> state;
    for (int frame = 0; frame < 5; ++frame) {
        const Cloud cloud = ball_at(0.07 * frame);
        const Surface one = reconstruct({1}, cloud.view(), {}, settings, 0.05, plenty, {}, state),
                      three = reconstruct({3}, cloud.view(), {}, settings, 0.05, plenty, {}, state);
        CHECK(one.mesh.vertices == three.mesh.vertices);
        CHECK(one.active->values == three.active->values);
        CHECK(one.report.genus == 0);
        CHECK(one.report.components == 1);
        for (const Vec3f& v : one.mesh.vertices)
            CHECK(std::abs(norm(to_double(v) - Vec3d{0.07 * frame, 0, 0}) - 0.5) < 0.075);
        state = one.active;
    }
}
