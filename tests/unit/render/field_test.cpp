#include "render/traced_field.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/hash.h"
#include "render/trace.h"
#include "surface/reconstruct.h"

using namespace thixo;

namespace {

constexpr float spacing = 0.1f;

/// A ball of particles, moved at random by a tenth of a spacing.
struct Ball {
    std::vector<Vec3f> position;
    std::vector<float> radius;

    Ball() {
        std::uint64_t key = 1;
        const auto shake = [&] {
            return 0.2f * spacing * (static_cast<float>(mix(++key) >> 40) * 0x1p-24f - 0.5f);
        };
        for (int k = -6; k <= 6; ++k)
            for (int j = -6; j <= 6; ++j)
                for (int i = -6; i <= 6; ++i) {
                    const Vec3f x{spacing * static_cast<float>(i), spacing * static_cast<float>(j),
                                  spacing * static_cast<float>(k)};
                    if (norm(x) > 0.52f) continue;
                    position.push_back(x + Vec3f{shake(), shake(), shake()});
                    radius.push_back(0.5f * spacing);
                }
    }
};

TracedField field_of(const Ball& ball, SurfaceMethod method,
                     const std::vector<SurfaceObstacle>& obstacles = {}) {
    const Device device{1};
    const SurfaceSettings settings{.method = method};
    return {device,
            make_field_surface(device, {ball.position, ball.radius, {}}, settings, 0.5 * spacing, 1e10,
                               obstacles),
            method,
            obstacles,
            std::vector<std::uint16_t>(ball.position.size(), 0),
            {Optics{}},
            {}};
}

/// The nearest hit over all bricks.
bool meet(const TracedField& field, const Ray& ray, float& distance) {
    float nearest = 1e9f, t = 0;
    for (std::size_t b = 0; b < field.bricks(); ++b)
        if (field.meet(b, ray, 0, nearest, t)) nearest = t;
    distance = nearest;
    return nearest < 1e8f;
}

}  // namespace

TEST_CASE(
    "rays end at roots of the field of the particles, of every method, within a hundredth of a spacing") {
    const Ball ball;
    for (const SurfaceMethod method : {SurfaceMethod::density, SurfaceMethod::zhu_bridson,
                                       SurfaceMethod::solenthaler, SurfaceMethod::anisotropic}) {
        const TracedField field = field_of(ball, method);
        int hits = 0;
        for (int k = 0; k < 60; ++k) {
            const float a = 2.4f * static_cast<float>(k),
                        r = 0.45f * std::sqrt((static_cast<float>(k) + 0.5f) / 60);
            const Ray ray{{r * std::cos(a), r * std::sin(a), 2}, {0, 0, -1}};
            float t = 0;
            REQUIRE(meet(field, ray, t));
            ++hits;
            // The sign changes between a hundredth of a spacing before the hit and one behind it.
            const auto at = [&](float s) { return field.value(ray.origin + ray.direction * s); };
            CHECK(at(t - 0.01f * spacing) > 0);
            CHECK(at(t + 0.01f * spacing) < 0);
            CHECK(dot(field.at(ray.origin + ray.direction * t).normal, ray.direction) < 0);
        }
        CHECK(hits == 60);
        float t = 0;
        CHECK_FALSE(meet(field, {{0.9f, 0, 2}, {0, 0, -1}}, t));
    }
}

TEST_CASE("the cached surface is off by no more than linear interpolation may be") {
    const Ball ball;
    for (const SurfaceMethod method : {SurfaceMethod::density, SurfaceMethod::zhu_bridson,
                                       SurfaceMethod::solenthaler, SurfaceMethod::anisotropic}) {
        const TracedField field = field_of(ball, method);
        CHECK(field.cache_error() < field.radius());
        float worst = 0;
        for (int k = 0; k < 200; ++k) {
            const float a = 2.4f * static_cast<float>(k),
                        r = 0.5f * std::sqrt((static_cast<float>(k) + 0.5f) / 200);
            Ray ray{{r * std::cos(a), r * std::sin(a), 2}, {0, 0, -1}};
            ray.coarse = true;
            float t = 0;
            REQUIRE(meet(field, ray, t));
            // Across the surface: what the field itself is there.
            worst = std::max(worst, std::abs(field.value(ray.origin + ray.direction * t)));
        }
        INFO(static_cast<int>(method));
        CHECK(worst < field.cache_error());
        CHECK(worst > 0.001f * field.cache_error());
    }
}

