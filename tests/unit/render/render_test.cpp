#include "render/render.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "geometry/mesh_distance.h"
#include "unit/geometry/meshes.h"
#include "unit/render/clouds.h"

using namespace thixo;
using test::Cloud;

namespace {

RenderScene scene_of(const Cloud& cloud, std::vector<RenderObstacle> obstacles = {}, int dimensions = 3) {
    RenderScene scene;
    scene.particles = cloud.view();
    scene.obstacles = std::move(obstacles);
    scene.dimensions = dimensions;
    scene.stage = stage_bounds(cloud.bounds(), scene.obstacles, dimensions);
    return scene;
}

constexpr RenderSettings small{.width = 160, .height = 90, .samples = 4, .bounces = 2, .threads = 2};

Image picture(const RenderScene& scene, const RenderSettings& settings = small) {
    const double aspect = static_cast<double>(settings.width) / settings.height;
    return render(scene, automatic_camera(scene.stage, scene.dimensions, aspect), settings);
}

/// Mean of the channels in a square around a pixel, 0 … 255.
double brightness(const Image& image, float x, float y, int half = 2) {
    double sum = 0;
    int count = 0;
    for (int v = static_cast<int>(y) - half; v <= static_cast<int>(y) + half; ++v) {
        for (int u = static_cast<int>(x) - half; u <= static_cast<int>(x) + half; ++u) {
            const std::uint8_t* p = image.at(u, v);
            sum += (p[0] + p[1] + p[2]) / 3.0;
            ++count;
        }
    }
    return sum / count;
}

/// How much bluer than red a pixel is.
int blueness(const Image& image, int x, int y) { return image.at(x, y)[2] - image.at(x, y)[0]; }

}  // namespace

TEST_CASE("a sphere covers its disc and nothing else") {
    Cloud cloud;
    cloud.add({0, 0, 0}, 1, 0);
    RenderScene scene = scene_of(cloud);
    scene.colours.map = ColourMap::named("water");
    // Seen from distance 10 with 30°, the disc's radius is 10 tan(asin(1/10)) of 10 tan 15° half heights.
    const Camera camera{.eye = {0, 0, 10}, .target = {0, 0, 0}, .fov = 30};
    const Image image = render(scene, camera, {.width = 201, .height = 201, .samples = 4, .threads = 2});
    const double radius = 100.5 * std::tan(std::asin(0.1)) / std::tan(15 * 3.14159265 / 180);
    for (const double angle : {0.0, 1.0, 2.5, 4.0, 5.5}) {
        const auto at = [&](double r) {
            return blueness(image, static_cast<int>(100.5 + r * std::cos(angle)),
                            static_cast<int>(100.5 + r * std::sin(angle)));
        };
        CHECK(at(radius - 2) > 45);
        CHECK(at(radius + 2) < 40);
    }
    CHECK(blueness(image, 100, 100) > 60);
}

TEST_CASE("a shadow falls on the floor, away from the sun, and nowhere else") {
    Cloud cloud;
    cloud.add({0, 0.6f, 0}, 0.2f, 0);
    RenderScene scene = scene_of(cloud, {{Plane{}, false}});
    const Camera camera{.eye = {0, 4, 6}, .target = {0, 0, 0}, .fov = 30};
    const RenderSettings settings{.width = 320, .height = 240, .samples = 4, .threads = 2};
    const Lens lens(camera, settings.width, settings.height);
    const Image image = render(scene, camera, settings);
    // The sun stands on the camera's left, half behind it: (−0.62, 1.05, 0.30) before normalisation.
    const float reach = 0.6f / 1.05f;
    const Vec3f shadow = lens.project({0.62f * reach, 0, -0.30f * reach});
    const Vec3f mirrored = lens.project({-0.62f * reach, 0, -0.30f * reach});
    CHECK(brightness(image, shadow.x, shadow.y) < brightness(image, mirrored.x, mirrored.y) - 40);
}

TEST_CASE("pictures do not depend on the number of threads") {
    const Cloud cloud = test::splash(5000);
    const RenderScene scene = scene_of(cloud, {{Box{{0, 0, 0}, {2, 1.3, 1}}, true}, {Plane{}, false}});
    RenderSettings settings = small;
    settings.threads = 1;
    const Image one = picture(scene, settings);
    settings.threads = 2;
    CHECK(picture(scene, settings).pixels == one.pixels);
    settings.threads = 5;
    CHECK(picture(scene, settings).pixels == one.pixels);
}

