#include "render/path_tracer.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "core/hash.h"
#include "render/film.h"
#include "render/fresnel.h"
#include "render/trace.h"

using namespace thixo;

namespace {

constexpr double degree = std::numbers::pi / 180;

/// A closed box, counter-clockwise seen from outside.
SurfaceMesh box(const Vec3f& low, const Vec3f& high) {
    SurfaceMesh mesh;
    for (int k = 0; k < 8; ++k)
        mesh.vertices.push_back({k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z});
    for (const auto& [a, b, c, d] :
         {std::array{0, 4, 6, 2}, std::array{1, 3, 7, 5}, std::array{0, 1, 5, 4}, std::array{2, 6, 7, 3},
          std::array{0, 2, 3, 1}, std::array{4, 5, 7, 6}}) {
        const auto u = [](int k) { return static_cast<std::uint32_t>(k); };
        mesh.triangles.push_back({u(a), u(b), u(c)});
        mesh.triangles.push_back({u(a), u(c), u(d)});
    }
    return mesh;
}

Optics clear(float refractive_index, const Rgb& absorption = {}) {
    Optics o;
    o.clear = true;
    o.roughness = 0;
    o.refractive_index = refractive_index;
    o.absorption = absorption;
    return o;
}

/// A scene with a camera at z = 10 that looks at the origin.
struct Bench {
    std::vector<TracedSurface> surfaces;
    std::vector<TracedObstacle> obstacles;
    RenderScene around;
    Lens lens{Camera{.eye = {0, 0, 10}, .target = {0, 0, 0}, .fov = 20}, 100, 100};

    Bench() { around.stage = {{-1, -1, -1}, {1, 1, 1}}; }

    Rgb mean(const Lights& lights, const Ray& ray, int samples, PathSettings settings = {}) const {
        const TracedScene scene(surfaces, obstacles, around.stage, 1);
        const Scenery scenery(around, lens, 100);
        const PathTracer paths(scene, scenery, lights, settings);
        Rgb sum{};
        for (int s = 0; s < samples; ++s) {
            PathSampler random(3, 7, s);
            sum += paths.trace(ray, {1, 1, 1}, random).light;
        }
        return sum / static_cast<float>(samples);
    }
};

constexpr PathSettings exact{.bounces = 200, .crossings = 400, .brightest = 1e9f};

}  // namespace

TEST_CASE(
    "Fresnel's equations: normal incidence, Brewster's angle, total reflection, both directions alike") {
    CHECK(fresnel(1, 1.5f) == doctest::Approx(0.04).epsilon(1e-4));
    CHECK(fresnel(1, 1 / 1.33f) == doctest::Approx(std::pow(0.33 / 2.33, 2)).epsilon(1e-4));
    const double n = 1.5, brewster = std::atan(n), inside = std::asin(std::sin(brewster) / n);
    const double s = std::sin(brewster - inside) / std::sin(brewster + inside);
    CHECK(fresnel(float(std::cos(brewster)), 1.5f) == doctest::Approx(0.5 * s * s).epsilon(1e-4));
    CHECK(fresnel(float(std::cos(42 * degree)), 1 / 1.5f) == 1);
    for (const double angle : {10.0, 35.0, 60.0, 80.0}) {
        const double t = std::asin(std::sin(angle * degree) / 1.33);
        CHECK(fresnel(float(std::cos(angle * degree)), 1.33f) ==
              doctest::Approx(fresnel(float(std::cos(t)), 1 / 1.33f)).epsilon(1e-4));
    }
}

TEST_CASE("Snell's law, in and out") {
    for (const double angle : {0.0, 20.0, 50.0, 85.0}) {
        const Vec3f d{float(std::sin(angle * degree)), float(-std::cos(angle * degree)), 0};
        Vec3f in, out;
        REQUIRE(refracted(d, {0, 1, 0}, 1.33f, in));
        CHECK(in.x == doctest::Approx(std::sin(angle * degree) / 1.33).epsilon(1e-5));
        REQUIRE(refracted(in, {0, 1, 0}, 1 / 1.33f, out));
        CHECK(norm(out - d) < 1e-5f);
    }
    Vec3f none;
    CHECK_FALSE(refracted(normalized(Vec3f{1, -0.8f, 0}), {0, 1, 0}, 1 / 1.33f, none));
}

