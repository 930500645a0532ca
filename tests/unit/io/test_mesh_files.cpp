#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "io/mesh_files.h"

using namespace thixo;

namespace {

SurfaceMesh tetrahedron() {
    SurfaceMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1.25f}};
    mesh.normals = {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    mesh.attributes = {{"temperature", "degC", {1, 2, 3, 4.5f}}, {"phase", "", {0, 1, 2, 0}}};
    return mesh;
}

/// Each triangle from its lowest corner on: readers may turn them.
std::vector<SurfaceMesh::Corners> turned(std::vector<SurfaceMesh::Corners> triangles) {
    for (SurfaceMesh::Corners& t : triangles)
        std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    return triangles;
}

std::filesystem::path place(const char* name) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "thixo_mesh_files";
    std::filesystem::create_directories(folder);
    return folder / name;
}

}  // namespace

TEST_CASE("a mesh comes back from PLY as it was, with normals and attributes") {
    const SurfaceMesh mesh = tetrahedron();
    write_mesh(place("a.ply"), mesh, MeshFormat::ply, {.frame = 3, .time = 0.5});
    CHECK(holds_mesh(place("a.ply")));
    const SurfaceMesh back = read_mesh(place("a.ply"));
    CHECK(back.vertices == mesh.vertices);
    CHECK(back.normals == mesh.normals);
    CHECK(turned(back.triangles) == turned(mesh.triangles));
    REQUIRE(back.attributes.size() == 2);
    CHECK(back.attributes[0].name == "temperature");
    CHECK(back.attributes[0].values == mesh.attributes[0].values);
    CHECK(back.attributes[1].values == mesh.attributes[1].values);
}

TEST_CASE("a mesh comes back from OBJ, without attributes") {
    write_mesh(place("a.obj"), tetrahedron(), MeshFormat::obj);
    const SurfaceMesh back = read_mesh(place("a.obj"));
    CHECK(back.vertices == tetrahedron().vertices);
    CHECK(turned(back.triangles) == turned(tetrahedron().triangles));
}

TEST_CASE("VTP files say how much they hold") {
    write_mesh(place("a.vtp"), tetrahedron(), MeshFormat::vtp, {.frame = 0, .time = 0.25});
    std::ifstream in(place("a.vtp"));
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    CHECK(text.find("NumberOfPoints=\"4\" NumberOfPolys=\"4\"") != std::string::npos);
    CHECK(text.find("Name=\"temperature\"") != std::string::npos);
    CHECK(text.find(">0.25<") != std::string::npos);
}

TEST_CASE("the mesh of nothing is a mesh; particles are none; a file that is cut short is refused by name") {
    write_mesh(place("empty.ply"), {}, MeshFormat::ply);
    CHECK(holds_mesh(place("empty.ply")));
    std::ofstream(place("particles.ply"))
        << "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nend_header\n";
    CHECK_FALSE(holds_mesh(place("particles.ply")));
    write_mesh(place("cut.ply"), tetrahedron(), MeshFormat::ply);
    std::filesystem::resize_file(place("cut.ply"), std::filesystem::file_size(place("cut.ply")) - 5);
    CHECK_THROWS_WITH_AS(read_mesh(place("cut.ply")), doctest::Contains("cut.ply"), InputError);
}
