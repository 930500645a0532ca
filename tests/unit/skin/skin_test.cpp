#include "skin/skin.h"

#include <doctest/doctest.h>

#include <cmath>

#include "geometry/layer.h"
#include "surface/mesh_report.h"
#include "unit/core/generators.h"
#include "unit/skin/bodies.h"

using namespace thixo;

TEST_CASE("rigid motions are exact to 1e-6, affine ones to 1e-5 of the size") {
    const Shape shapes[] = {Box{{-0.5, 0, -0.25}, {0.5, 0.5, 0.25}}, Duck{1},
                            Torus{{0, 0, 0}, {0, 1, 0}, 0.4, 0.15}};
    for (const Shape& shape : shapes) {
        SkinnedShape body(shape, 0.05);
        const double size = norm(bounds(shape).size());
        const Mat3d r = turn({40, -70, 110});
        CHECK(body.error([&](const Vec3d& x) { return r * x + Vec3d{0.3, -0.2, 0.1}; }) < 1e-6 * size);
        const Mat3d a = r * Mat3d{{1.3, 0.2, 0}, {0.1, 0.8, -0.1}, {0, 0.3, 1.1}};
        CHECK(body.error([&](const Vec3d& x) { return a * x + Vec3d{0.3, -0.2, 0.1}; }) < 1e-5 * size);
    }
}

TEST_CASE("sheets and rods of one layer follow rigid motions") {
    const double s = 0.05;
    std::vector<Vec3d> sheet, ring;
    for (double x = -0.475; x < 0.5; x += s)
        for (double z = -0.225; z < 0.25; z += s) sheet.push_back({x, 0, z});
    for (int k = 0; k < 60; ++k)
        ring.push_back({0.5 * std::cos(2 * std::numbers::pi * k / 60), 0,
                        0.5 * std::sin(2 * std::numbers::pi * k / 60)});
    const Mat3d r = turn({200, 30, 50});
    const auto rigid = [&](const Vec3d& x) { return r * x + Vec3d{1, 2, 3}; };
    SkinnedShape flat(RectangleSheet{{0, 0, 0}, 1, 0.5, 1}, s, sheet);
    CHECK(flat.error(rigid) < 2e-6);
    // Stretched in its plane it keeps its thickness.
    CHECK(flat.error([&](const Vec3d& x) {
        return r * Vec3d{1.4 * x.x + 0.2 * x.z, x.y, 0.9 * x.z};
    }) < 1e-5);
    // The turn of a straight piece about itself is not determined; without one, a rod is exact.
    Curve circle{{}, false, true};
    for (int k = 0; k < 60; ++k) circle.points.push_back(ring[static_cast<std::size_t>(k)]);
    SkinnedShape rod(circle, s, ring);
    CHECK(rod.error([](const Vec3d& x) { return x + Vec3d{1, 2, 3}; }) < 2e-6);
    const Mat3d about_axis = turn({0, 75, 0});
    const SurfaceMesh turned = rod.pose([&](const Vec3d& x) { return about_axis * x; });
    CHECK(examine({1}, turned).volume == doctest::Approx(volume(rod.mesh)).epsilon(0.01));
}

TEST_CASE("smooth deformations are followed to second order in the spacing") {
    // A quarter of a circle.
    const auto bend = [](const Vec3d& x) {
        const double angle = 0.5 * std::numbers::pi * x.x, r = 2 / std::numbers::pi - x.y;
        return Vec3d{r * std::sin(angle), -r * std::cos(angle), x.z};
    };
    const Shape bar = Box{{0, -0.1, -0.1}, {1, 0.1, 0.1}};
    const double coarse = SkinnedShape(bar, 0.05).error(bend), fine = SkinnedShape(bar, 0.025).error(bend);
    // ½ κ R² with the curvature of the bend and the support of the weights.
    const double support = carrier_support * 0.05;
    CHECK(coarse < 0.5 * (0.5 * std::numbers::pi) * support * support);
    CHECK(fine < coarse / 3);
}