TEST_CASE("a ray through a tilted pane leaves along its old direction, shifted as Snell's law says") {
    const Vec3f d = normalized(Vec3f{0.4f, 0.3f, -1}), from{-2, -1.5f, 5};
    const float across = std::hypot(d.x, d.y), inside = across / 1.5f;
    const Vec3f sideways{d.x / across, d.y / across, 0};
    const Vec3f straight = from + d * ((5 + 3) / -d.z);  // at z = -3
    const float shift = across / std::sqrt(1 - across * across) - inside / std::sqrt(1 - inside * inside);
    const auto light_past = [&](const Vec3f& ball) {
        Bench bench;
        bench.surfaces.push_back({.mesh = box({-5, -5, -0.5f}, {5, 5, 0.5f}), .optics = {clear(1.5f)}});
        Optics black;
        black.colour = {0, 0, 0};
        black.refractive_index = 1;
        bench.obstacles.push_back({{Sphere{to_double(ball), 0.05}, false}, black});
        return bench.mean(Lights::even(bench.lens, {1, 1, 1}), {from, d}, 256, exact).x;
    };
    CHECK(shift > 0.15f);
    CHECK(light_past(straight - sideways * shift) < 0.15f);  // what both faces reflect
    CHECK(light_past(straight) > 0.98f);
    CHECK(light_past(straight + sideways * shift) == doctest::Approx(1).epsilon(1e-3));
}

TEST_CASE("furnace: in even light nothing is lost and nothing is made") {
    struct Kind {
        const char* name;
        Optics optics;
    };
    Optics matte;
    matte.colour = {1, 1, 1};
    matte.refractive_index = 1;
    Optics glossy = matte;
    glossy.refractive_index = 1.5f;
    glossy.roughness = 0.3f;
    Optics metal = matte;
    metal.metal = 1;
    metal.roughness = 0.2f;
    Optics frosted = clear(1.31f);
    frosted.roughness = 0.25f;
    Optics cloudy = clear(1.33f);
    cloudy.scattering = 2;
    for (const Kind& kind : {Kind{"matte", matte}, Kind{"glossy", glossy}, Kind{"metal", metal},
                             Kind{"glass", clear(1.5f)}, Kind{"frosted", frosted}, Kind{"cloudy", cloudy}}) {
        Bench bench;
        bench.obstacles.push_back({{Sphere{{0, 0, 0}, 1}, false}, kind.optics});
        const Lights lights = Lights::even(bench.lens, {1, 1, 1});
        double sum = 0;
        const int points = 12;
        for (int k = 0; k < points; ++k) {
            const float r = std::sqrt((static_cast<float>(k) + 0.5f) / points),
                        a = 2.4f * static_cast<float>(k);
            const Ray ray{{0.99f * r * std::cos(a), 0.99f * r * std::sin(a), 5}, {0, 0, -1}};
            sum += bench.mean(lights, ray, 128, exact).y / points;
        }
        INFO(kind.name);
        CHECK(sum == doctest::Approx(1).epsilon(0.01));
    }
}

TEST_CASE("Beer-Lambert: light falls off exponentially with depth, by colour") {
    for (const float depth : {0.2f, 1.0f, 2.5f}) {
        Bench bench;
        bench.surfaces.push_back(
            {.mesh = box({-3, -3, -depth}, {3, 3, 0}), .optics = {clear(1, {0.3f, 0.9f, 2.0f})}});
        const Rgb light =
            bench.mean(Lights::even(bench.lens, {1, 1, 1}), {{0.1f, 0.2f, 5}, {0, 0, -1}}, 4, exact);
        CHECK(light.x == doctest::Approx(std::exp(-0.3 * depth)).epsilon(1e-3));
        CHECK(light.y == doctest::Approx(std::exp(-0.9 * depth)).epsilon(1e-3));
        CHECK(light.z == doctest::Approx(std::exp(-2.0 * depth)).epsilon(1e-3));
    }
}

TEST_CASE("where clear surfaces overlap the one with the higher priority counts") {
    Bench bench;
    // Water from 0 to −3; ice from −1 to −2, and water's own surface once more inside it.
    bench.surfaces.push_back(
        {.mesh = box({-3, -3, -3}, {3, 3, 0}), .optics = {clear(1, {1, 1, 1})}, .priority = 1});
    bench.surfaces.push_back(
        {.mesh = box({-2, -2, -2}, {2, 2, -1}), .optics = {clear(1, {0.1f, 0.1f, 0.1f})}, .priority = 2});
    const Rgb light =
        bench.mean(Lights::even(bench.lens, {1, 1, 1}), {{0.1f, 0.2f, 5}, {0, 0, -1}}, 4, exact);
    CHECK(light.x == doctest::Approx(std::exp(-(1 + 0.1 + 1))).epsilon(1e-3));
}