TEST_CASE(
    "rays meet the field where its own fine mesh is, within a hundredth of a spacing, by every method") {
    const Ball ball;
    const Device device{1};
    for (const SurfaceMethod method : {SurfaceMethod::density, SurfaceMethod::zhu_bridson,
                                       SurfaceMethod::solenthaler, SurfaceMethod::anisotropic}) {
        const TracedField field = field_of(ball, method);
        // Without matching volumes both are the same iso-surface; the level of the field is taken for the
        // mesh.
        const auto made = [&](const SurfaceSettings& settings) {
            return make_field_surface(device, {ball.position, ball.radius, {}}, settings, 0.5 * spacing, 1e10,
                                      {});
        };
        const double level = made({.method = method}).level;
        const SurfaceMesh mesh =
            polygonise(device, made({.method = method, .resolution = 0.125, .match_volume = false}).field,
                       static_cast<float>(level), true)
                .mesh;
        float worst = 0;
        int met = 0;
        for (std::size_t v = 0; v < mesh.vertices.size(); v += 97) {
            const Vec3f x = mesh.vertices[v], n = field.at(x).normal;
            const float away = 0.2f * spacing;
            float t = 0;
            if (!meet(field, {x + n * away, -n}, t)) continue;
            worst = std::max(worst, std::abs(t - away));
            ++met;
        }
        INFO(static_cast<int>(method));
        CHECK(met > 100);
        // Vertices of a mesh lie on edges of cells: linear interpolation over an eighth of a radius.
        CHECK(worst < 0.01f * spacing);
    }
}

TEST_CASE("walls cut the field off flat") {
    const std::vector<SurfaceObstacle> floor{{Plane{{0, 0, 0}, {0, 1, 0}}, false}};
    Ball upper;
    std::erase_if(upper.position, [](const Vec3f& x) { return x.y < 0; });
    upper.radius.resize(upper.position.size());
    const TracedField field = field_of(upper, SurfaceMethod::anisotropic, floor);
    float t = 0;
    REQUIRE(meet(field, {{0.1f, -1, 0.05f}, {0, 1, 0}}, t));
    CHECK(std::abs(t - 1) < 0.01f * spacing);
}

TEST_CASE("pictures of fields do not depend on the number of threads and look like those of fine meshes") {
    const Ball ball;
    const Device device{2};
    Optics matte;
    matte.refractive_index = 1;
    const auto with = [&](TracedSurface surface) {
        TracedPicture p;
        p.surfaces.push_back(std::move(surface));
        p.stage = {{-0.6, -0.6, -0.6}, {0.6, 0.6, 0.6}};
        return p;
    };
    TracedSurface direct;
    const FieldSurface made =
        make_field_surface(device, {ball.position, ball.radius, {}}, {}, 0.5 * spacing, 1e10, {});
    direct.field = std::make_shared<const TracedField>(device, made, SurfaceMethod::anisotropic,
                                                       std::vector<SurfaceObstacle>{},
                                                       std::vector<std::uint16_t>(ball.position.size(), 0),
                                                       std::vector<Optics>{matte}, std::vector<float>{});
    TracedSurface meshed{.optics = {matte}};
    meshed.mesh =
        polygonise(device,
                   make_field_surface(device, {ball.position, ball.radius, {}},
                                      {.resolution = 0.3, .match_volume = false}, 0.5 * spacing, 1e10, {})
                       .field,
                   static_cast<float>(made.level), true)
            .mesh;
    const TracedPicture a = with(direct), b = with(meshed);
    const Camera camera = automatic_camera(a.stage, 3, 1);
    TraceSettings settings{
        .width = 48, .height = 48, .samples = 8, .first_samples = 8, .denoised = false, .threads = 1};
    const Film one = trace(a, camera, settings), fine = trace(b, camera, settings);
    for (const int threads : {2, 5}) {
        settings.threads = threads;
        CHECK(trace(a, camera, settings).light == one.light);
    }
    double difference = 0;
    for (std::size_t p = 0; p < one.count(); ++p)
        difference += norm(one.light[p] - fine.light[p]) / static_cast<double>(one.count());
    CHECK(difference < 0.02);
}