TEST_CASE("skins have the same bits for any number of threads, and in any order") {
    SkinnedShape body(Box{{-0.5, 0, -0.25}, {0.5, 0.5, 0.25}}, 0.07);
    const auto bend = [](const Vec3d& x) { return Vec3d{x.x, x.y + 0.3 * x.x * x.x, x.z}; };
    std::vector<int> one(body.rest.size(), 3), two = one;
    for (std::size_t i = 0; i < two.size(); ++i)
        if (body.rest[i].x > 0.1) two[i] = 5;
    const auto whole = body.pose(bend, one, 1), cut = body.pose(bend, two, 1);
    const auto cut_again = body.pose(bend, two, 4), whole_again = body.pose(bend, one, 4);
    SkinnedShape fresh(Box{{-0.5, 0, -0.25}, {0.5, 0.5, 0.25}}, 0.07);
    const auto cut_at_once = fresh.pose(bend, two, 3);
    REQUIRE(cut.size() == 2);
    CHECK(whole[0].mesh.vertices == whole_again[0].mesh.vertices);
    for (std::size_t k = 0; k < 2; ++k) {
        CHECK(cut[k].mesh.vertices == cut_again[k].mesh.vertices);
        CHECK(cut[k].mesh.triangles == cut_at_once[k].mesh.triangles);
        CHECK(cut[k].mesh.vertices == cut_at_once[k].mesh.vertices);
    }
}

TEST_CASE("a bar that bends and twists: no triangle turns over, and the volume stays") {
    // 360° of twist and 180° of bending, as [BIT09, fig. 4].
    const auto bend = [](const Vec3d& x) {
        const double turn = 2 * std::numbers::pi * x.x / 1.5, angle = std::numbers::pi * x.x / 1.5;
        const double y = x.y * std::cos(turn) - x.z * std::sin(turn),
                     z = x.y * std::sin(turn) + x.z * std::cos(turn);
        const double r = 1.5 / std::numbers::pi - y;
        return Vec3d{r * std::sin(angle), -r * std::cos(angle), z};
    };
    SkinnedShape bar(Box{{0, -0.125, -0.125}, {1.5, 0.125, 0.125}}, 0.05);
    const SurfaceMesh posed = bar.pose(bend);
    const MeshReport report = examine({1}, posed);
    CHECK(report.manifold());
    double exact = 0;
    {
        TriangleMesh mesh = bar.mesh;
        refine(mesh, 0.01);
        for (Vec3d& x : mesh.vertices) x = bend(x);
        exact = volume(mesh);
    }
    CHECK(report.volume == doctest::Approx(exact).epsilon(0.01));
    // The exact normal of a triangle's image, by its corners.
    int turned = 0;
    for (std::size_t t = 0; t < posed.triangles.size(); ++t) {
        const auto& c = posed.triangles[t];
        const auto normal = [](const Vec3d& a, const Vec3d& b, const Vec3d& d) {
            return cross(b - a, d - a);
        };
        const Vec3d is = normal(to_double(posed.vertices[c[0]]), to_double(posed.vertices[c[1]]),
                                to_double(posed.vertices[c[2]]));
        const Vec3d should = normal(bend(bar.mesh.vertices[c[0]]), bend(bar.mesh.vertices[c[1]]),
                                    bend(bar.mesh.vertices[c[2]]));
        turned += dot(is, should) > 0 ? 0 : 1;
    }
    CHECK(turned == 0);
}

TEST_CASE("attributes of vertices are those of their carriers") {
    const Shape box = Box{{0, 0, 0}, {1, 0.5, 0.5}};
    SkinnedShape body(box, 0.1);
    std::vector<float> warm, label;
    for (const Vec3d& x : body.rest) {
        warm.push_back(static_cast<float>(20 + 10 * x.x));
        label.push_back(x.x > 0.5 ? 2.f : 1.f);
    }
    const std::vector<Vec3f> position = moved(body.rest, [](const Vec3d& x) { return x; });
    const SkinGrip grip = SkinGrip::of_bodies(std::vector<int>(body.rest.size(), 1));
    const auto posed = body.skin.pose({1}, grip, body.motions({1}, position, grip), position,
                                      {{"temperature", "degC", warm, true}, {"label", "", label, false}});
    const SurfaceMesh& mesh = posed.at(0).mesh;
    REQUIRE(mesh.attributes.size() == 2);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        CHECK(std::abs(mesh.attributes[0].values[v] - (20 + 10 * mesh.vertices[v].x)) < 2);
        CHECK((mesh.attributes[1].values[v] == 1 || mesh.attributes[1].values[v] == 2));
    }
    CHECK(body.skin.farthest_vertex() == doctest::Approx(0.1 * std::sqrt(0.75)));
}
