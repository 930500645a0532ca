#include "surface/reconstruct.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "clouds.h"
#include "core/error.h"

using namespace thixo;

namespace {

constexpr double pi = std::numbers::pi;

Surface surface_of(const Cloud& cloud, const SurfaceSettings& settings, double radius, int threads = 2) {
    return reconstruct({threads}, cloud.view(), {}, settings, radius, plenty);
}

Cloud ball(double spacing, double radius = 1) {
    return lattice(spacing, radius, [=](const Vec3d& x) { return norm(x) < radius; });
}

Cloud torus(double spacing) {
    return lattice(spacing, 1.5, [](const Vec3d& x) {
        const double ring = std::hypot(x.x, x.z) - 1;
        return std::hypot(ring, x.y) < 0.4;
    });
}

}  // namespace

TEST_CASE("a ball of particles: volume, area and shape converge with every method") {
    for (const SurfaceMethod method : every_method) {
        CAPTURE(static_cast<int>(method));
        double last_error = 1;
        for (const double spacing : {0.2, 0.1}) {
            const Surface s = surface_of(ball(spacing), {.method = method}, spacing / 2);
            CHECK(s.report.manifold());
            CHECK(s.report.components == 1);
            CHECK(s.report.genus == 0);
            CHECK(s.report.volume == doctest::Approx(s.volume).epsilon(0.01));
            CHECK(s.report.volume == doctest::Approx(4 * pi / 3).epsilon(0.05));
            double error = 0;
            for (const Vec3f& x : s.mesh.vertices) error = std::max(error, std::abs(norm(to_double(x)) - 1));
            CHECK(error < 0.75 * spacing);
            CHECK(error < last_error);
            last_error = error;
        }
        CHECK(surface_of(ball(0.1), {.method = method, .smooth = 15}, 0.05).report.area ==
              doctest::Approx(4 * pi).epsilon(0.04));
    }
}

TEST_CASE("a torus has one handle, two balls are two components, a shell has a cavity") {
    for (const SurfaceMethod method : every_method) {
        const Surface ring = surface_of(torus(0.1), {.method = method}, 0.05);
        CHECK(ring.report.components == 1);
        CHECK(ring.report.genus == 1);
        CHECK(ring.report.volume == doctest::Approx(2 * pi * pi * 0.16).epsilon(0.03));

        const auto two = lattice(0.1, 3, [](const Vec3d& x) {
            return std::min(norm(x - Vec3d{1, 0, 0}), norm(x + Vec3d{1, 0, 0})) < 0.6;
        });
        CHECK(surface_of(two, {.method = method}, 0.05).report.components == 2);

        const auto shell = lattice(0.1, 1, [](const Vec3d& x) { return norm(x) < 1 && norm(x) > 0.5; });
        const Surface s = surface_of(shell, {.method = method}, 0.05);
        CHECK(s.report.components == 2);
        CHECK(s.report.genus == 0);
        CHECK(s.report.volume == doctest::Approx(4 * pi / 3 * (1 - 0.125)).epsilon(0.05));
    }
}

TEST_CASE("a box of particles keeps its faces where they are, smoothed or not") {
    for (const SurfaceMethod method : every_method) {
        for (const int steps : {0, 10}) {
            const auto cube = lattice(0.1, 0.5, [](const Vec3d& x) {
                return std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}) < 0.5;
            });
            const Surface s = surface_of(cube, {.method = method, .smooth = steps}, 0.05);
            CHECK(s.report.manifold());
            CHECK(s.report.volume == doctest::Approx(1).epsilon(0.01));
            // Away from edges and corners.
            for (const Vec3f& x : s.mesh.vertices)
                if (std::abs(x.x) < 0.25f && std::abs(x.y) < 0.25f)
                    CHECK(std::abs(x.z) == doctest::Approx(0.5).epsilon(0.06));
        }
    }
}

TEST_CASE("a single particle is a drop, and two sizes are two drops") {
    for (const SurfaceMethod method : every_method) {
        Cloud cloud;
        cloud.add({0.1, 0.2, 0.3}, 0.5);
        const Surface one = surface_of(cloud, {.method = method, .resolution = 0.5}, 0.5);
        CHECK(one.report.components == 1);
        CHECK(one.report.genus == 0);
        CHECK(one.report.volume == doctest::Approx(1).epsilon(0.02));
        cloud.add({40, 0, 0}, 4);
        const Surface two =
            surface_of(cloud, {.method = method, .resolution = 0.8, .match_volume = false}, 0.5);
        CHECK(two.report.components == 2);
        CHECK(two.report.manifold());
    }
}