TEST_CASE("a lit surface has no acne") {
    // A big ball far from the origin, sunlit side towards the camera: neighbouring pixels must agree.
    Cloud cloud;
    cloud.add({100, 50, -80}, 1, 0.5f);
    const Image image = render(scene_of(cloud), {.eye = {99, 52, -70}, .target = {100, 50, -80}, .fov = 8},
                               {.width = 120, .height = 120, .samples = 4, .threads = 2});
    for (int y = 40; y < 80; ++y) {
        for (int x = 40; x < 80; ++x) {
            CHECK(std::abs(brightness(image, float(x), float(y), 0) -
                           brightness(image, float(x + 1), float(y), 0)) < 12);
        }
    }
}

TEST_CASE("no particles, one particle, coincident and broken particles") {
    Cloud cloud;
    CHECK(picture(scene_of(cloud)).width == 160);
    CHECK(picture(scene_of(cloud, {{Plane{}, false}})).width == 160);
    CHECK(picture(scene_of(cloud, {}, 2)).width == 160);
    cloud.add({0, 0, 0}, 0.01f, 1);
    const Image one = picture(scene_of(cloud));
    CHECK(brightness(one, 80, 45) != doctest::Approx(brightness(one, 4, 45)).epsilon(0.02));
    cloud.add({0, 0, 0}, 0.01f, std::numeric_limits<float>::quiet_NaN());
    picture(scene_of(cloud));
    RenderScene scene = scene_of(cloud);
    cloud.position[1].x = std::numeric_limits<float>::quiet_NaN();
    picture(scene);
}

TEST_CASE("every kind of obstacle is drawn, in 3D and in 2D") {
    Cloud cloud;
    cloud.add({-0.9f, 0.9f, 0}, 0.05f, 0);
    cloud.add({0.9f, -0.6f, 0}, 0.05f, 0);
    const std::vector<RenderObstacle> kinds{{Box{{-1, -1, -1}, {-0.4, -0.4, 1}}, false},
                                            {Box{{-1, -1, -1}, {1, 1, 1}}, true},
                                            {Sphere{{0.6, 0, 0}, 0.4}, false},
                                            {Sphere{{0, 0, 0}, 1.3}, true},
                                            {Plane{{0, -0.1, 0}, {0, 1, 0}}, false},
                                            {Ellipsoid{{0, 0, 0}, {0.5, 0.2, 0.3}}, false},
                                            {Cylinder{{0, -0.5, 0}, {0.3, 0.5, 0}, 0.3}, false},
                                            {Cylinder{{0, -1, 0}, {0, 1, 0}, 1.2}, true},
                                            {Capsule{{0, -0.5, 0}, {0, 0.5, 0}, 0.3}, false},
                                            {Capsule{{0, -0.5, 0}, {0, 0.5, 0}, 1}, true},
                                            {Torus{{0, 0, 0}, {0, 1, 0}, 0.5, 0.2}, false},
                                            {Union{{Sphere{{0, 0, 0}, 0.3}, Plane{{0, -0.5, 0}}}}, false},
                                            {Difference{{Sphere{{0, 0, 0}, 0.5}, Plane{}}}, false},
                                            {Difference{{Sphere{{0, 0, 0}, 1.3}, Plane{{0, -1, 0}}}}, true},
                                            {SmoothUnion{0.2, {Sphere{}, Box{}}}, false},
                                            {Shape(Bunny{1}, {.scale = 0.5}), false},
                                            {Shape(Duck{1}, {.translate = {0, -0.5, 0}}), false}};
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        for (const int dimensions : {2, 3}) {
            CAPTURE(kind);
            CAPTURE(dimensions);
            RenderScene scene = scene_of(cloud, {kinds[kind]}, dimensions);
            const Image with = picture(scene);
            scene.obstacles.clear();
            CHECK(with.pixels != picture(scene).pixels);
        }
    }
}