TEST_CASE("a matte ball has the brightness that sky and key light give each of its normals") {
    Bench bench;
    Optics matte;
    matte.colour = {0.5f, 0.4f, 0.3f};
    matte.refractive_index = 1;
    bench.obstacles.push_back({{Sphere{{0, 0, 0}, 1}, false}, matte});
    const Lights lights(bench.lens, false);
    int checked = 0;
    for (const Vec3f& at : {Vec3f{0, 0, 1}, Vec3f{-0.5f, 0.5f, 1}, Vec3f{-0.6f, 0.1f, 1},
                            Vec3f{0.2f, 0.6f, 1}, Vec3f{0.1f, -0.3f, 1}}) {
        const Vec3f n = normalized(at);
        if (lights.open(n).x - lights.open_sky(n).x < 0.2f)
            continue;  // the key light has not risen as a whole
        const Rgb light = bench.mean(lights, {{n.x, n.y, 5}, {0, 0, -1}}, 256);
        const Rgb wanted = modulate(matte.colour, lights.open(n));
        CHECK(light.x == doctest::Approx(wanted.x).epsilon(0.01));
        CHECK(light.z == doctest::Approx(wanted.z).epsilon(0.01));
        ++checked;
    }
    CHECK(checked >= 4);
}

TEST_CASE(
    "light that goes in comes out again: wax on a plane is as bright as matte matter, and softens shadows") {
    Optics wax;
    wax.colour = {0.8f, 0.8f, 0.8f};
    wax.refractive_index = 1;
    wax.spread = {0.1f, 0.06f, 0.03f};
    Bench bench;
    bench.surfaces.push_back({.mesh = box({-50, -50, -50}, {50, 50, 0}), .optics = {wax}});
    const Rgb light = bench.mean(Lights::even(bench.lens, {1, 1, 1}), {{0, 0, 5}, {0, 0, -1}}, 4096, exact);
    CHECK(light.x == doctest::Approx(0.8).epsilon(0.03));
    CHECK(light.z == doctest::Approx(0.8).epsilon(0.03));
}

TEST_CASE("a traced picture does not depend on the number of threads, and says how noisy it is") {
    Optics wax;
    wax.spread = {0.1f, 0.06f, 0.03f};
    Optics mirror;
    mirror.metal = 1;
    mirror.roughness = 0.3f;
    TracedPicture picture;
    picture.surfaces.push_back({.mesh = box({-1, 0, -1}, {0, 1, 0}), .optics = {wax}});
    picture.surfaces.push_back(
        {.mesh = box({0.1f, 0, -1}, {1, 0.7f, 1}), .optics = {clear(1.33f, {2, 1, 0.2f})}, .priority = 1});
    picture.obstacles = {
        {Sphere{{-0.4, 0.3, 0.6}, 0.3}, false}, {Plane{}, false}, {Cylinder{{0, 0, 0}, {0, 2, 0}, 2}, true}};
    picture.looks = {mirror, {}, {}};
    picture.stage = {{-1, 0, -1}, {1, 1, 1}};
    const Camera camera = automatic_camera(picture.stage, 3, 1.5);
    TraceSettings settings{.width = 60,
                           .height = 40,
                           .samples = 16,
                           .first_samples = 4,
                           .noise = 0.02f,
                           .aperture = 0.02f,
                           .threads = 1};
    const Film one = trace(picture, camera, settings);
    for (const int threads : {2, 5}) {
        settings.threads = threads;
        const Film other = trace(picture, camera, settings);
        CHECK(other.light == one.light);
        CHECK(develop(other).pixels == develop(one).pixels);
    }
    // Paths go where the noise is.
    const auto [least, most] = std::minmax_element(one.samples.begin(), one.samples.end());
    CHECK(*least == 4);
    CHECK(*most == 16);
}

TEST_CASE("motion blurs along the motion") {
    Optics matte;
    matte.colour = {0, 0, 0};
    matte.refractive_index = 1;
    const auto coverage = [&](const Vec3f& motion, int x) {
        TracedPicture picture;
        picture.surfaces.push_back(
            {.mesh = box({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}), .optics = {matte}});
        if (norm(motion) > 0) picture.surfaces[0].motion.assign(8, motion);
        TracedPicture empty;
        empty.stage = picture.stage = {{-2, -2, -2}, {2, 2, 2}};
        const Camera camera{.eye = {0, 0, 20}, .target = {0, 0, 0}, .height = 4, .perspective = false};
        const TraceSettings settings{
            .width = 40, .height = 40, .samples = 64, .first_samples = 64, .denoised = false, .threads = 1};
        const Film film = trace(picture, camera, settings), nothing = trace(empty, camera, settings);
        return 1 - film.light[film.at(x, 20)].y / nothing.light[film.at(x, 20)].y;
    };
    // 0.7 m from the middle: outside the box at rest, inside it for 0.3 of the time when it moves by 1 m.
    CHECK(coverage({0, 0, 0}, 27) == doctest::Approx(0).epsilon(0.01));
    CHECK(coverage({1, 0, 0}, 27) == doctest::Approx(0.25).epsilon(0.3));
}