TEST_CASE("a pool of fine and coarse particles has one surface") {
    // Spacing 0.1 for x < 0, twice as much beyond.
    Cloud cloud = lattice(0.1, 0.8, [](const Vec3d& x) { return x.x < 0; });
    const Cloud coarse = lattice(0.2, 0.8, [](const Vec3d& x) { return x.x > 0; });
    for (std::size_t i = 0; i < coarse.position.size(); ++i) cloud.add(to_double(coarse.position[i]), 0.1);
    for (const SurfaceMethod method : every_method) {
        const Surface s = surface_of(cloud, {.method = method}, 0.05);
        CHECK(s.report.components == 1);
        CHECK(s.report.genus == 0);
        CHECK(s.report.volume == doctest::Approx(s.volume).epsilon(0.01));
    }
}

TEST_CASE("the same bits for any number of threads") {
    const Cloud cloud = torus(0.12);
    for (const SurfaceMethod method : every_method) {
        const SurfaceSettings settings{.method = method, .smooth = 3};
        const Surface one = surface_of(cloud, settings, 0.06, 1),
                      three = surface_of(cloud, settings, 0.06, 3);
        CHECK(one.mesh.vertices == three.mesh.vertices);
        CHECK(one.mesh.normals == three.mesh.normals);
        CHECK(one.mesh.triangles == three.mesh.triangles);
        CHECK(one.report.volume == three.report.volume);
    }
}

TEST_CASE("normals of the field point outwards") {
    for (const SurfaceMethod method : every_method) {
        const Surface s = surface_of(ball(0.1), {.method = method}, 0.05);
        double worst = 1;
        for (std::size_t v = 0; v < s.mesh.vertices.size(); ++v) {
            CHECK(norm(s.mesh.normals[v]) == doctest::Approx(1).epsilon(1e-4));
            worst = std::min(worst, double{dot(s.mesh.normals[v], normalized(s.mesh.vertices[v]))});
        }
        CHECK(worst > 0.6);
    }
}

TEST_CASE("attributes are blended, labels are those of the nearest") {
    Cloud cloud = ball(0.1);
    std::vector<float> x, label;
    for (const Vec3f& p : cloud.position) {
        x.push_back(p.x);
        label.push_back(p.x < 0 ? 3 : 7);
    }
    const Surface s = reconstruct({2}, cloud.view(), {{"x", "m", x, true}, {"label", "", label, false}},
                                  {.method = SurfaceMethod::density}, 0.05, plenty);
    REQUIRE(s.mesh.attributes.size() == 2);
    for (std::size_t v = 0; v < s.mesh.vertices.size(); ++v) {
        CHECK(std::abs(s.mesh.attributes[0].values[v] - s.mesh.vertices[v].x) < 0.1f);
        if (std::abs(s.mesh.vertices[v].x) > 0.1f)
            CHECK(s.mesh.attributes[1].values[v] == (s.mesh.vertices[v].x < 0 ? 3 : 7));
    }
}

TEST_CASE("smoothing takes bumps away, keeps the volume, and leaves single drops round") {
    Cloud cloud = ball(0.1);
    for (std::size_t i = 0; i < cloud.position.size(); ++i)
        for (float* c : {&cloud.position[i].x, &cloud.position[i].y, &cloud.position[i].z})
            *c += static_cast<float>(
                0.04 * (uniform(3 * i + static_cast<std::size_t>(c - &cloud.position[i].x)) - 0.5));
    cloud.add({3, 0, 0}, 0.05);
    const SurfaceSettings rough{.method = SurfaceMethod::density, .resolution = 0.75};
    SurfaceSettings even = rough;
    even.smooth = 15;
    const Surface before = surface_of(cloud, rough, 0.05), after = surface_of(cloud, even, 0.05);
    CHECK(after.report.volume == doctest::Approx(before.report.volume).epsilon(2e-3));
    const auto spread_of = [](const Surface& s, const Vec3f& center, float within) {
        double sum = 0, squares = 0, n = 0;
        for (const Vec3f& v : s.mesh.vertices) {
            const double r = norm(v - center);
            if (r > within) continue;
            sum += r, squares += r * r, ++n;
        }
        return std::pair(sum / n, std::sqrt(squares / n - sum / n * sum / n));
    };
    CHECK(spread_of(after, {}, 2).second < 0.7 * spread_of(before, {}, 2).second);
    const auto drop = spread_of(before, {3, 0, 0}, 1), smoothed = spread_of(after, {3, 0, 0}, 1);
    CHECK(smoothed.first == doctest::Approx(drop.first).epsilon(0.05));
}