TEST_CASE("no pixel is undefined") {
    const Cloud cloud = test::splash(3000);
    const std::vector<RenderObstacle> obstacles{{Plane{}, false},
                                                {Plane{{0, 0, 0}, {1, 0, 0}}, false},
                                                {Sphere{{1, 0.5, 0.5}, 0.5}, true},
                                                {Box{{0.2, 0, 0}, {0.5, 0.6, 0.3}}, false}};
    for (const int dimensions : {2, 3}) {
        const Image image = picture(scene_of(cloud, obstacles, dimensions));
        int black = 0;
        for (int i = 0; i < image.width * image.height; ++i) {
            const std::uint8_t* p = image.at(i % image.width, i / image.width);
            black += p[0] == 0 && p[1] == 0 && p[2] == 0;
        }
        CHECK(black == 0);
    }
}

TEST_CASE("a container's contents stay visible") {
    const Cloud cloud = test::splash(2000);
    const Shape shapes[] = {Box{{0, 0, 0}, {2, 1.3, 1}}, Sphere{{1, 0.6, 0.5}, 1.4},
                            Cylinder{{1, 0, 0.5}, {1, 1.3, 0.5}, 1.2},
                            Capsule{{0.5, 0.5, 0.5}, {1.5, 0.5, 0.5}, 1}};
    for (const Shape& shape : shapes) {
        RenderScene scene = scene_of(cloud, {{shape, true}});
        scene.colours.map = ColourMap::named("water");
        const auto blue = [&] {
            const Image image = picture(scene);
            int count = 0;
            for (int i = 0; i < image.width * image.height; ++i)
                count += blueness(image, i % 160, i / 160) > 60;
            return count;
        };
        const int contained = blue();
        scene.obstacles = {{Plane{}, false}};
        CHECK(contained > 300);
        CHECK(contained > 0.9 * blue());
    }
}

TEST_CASE("an obstacle is drawn where its pose brings it") {
    constexpr RenderSettings quick{.width = 160, .height = 90, .samples = 2, .bounces = 1, .threads = 2};
    // A quarter turn about z and a shift, once as a pose and once as a placement.
    const Pose pose{.axes = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}, .translation = {0.2, 0.1, 0}};
    const Placement place{1, Rotation({0, 0, 90}), {0.2, 0.1, 0}};
    Cloud cloud;
    cloud.add({-0.9f, 0.9f, 0}, 0.05f, 0);
    cloud.add({0.9f, -0.6f, 0}, 0.05f, 0);
    const Shape shapes[] = {Box{{-0.5, -0.2, -0.3}, {0.4, 0.3, 0.2}}, Sphere{{0.3, 0, 0}, 0.4},
                            Plane{{0, 0, 0}, {0.9, 0.1, 0}}, Cylinder{{0, -0.5, 0}, {0.3, 0.5, 0}, 0.3},
                            Mesh{.file = "",
                                 .distance = std::make_shared<const MeshDistance>(
                                     box_mesh({-0.4, -0.2, -0.3}, {0.6, 0.1, 0.2}))}};
    for (const Shape& shape : shapes) {
        for (const bool inside : {false, true}) {
            for (const int dimensions : {2, 3}) {
                CAPTURE(shape.kind.index());
                CAPTURE(inside);
                RenderScene scene = scene_of(cloud, {}, dimensions);
                scene.stage = {{-1, -1, -1}, {1, 1, 1}};
                Shape moved = shape;
                moved.placement = place;
                scene.obstacles = {{Plane{{0, -1, 0}}}, {moved, inside}};
                const Image placed = picture(scene, quick);
                scene.obstacles[1] = {shape, inside, pose};
                const Image posed = picture(scene, quick);
                // Triangles are cut along other axes; the picture is the same but for a few pixels at edges.
                int differing = 0;
                for (int i = 0; i < placed.width * placed.height; ++i)
                    differing +=
                        std::abs(placed.at(i % 160, i / 160)[0] - posed.at(i % 160, i / 160)[0]) > 24;
                CHECK(differing < 0.01 * placed.width * placed.height);
                // A plane is not seen from behind, wherever it is.
                if (inside && std::holds_alternative<Plane>(shape.kind)) continue;
                scene.obstacles[1] = {shape, inside};
                CHECK(picture(scene, quick).pixels != posed.pixels);
            }
        }
    }
}
