#include <doctest/doctest.h>

#include <cmath>

#include "geometry/mesh_sequence.h"
#include "physics/tank.h"
#include "unit/geometry/meshes.h"

using namespace thixo;

namespace {

/// How far the particles stay from the walls, at the least, over the whole of a violent run.
double closest_to_walls(int dimensions, const Shape& tank, const Object& body, double spacing, double end) {
    Model model = weightless(dimensions, spacing, liquid(40, 0.05));
    model.gravity = {0, -9.81, 0};
    model.obstacles = {{.name = "tank", .shape = tank, .inside = true}};
    Simulation sim(model, populate(model, {body}));
    const Index count = sim.particles().size();
    double closest = 1e9;
    while (sim.clock().time < end) {
        sim.step(end);
        bool finite = true;
        for (const Vec3f& x : sim.particles().position) {
            finite = finite && is_finite(x);
            closest = std::min(closest, -signed_distance(tank, to_double(x), dimensions).distance);
        }
        REQUIRE(finite);
    }
    CHECK(sim.particles().size() == count);
    return closest;
}

}  // namespace

TEST_CASE("nothing leaves a box, thrown at its walls, edges and corners") {
    for (const int d : {2, 3}) {
        const double spacing = d == 2 ? pick(0.025, 0.01) : pick(0.06, 0.025);
        Object body = filled(Box{{0.2, 0.2, 0.2}, {0.7, 0.7, 0.7}});
        for (const Vec3d& v : {Vec3d{10, 0, 0}, Vec3d{-8, -8, 0}, Vec3d{8, 7, 6}}) {
            body.velocity = v;
            // A fifth of the spacing is what contacts keep free; positions are rounded.
            CHECK(closest_to_walls(d, Box{{0, 0, 0}, {1, 1, 1}}, body, spacing, pick(0.15, 0.6)) >
                  0.2 * spacing - 1e-6);
        }
    }
}

TEST_CASE("nothing leaves a ball") {
    for (const int d : {2, 3}) {
        const double spacing = d == 2 ? pick(0.025, 0.01) : pick(0.06, 0.025);
        Object body = filled(Sphere{{0.1, 0.1, 0}, 0.3});
        body.velocity = {7, -7, d == 2 ? 0. : 3.};
        CHECK(closest_to_walls(d, Sphere{{0, 0, 0}, 0.6}, body, spacing, pick(0.15, 0.6)) >
              0.2 * spacing - 1e-6);
    }
}

TEST_CASE("nothing leaves a container of another shape, tilted, with an edge, or with a hole in it") {
    for (const int d : {2, 3}) {
        const double spacing = d == 2 ? pick(0.025, 0.01) : pick(0.06, 0.025);
        const Rotation tilt(d == 2 ? Vec3d{0, 0, 25} : Vec3d{20, 10, 25});
        const Shape tanks[] = {{Box{{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}}, {1, tilt, {0.1, 0, 0}}},
                               {Cylinder{{0, -0.6, 0}, {0, 0.6, 0}, 0.5}, {1, tilt, {0, 0, 0}}},
                               {Capsule{{-0.3, 0, 0}, {0.3, 0, 0}, 0.45}, {1, tilt, {0, 0, 0}}},
                               {Union{{Sphere{{0, 0, 0}, 0.45}, Box{{0, -0.3, -0.3}, {0.8, 0.3, 0.3}}}}},
                               {Difference{{Sphere{{0, 0, 0}, 0.7}, Sphere{{0.5, -0.3, 0}, 0.3}}}},
                               {Duck{1.6}, {1, Rotation{}, {0, -0.45, 0}}}};
        for (const Shape& tank : tanks) {
            CAPTURE(d);
            CAPTURE(tank.kind.index());
            Object body = filled(Sphere{{0, 0, 0}, 0.25});
            body.velocity = {7, -7, d == 2 ? 0. : 3.};
            // In a concave edge the two sides take turns, a contact each: half of what they keep free may be
            // lost.
            CHECK(closest_to_walls(d, tank, body, spacing, pick(0.15, 0.6)) > 0.1 * spacing);
        }
    }
}