TEST_CASE("smoothing keeps the volume of a few particles, too") {
    Cloud cloud;
    for (int i = 0; i < 8; ++i) cloud.add({i & 1 ? 0.1 : 0, i & 2 ? 0.1 : 0, i & 4 ? 0.1 : 0}, 0.05);
    for (const SurfaceMethod method : every_method) {
        CAPTURE(static_cast<int>(method));
        const Surface s = surface_of(cloud, {.method = method, .smooth = 10}, 0.05);
        CHECK(s.report.volume == doctest::Approx(s.volume).epsilon(0.005));
    }
}

TEST_CASE("specks are removed on request") {
    Cloud cloud = ball(0.1, 0.6);
    cloud.add({3, 0, 0}, 0.05);
    SurfaceSettings settings{.method = SurfaceMethod::density};
    CHECK(surface_of(cloud, settings, 0.05).report.components == 2);
    settings.specks = 5;
    const Surface s = surface_of(cloud, settings, 0.05);
    CHECK(s.report.components == 1);
    CHECK(s.report.manifold());
    CHECK(s.mesh.normals.size() == s.mesh.vertices.size());
}

TEST_CASE("no particles: an empty closed mesh; particles that are nowhere or have no size: an error") {
    CHECK(surface_of({}, {}, 0.05).report.manifold());
    CHECK(surface_of({}, {}, 0.05).mesh.triangles.empty());
    Cloud cloud;
    cloud.add({0, std::numeric_limits<double>::quiet_NaN(), 0}, 0.1);
    CHECK_THROWS_AS(surface_of(cloud, {}, 0.1), InputError);
    cloud = {};
    cloud.add({0, 0, 0}, 0);
    CHECK_THROWS_AS(surface_of(cloud, {}, 0.1), InputError);
}

TEST_CASE("what does not fit into memory is refused before it is allocated") {
    Cloud cloud;
    cloud.add({0, 0, 0}, 1);
    CHECK_THROWS_AS(surface_of(cloud, {}, 1e-4), RunError);
    cloud.add({1e9, 0, 0}, 1);
    CHECK_THROWS_AS(surface_of(cloud, {}, 1), RunError);
}

namespace {

/// Particles without order: anywhere, on a line, in a plane, in one place, far from the origin; one or up to
/// sixty; of one size or of sizes 1:8; all of it huge or tiny.
struct RandomCloud {
    Cloud cloud;
    double radius;  ///< of the smallest

    RandomCloud(std::uint64_t seed, unsigned shape, unsigned sizes, unsigned scale) {
        const double unit = scale % 3 == 0 ? 1 : scale % 3 == 1 ? 1e5 : 1e-5;
        radius = 0.5 * unit;
        const auto count =
            shape % 6 == 5 ? 1 : 1 + static_cast<int>(uniform(seed) * (seed % 2 == 0 ? 12 : 60));
        const double spread = unit * std::exp2(8 * uniform(seed + 1) - 2);
        const double far = shape % 6 == 4 ? 1000 * unit : 0;
        for (int i = 0; i < count; ++i) {
            const auto random = [&](std::uint64_t k) {
                return uniform(mix(seed) + 8 * static_cast<std::uint64_t>(i) + k);
            };
            Vec3d x = spread * Vec3d{random(0), random(1), random(2)};
            if (shape % 6 == 1) x = spread * Vec3d{random(0), 0, 0};          // collinear
            if (shape % 6 == 2) x = spread * Vec3d{random(0), 0, random(2)};  // coplanar
            if (shape % 6 == 3) x = {};                                       // coincident
            cloud.add(x + Vec3d{far, far, far}, sizes % 2 == 0 ? radius : radius * std::exp2(3 * random(3)));
        }
    }
};

}  // namespace

TEST_CASE("random clouds have closed manifold surfaces, whatever they are like") {
    CHECK(rc::check([](std::uint64_t seed, std::uint8_t shape, std::uint8_t kind) {
        const RandomCloud random(seed, shape, kind / 3, kind / 6);
        const SurfaceSettings settings{.method = every_method[mix(seed) % 5],
                                       .resolution = 0.7 + uniform(seed + 2),
                                       .smooth = kind % 3,
                                       .slivers = seed % 4 == 0 ? 0.3 : 0};
        const Surface s = surface_of(random.cloud, settings, random.radius);
        RC_ASSERT(s.report.manifold());
        // A drop has the radius 1.24 r: a grid this fine has a node in it, wherever it is.
        if (settings.resolution < 1.24 * 2 / std::sqrt(3.0)) RC_ASSERT(s.report.vertices > 0u);
        RC_ASSERT(std::isfinite(s.report.volume) && std::isfinite(s.report.area));
        for (const Vec3f& n : s.mesh.normals) RC_ASSERT(is_finite(n));
    }));
}