TEST_CASE("what is out of focus is blurred by the disc of the lens") {
    Optics matte;
    matte.colour = {0, 0, 0};
    matte.refractive_index = 1;
    const auto coverage = [&](float focus) {
        TracedPicture picture;
        picture.surfaces.push_back(
            {.mesh = box({-0.5f, -0.9f, -0.01f}, {0.5f, 0.9f, 0.01f}), .optics = {matte}});
        TracedPicture empty;
        empty.stage = picture.stage = {{-2, -2, -2}, {2, 2, 2}};
        const Camera camera{.eye = {0, 0, 20}, .target = {0, 0, 0}, .height = 0.4, .perspective = false};
        const TraceSettings settings{.width = 40,
                                     .height = 4,
                                     .samples = 1024,
                                     .first_samples = 1024,
                                     .denoised = false,
                                     .aperture = 0.4f,
                                     .focus = focus,
                                     .threads = 1};
        const Film film = trace(picture, camera, settings), nothing = trace(empty, camera, settings);
        double sum = 0;
        for (int y = 0; y < 4; ++y)
            sum += 0.25 * (1 - film.light[film.at(27, y)].y / nothing.light[film.at(27, y)].y);
        return sum;
    };
    // 0.25 m beside the edge, at 20 m: with the focus at 10 m the lens appears there as large as it is, and
    // this part of its disc is beyond the edge.
    const double c = 0.25 / 0.4, segment = (std::acos(c) - c * std::sqrt(1 - c * c)) / std::numbers::pi;
    CHECK(coverage(20) == doctest::Approx(0).epsilon(0.005));
    CHECK(coverage(10) == doctest::Approx(segment).epsilon(0.1));
}

TEST_CASE(
    "the filter of pictures takes noise away, single dark and bright pixels too, and leaves edges and "
    "lines") {
    const auto film_of = [](float noise) {
        Film film(48, 32);
        for (int y = 0; y < film.height; ++y)
            for (int x = 0; x < film.width; ++x) {
                const std::size_t p = film.at(x, y);
                const float level = x < 24 ? 0.2f : 0.6f;
                const float off = static_cast<float>(mix(p + 1) >> 40) * 0x1p-24f - 0.5f;
                const float own = level + noise * off;
                film.light[p] = {own, own, own};
                film.albedo[p] = {level, level, level};
                film.normal[p] = {0, 0, 1};
                film.depth[p] = 1;
                film.variance[p] = noise * noise / 12;
            }
        return film;
    };
    const auto error = [](const Film& film) {
        double sum = 0;
        for (int y = 4; y < 28; ++y)
            for (int x = 4; x < 44; ++x)
                sum += std::pow(film.light[film.at(x, y)].y - (x < 24 ? 0.2 : 0.6), 2);
        return std::sqrt(sum / (24 * 40));
    };
    const Film noisy = film_of(0.2f);
    Film filtered = noisy;
    denoise(filtered, 1);
    CHECK(error(filtered) < 0.3 * error(noisy));
    // Single pixels that are off by five standard errors are noise too.
    Film grainy = film_of(0.1f);
    const float off = 5 * 0.1f / std::sqrt(12.f);
    for (const int x : {8, 14, 32, 40})
        for (const int y : {8, 16, 24}) grainy.light[grainy.at(x, y)] += Rgb{off, off, off};
    denoise(grainy, 1);
    for (const int x : {8, 14, 32, 40})
        for (const int y : {8, 16, 24})
            CHECK(grainy.light[grainy.at(x, y)].y == doctest::Approx(x < 24 ? 0.2 : 0.6).epsilon(0.15));
    Film marked = film_of(0);
    for (int y = 0; y < marked.height; ++y) marked.light[marked.at(36, y)] = {0.05f, 0.05f, 0.05f};
    marked.light[marked.at(30, 10)] = {0, 0, 0};
    marked.light[marked.at(10, 10)] = {50, 50, 50};
    denoise(marked, 1);
    CHECK(marked.light[marked.at(30, 10)].y == doctest::Approx(0.6));
    CHECK(marked.light[marked.at(10, 10)].y == doctest::Approx(0.2));
    CHECK(marked.light[marked.at(36, 16)].y == doctest::Approx(0.05));
    CHECK(marked.light[marked.at(23, 16)].y == doctest::Approx(0.2));
}