namespace {

/// An obstacle whose mesh goes through these shapes over and over, `rate` of them a second.
Obstacle deforming(std::vector<TriangleMesh> meshes, bool inside, double rate) {
    MeshAnimation animation{.last_file = "", .frame_rate = rate, .start = 0.02, .repeat = true};
    Obstacle obstacle{
        .name = "membrane",
        .shape = Mesh{.file = "", .distance = std::make_shared<const MeshDistance>(meshes.front())},
        .inside = inside};
    animation.sequence = std::make_shared<const MeshSequence>(std::move(meshes), animation);
    obstacle.animation = animation;
    return obstacle;
}

/// A plate across x = 0 of the given thickness, n × n squares on each side, bulged towards −x by `by`.
TriangleMesh membrane(double thickness, double by, int n) {
    TriangleMesh mesh;
    const auto vertex = [&](int side, int i, int j) {
        return static_cast<std::uint32_t>((side * (n + 1) + i) * (n + 1) + j);
    };
    const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
    };
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i <= n; ++i)
            for (int j = 0; j <= n; ++j) {
                const double u = static_cast<double>(i) / n, v = static_cast<double>(j) / n;
                mesh.vertices.push_back(
                    {side * thickness - by * 16 * u * (1 - u) * v * (1 - v), -0.1 + 0.8 * u, -0.1 + 0.4 * v});
            }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            quad(vertex(0, i, j), vertex(0, i, j + 1), vertex(0, i + 1, j + 1), vertex(0, i + 1, j));
            quad(vertex(1, i, j), vertex(1, i + 1, j), vertex(1, i + 1, j + 1), vertex(1, i, j + 1));
        }
    for (int k = 0; k < n; ++k) {
        quad(vertex(0, 0, k), vertex(1, 0, k), vertex(1, 0, k + 1), vertex(0, 0, k + 1));
        quad(vertex(0, n, k), vertex(0, n, k + 1), vertex(1, n, k + 1), vertex(1, n, k));
        quad(vertex(0, k, 0), vertex(0, k + 1, 0), vertex(1, k + 1, 0), vertex(1, k, 0));
        quad(vertex(0, k, n), vertex(1, k, n), vertex(1, k + 1, n), vertex(0, k + 1, n));
    }
    return closed_mesh(mesh);
}

}  // namespace

TEST_CASE("nothing leaks through a membrane two spacings thick that bulges into the liquid and back") {
    const double spacing = pick(0.035, 0.02), thickness = 2 * spacing;
    Model model = weightless(3, spacing, liquid(40, 0.05));
    model.gravity = {0, -9.81, 0};
    const Box tank{{-0.5, 0, 0}, {0.5, 0.6, 0.2}};
    // At most 16 × 0.12 m/0.05 s × 1/16 = 2.4 m/s.
    model.obstacles = {
        {.name = "tank", .shape = tank, .inside = true},
        deforming({membrane(thickness, 0, 8), membrane(thickness, 0.12, 8), membrane(thickness, -0.06, 8)},
                  false, 20)};
    Simulation sim(model, populate(model, {filled(Box{{-0.5, 0, 0}, {0, 0.25, 0.2}})}));
    const Index count = sim.particles().size();
    double deepest = 1, right = -1, fastest = 0;
    while (sim.clock().time < pick(0.4, 1.)) {
        sim.step(pick(0.4, 1.));
        const Shape now = shape_at(model.obstacles[1].shape, model.obstacles[1].animation, sim.clock().time);
        for (Index i = 0; i < count; ++i) {
            const Vec3d x = to_double(sim.particles().position[i]);
            REQUIRE(is_finite(sim.particles().position[i]));
            deepest = std::min(deepest, signed_distance(now, x, 3).distance);
            right = std::max(right, x.x);
            fastest = std::max<double>(fastest, norm(sim.particles().velocity[i]));
        }
    }
    CHECK(sim.particles().size() == count);
    CHECK(deepest > 0);
    CHECK(right < 0.06);  // as far as the membrane gives way, on its left side
    CHECK(fastest > 1);   // it did push
    CHECK(fastest < 10 * 2.4);
}

TEST_CASE("nothing leaves a container that is squeezed") {
    const double spacing = pick(0.07, 0.04);
    std::vector<TriangleMesh> meshes;
    for (const double squeeze : {1., 0.8, 1., 1.2}) {
        meshes.push_back(icosphere(2));
        for (Vec3d& x : meshes.back().vertices)
            x = {0.5 * x.x / std::sqrt(squeeze), 0.5 * x.y * squeeze, 0.5 * x.z / std::sqrt(squeeze)};
    }
    Model model = weightless(3, spacing, liquid(40, 0.05));
    model.gravity = {0, -9.81, 0};
    model.obstacles = {deforming(meshes, true, 8)};
    Simulation sim(model, populate(model, {filled(Sphere{{0, -0.1, 0}, 0.3})}));
    double closest = 1;
    while (sim.clock().time < pick(0.5, 1.5)) {
        sim.step(pick(0.5, 1.5));
        const Shape now = shape_at(model.obstacles[0].shape, model.obstacles[0].animation, sim.clock().time);
        for (const Vec3f& x : sim.particles().position) {
            REQUIRE(is_finite(x));
            closest = std::min(closest, -signed_distance(now, to_double(x), 3).distance);
        }
    }
    CHECK(closest > 0);
}
