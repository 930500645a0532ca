#include <doctest/doctest.h>

#include <cmath>

#include "io/exported_scene.h"
#include "io/gltf_buffer.h"

using namespace thixo;

TEST_CASE("names become identifiers, different ones") {
    std::set<std::string> taken{"Particles"};
    CHECK(unique_identifier("hot plate", taken) == "hot_plate");
    CHECK(unique_identifier("hot  plate", taken) == "hot_plate_2");
    CHECK(unique_identifier("hot/plate", taken) == "hot_plate_3");
    CHECK(unique_identifier("3 balls", taken) == "_3_balls");
    CHECK(unique_identifier("Käse", taken) == "K_se");
    CHECK(unique_identifier("", taken) == "_");
    CHECK(unique_identifier("Particles", taken) == "Particles_2");
}

TEST_CASE("quaternions turn vectors as their poses do, whichever component is largest") {
    // About the axes, by angles up to a half turn, where the scalar part is 0.
    for (const double degrees : {0.0, 30.0, 120.0, 179.0, 180.0})
        for (int axis = 0; axis < 3; ++axis) {
            const double a = degrees * 3.14159265358979323846 / 180, c = std::cos(a), s = std::sin(a);
            Pose pose;
            const auto unit = [](int k) {
                return Vec3d{k == 0 ? 1. : 0., k == 1 ? 1. : 0., k == 2 ? 1. : 0.};
            };
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            pose.axes[axis] = unit(axis);
            pose.axes[u] = c * unit(u) + s * unit(v);
            pose.axes[v] = c * unit(v) - s * unit(u);
            const auto q = quaternion_of(pose);
            const Vec3d n{q[0], q[1], q[2]}, x{0.3, -0.7, 0.2};
            const Vec3d turned = x + 2 * cross(n, cross(n, x) + q[3] * x);
            CHECK(norm(turned - pose.rotated(x)) < 1e-12);
        }
}

TEST_CASE("cameras look along their -z, straight down too") {
    for (const Vec3d target : {Vec3d{0, 0, 0}, Vec3d{3, -2, 1}, Vec3d{1, -5, 2}}) {
        const ExportedCamera camera{.eye = {1, 2, 2}, .target = target};
        const Pose pose = camera.pose();
        CHECK(norm(pose.rotated({0, 0, -1}) - normalized(target - camera.eye)) < 1e-12);
        CHECK(std::abs(dot(pose.axes[0], pose.axes[1])) < 1e-12);
        CHECK(norm(cross(pose.axes[0], pose.axes[1]) - pose.axes[2]) < 1e-12);
    }
}

TEST_CASE("vertices are repeated where texture coordinates differ, and nowhere else") {
    SurfaceMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    CHECK(split_at_seams(mesh).source.size() == 4);
    mesh.texture = {{{{0, 0}, {1, 0}, {1, 1}}}, {{{0, 0}, {0.5f, 1}, {0, 1}}}};  // vertex 2 has two
    const SplitMesh split = split_at_seams(mesh);
    CHECK(split.source == std::vector<std::uint32_t>{0, 1, 2, 2, 3});
    for (std::size_t t = 0; t < 2; ++t)
        for (std::size_t c = 0; c < 3; ++c) {
            CHECK(split.source[split.triangles[t][c]] == mesh.triangles[t][c]);
            CHECK(split.texture[split.triangles[t][c]] == mesh.texture[t][c]);
        }
}

TEST_CASE("text in JSON") {
    CHECK(json_string("a\"b\\c\nd") == "\"a\\\"b\\\\c\\u000ad\"");
    CHECK(json_string("Käse\xff") == "\"Käse?\"");
}

TEST_CASE("accessors of glTF have bounds and offsets") {
    GltfList views, accessors;
    GltfBuffer buffer(3, views, accessors);
    CHECK(buffer.floats({1, 2}, GltfBuffer::Target::none) == 0);
    CHECK(buffer.vectors({{1, -2, 3}, {0, 5, 4}}, GltfBuffer::Target::vertices, true) == 1);
    CHECK(buffer.bytes_or_zero().size() == 8 + 24);
    CHECK(views.member("v").find("\"buffer\": 3, \"byteOffset\": 8, \"byteLength\": 24, \"target\": 34962") !=
          std::string::npos);
    CHECK(accessors.member("a").find("\"min\": [0, -2, 3], \"max\": [1, 5, 4]") != std::string::npos);
    CHECK(GltfList().member("a").empty());
}
