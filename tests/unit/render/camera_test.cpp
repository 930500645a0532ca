#include "render/camera.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "render/survey.h"

using namespace thixo;

namespace {

/// All corners appear inside the margins, and at least one touches them.
bool fits(const Bounds& stage, int dimensions, int width, int height, const Margins& margins) {
    const Camera camera = automatic_camera(stage, dimensions, static_cast<double>(width) / height, margins);
    const Lens lens(camera, width, height);
    float left = 1e9f, right = -1e9f, top = 1e9f, bottom = -1e9f;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3f p = lens.project(
            to_float({corner & 1 ? stage.max.x : stage.min.x, corner & 2 ? stage.max.y : stage.min.y,
                      corner & 4 ? stage.max.z : stage.min.z}));
        if (p.z <= 0) return false;
        left = std::min(left, p.x), right = std::max(right, p.x);
        top = std::min(top, p.y), bottom = std::max(bottom, p.y);
    }
    const auto w = static_cast<float>(width), h = static_cast<float>(height);
    const float room[] = {
        left - w * static_cast<float>(margins.left), w * static_cast<float>(1 - margins.right) - right,
        top - h * static_cast<float>(margins.top), h * static_cast<float>(1 - margins.bottom) - bottom};
    const float slack = 0.01f * w;
    const bool inside = *std::min_element(std::begin(room), std::end(room)) > -slack;
    const bool tight = room[0] + room[1] < 2 * slack || room[2] + room[3] < 2 * slack;
    return inside && tight;
}

}  // namespace

TEST_CASE("the automatic camera frames everything, as large as it fits") {
    CHECK(rc::check([] {
        const auto number = [](int low, int high) { return *rc::gen::inRange(low, high) / 100.0; };
        Bounds stage;
        stage.min = {number(-500, 500), number(-500, 500), number(-500, 500)};
        stage.max = stage.min + Vec3d{number(1, 400), number(1, 400), number(1, 400)};
        const int width = *rc::gen::inRange(200, 1000), height = *rc::gen::inRange(200, 1000);
        const Margins margins{.right = number(5, 35)};
        RC_ASSERT(fits(stage, 3, width, height, margins));
        stage.min.z = stage.max.z = 0;
        RC_ASSERT(fits(stage, 2, width, height, margins));
    }));
}

TEST_CASE("matter fills the picture whatever its shape, and nothing of it is cut off") {
    // Of a ball, the corners of the box around it are empty: a camera that is to see them shows it a fifth
    // smaller.
    std::vector<Vec3f> position;
    for (int k = 0; k < 20'000; ++k) {
        const float z = 1 - (2 * static_cast<float>(k) + 1) / 20'000, r = std::sqrt(1 - z * z),
                    a = 2.399963f * static_cast<float>(k);
        position.push_back({3 + r * std::cos(a), z, r * std::sin(a)});
    }
    const std::vector<float> radius(position.size(), 0.01f);
    const Bounds box = subject_bounds(position, radius);
    Outline outline;
    CHECK(outline.points().empty());
    outline.add(position, radius, box);
    const int width = 320, height = 180;
    const Margins margins;
    const Lens lens(automatic_camera(box, 3, 16.0 / 9, margins, outline.points()), width, height);
    float low = 1e9f, high = -1e9f;
    for (const Vec3f& x : position) {
        const Vec3f at = lens.project(x);
        low = std::min(low, at.y), high = std::max(high, at.y);
    }
    CHECK(low > 0.06f * height);
    CHECK(high < 0.94f * height);
    CHECK(high - low > 0.82f * height);
    // Farther points make room for themselves.
    outline.add(Vec3d{3, 2, 0});
    const Lens wider(automatic_camera(box, 3, 16.0 / 9, margins, outline.points()), width, height);
    CHECK(wider.project({3, 2, 0}).y > 0.06f * height);
}

TEST_CASE("a ray through a pixel meets the points that project there") {
    for (const bool perspective : {true, false}) {
        const Lens lens(
            {.eye = {3, 2, 5}, .target = {0.5, 0, 0}, .fov = 40, .height = 3, .perspective = perspective},
            300, 200);
        const Ray ray = lens.ray(70.25f, 130.5f);
        const Vec3f p = lens.project(ray.origin + ray.direction * 4.0f);
        CHECK(p.x == doctest::Approx(70.25).epsilon(1e-4));
        CHECK(p.y == doctest::Approx(130.5).epsilon(1e-4));
    }
}

TEST_CASE("up is up in the picture, and looking straight down works") {
    const Lens lens(automatic_camera({{-1, 0, -1}, {1, 1, 1}}, 3, 1.5), 300, 200);
    CHECK(lens.project({0, 1, 0}).y < lens.project({0, 0, 0}).y);
    const Lens down({.eye = {0, 5, 0}, .target = {0, 0, 0}}, 100, 100);
    const Vec3f centre = down.project({0, 0, 0});
    CHECK(centre.x == doctest::Approx(50));
    CHECK(centre.y == doctest::Approx(50));
}

TEST_CASE("wide floors and tall tanks do not make the particles small") {
    const Bounds particles{{0, 0, 0}, {1, 1, 1}};
    const Bounds stage =
        stage_bounds(particles, {{Box{{-100, -1, -100}, {100, 0, 100}}, false}, {Plane{}, false}}, 3);
    CHECK(norm(stage.size()) < 4);
    const Bounds snug = stage_bounds(particles, {{Box{{-0.2, 0, 0}, {1.2, 1.4, 1}}, true}}, 3);
    // Of walls above the matter a strip is enough.
    CHECK(snug.max.y == doctest::Approx(1.15));
    CHECK(snug.max.x == doctest::Approx(1 + 0.1 * std::sqrt(3)));
    // What moves is seen where it is; what has no end, wherever it is, says nothing.
    const Pose pose{.translation = {0, 0.3, 0}};
    const HeightField ground{.min = {-9, -9, -9}, .max = {9, 9, 9}};
    const Bounds lifted = stage_bounds(
        particles, {{Box{{0.4, 0.8, 0.4}, {0.6, 1, 0.6}}, false, pose}, {ground, false, pose}}, 3);
    CHECK(lifted.max.y == doctest::Approx(1.3));
    CHECK(lifted.min.y == 0);
    // An end that is near is shown, of what goes on a strip.
    const Bounds shelf = stage_bounds(particles, {{Box{{-9, -0.3, 0}, {1.2, 0, 1}}, false}}, 3);
    CHECK(shelf.max.x == doctest::Approx(1.2));
    CHECK(shelf.min.y == doctest::Approx(-0.3));
    CHECK(shelf.min.x == doctest::Approx(-0.1 * std::sqrt(3)));
    CHECK(shown_part({Box{{3, 0, 0}, {4, 1, 1}}, false}, particles).empty());
}
