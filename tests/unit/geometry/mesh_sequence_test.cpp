#include <doctest/doctest.h>

#include <cmath>

#include "core/error.h"
#include "geometry/mesh_sequence.h"
#include "unit/geometry/meshes.h"

using namespace thixo;

namespace {

/// A cube whose upper vertices are moved.
TriangleMesh sheared_cube(const Vec3d& shift) {
    TriangleMesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
    for (Vec3d& x : mesh.vertices)
        if (x.y > 0.5) x += shift;
    return mesh;
}

MeshSequence shearing(bool repeat = false) {
    return MeshSequence({sheared_cube({}), sheared_cube({1, 0, 0}), sheared_cube({1, 0, 3})},
                        {.last_file = "", .frame_rate = 10, .start = 2, .repeat = repeat});
}

}  // namespace

TEST_CASE("between two meshes vertices move at constant velocities, and points of the surface between them") {
    const MeshMoment at = shearing().at(2.05);
    CHECK(at.distance->bounds().max.x == doctest::Approx(1.5));
    const auto near = [](const Vec3d& a, const Vec3d& b) { return norm(a - b) < 1e-9; };
    CHECK(near(at.velocity_at({0.7, 2, 0.6}), {10, 0, 0}));
    CHECK(near(at.velocity_at({0.3, -1, 0.2}), {0, 0, 0}));
    // On the side at half of the height: half of the velocity.
    CHECK(near(at.velocity_at({0.8, 0.5, -0.1}), {5, 0, 0}));
}

TEST_CASE("a sequence is at rest before its start and behind its end") {
    const MeshSequence once = shearing();
    for (const double t : {0., 1.99, 2.2, 2.3, 50.}) CHECK(norm(once.at(t).velocity_at({0.5, 2, 0.5})) == 0);
    CHECK(norm(once.at(2.).velocity_at({0.5, 2, 0.5})) == doctest::Approx(10));
    CHECK(norm(once.at(2.1).velocity_at({0.5, 2, 0.5})) == doctest::Approx(30));
    CHECK(once.at(9).distance->bounds().max.z == doctest::Approx(4));
    CHECK(once.is_same(0, 1.9));
    CHECK(once.is_same(2.2, 7));
    CHECK(!once.is_same(1.9, 2));
    CHECK(!once.is_same(2.05, 2.06));
    CHECK(!once.moves_between(0, 2));
    CHECK(once.moves_between(0, 2.01));
    CHECK(!once.moves_between(2.2, 3));
}

TEST_CASE("the top speed is that of the frames that are passed") {
    const MeshSequence once = shearing(), again = shearing(true);
    CHECK(once.top_speed(0, 1) == 0);
    CHECK(once.top_speed(2, 2.05) == doctest::Approx(10));
    CHECK(once.top_speed(2.05, 2.15) == doctest::Approx(30));
    CHECK(once.top_speed(2.3, 3) == 0);
    CHECK(again.top_speed(2.21, 2.29) == doctest::Approx(10 * std::sqrt(10.)));
    CHECK(again.top_speed(2.31, 2.39) == doctest::Approx(10));
    CHECK(again.top_speed(5, 50) == doctest::Approx(10 * std::sqrt(10.)));
}

TEST_CASE("a sequence that repeats goes back to the first mesh without a jump") {
    const MeshSequence again = shearing(true);
    const auto corner = [&](double t) { return again.at(t).distance->bounds().max; };
    CHECK(norm(corner(2.3 - 1e-9) - corner(2.3)) < 1e-6);
    CHECK(norm(corner(2.05) - corner(2.35)) < 1e-9);
    CHECK(corner(2.25).x == doctest::Approx(1.5));
}

TEST_CASE("meshes with other faces are refused") {
    TriangleMesh other = sheared_cube({});
    std::swap(other.triangles[0], other.triangles[1]);
    CHECK_THROWS_WITH_AS(MeshSequence({sheared_cube({}), other}, {}), doctest::Contains("mesh 2"),
                         InputError);
}

TEST_CASE("files of a sequence are counted by the number at the end of their names") {
    const auto files = sequence_files("a/wing_08.obj", "a/wing_11.obj");
    REQUIRE(files.size() == 4);
    CHECK(files[0] == "a/wing_08.obj");
    CHECK(files[1] == "a/wing_09.obj");
    CHECK(files[3] == "a/wing_11.obj");
    CHECK(sequence_files("w9.stl", "w11.stl")[1] == "w10.stl");
    CHECK_THROWS_AS(sequence_files("wing.obj", "wing_2.obj"), InputError);
    CHECK_THROWS_AS(sequence_files("a_1.obj", "b_2.obj"), InputError);
    CHECK_THROWS_AS(sequence_files("a_1.obj", "a_2.stl"), InputError);
    CHECK_THROWS_AS(sequence_files("a_2.obj", "a_2.obj"), InputError);
    CHECK_THROWS_AS(sequence_files("a_1.obj", "a_002.obj"), InputError);
    CHECK_THROWS_AS(sequence_files("a_1.obj", "a_99999999.obj"), InputError);
}
