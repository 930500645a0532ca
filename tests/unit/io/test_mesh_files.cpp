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

TEST_CASE("parts and textures survive a PLY file, and meshes are joined with them") {
    SurfaceMesh skin;
    skin.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    skin.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    SurfaceMesh liquid = skin;
    skin.part = {SurfacePart::skin, SurfacePart::crack, SurfacePart::skin, SurfacePart::skin};
    skin.texture.resize(4);
    skin.texture[2] = {{{0.25f, 0.5f}, {1, 0}, {0, 1}}};
    skin.texture_number = {0, SurfaceMesh::no_texture, 0, 0};
    skin.textures = {"a picture.png"};
    write_mesh(place("skin.ply"), skin, MeshFormat::ply, {});
    const SurfaceMesh back = read_mesh(place("skin.ply"));
    CHECK(turned(back.triangles) == turned(skin.triangles));
    CHECK(back.part == skin.part);
    REQUIRE(back.texture.size() == 4);
    for (std::size_t k = 0; k < 3; ++k)  // triangles may be turned, with their texture
        for (std::size_t l = 0; l < 3; ++l)
            if (back.triangles[2][k] == skin.triangles[2][l]) CHECK(back.texture[2][k] == skin.texture[2][l]);
    CHECK(back.texture_number == skin.texture_number);
    CHECK(back.textures == skin.textures);
    append(liquid, back);
    append(liquid, back);
    REQUIRE(liquid.part.size() == 12);
    CHECK(liquid.part[0] == SurfacePart::liquid);
    CHECK(liquid.part[9] == SurfacePart::crack);
    CHECK(liquid.texture_number[0] == SurfaceMesh::no_texture);
    CHECK(liquid.texture_number[10] == 0);
    CHECK(liquid.textures.size() == 1);
    CHECK(turned(liquid.triangles)[8] == SurfaceMesh::Corners{8, 10, 9});
}

TEST_CASE("VTP files say how much they hold") {
    write_mesh(place("a.vtp"), tetrahedron(), MeshFormat::vtp, {.frame = 0, .time = 0.25});
    std::ifstream in(place("a.vtp"));
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    CHECK(text.find("NumberOfPoints=\"4\" NumberOfLines=\"0\" NumberOfPolys=\"4\"") != std::string::npos);
    CHECK(text.find("Name=\"temperature\"") != std::string::npos);
    CHECK(text.find(">0.25<") != std::string::npos);
}

TEST_CASE("a mesh comes back from VTP as it was, and so does an outline; a file with an error is refused") {
    const SurfaceMesh mesh = tetrahedron();
    write_mesh(place("b.vtp"), mesh, MeshFormat::vtp);
    CHECK(holds_mesh(place("b.vtp")));
    const SurfaceMesh back = read_mesh(place("b.vtp"));
    CHECK(back.vertices == mesh.vertices);
    CHECK(back.normals == mesh.normals);
    CHECK(back.triangles == mesh.triangles);
    REQUIRE(back.attributes.size() == 2);
    CHECK(back.attributes[1].name == "phase");
    CHECK(back.attributes[1].values == mesh.attributes[1].values);

    SurfaceMesh outline;
    outline.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    outline.edges = {{0, 1}, {1, 2}, {2, 0}};
    write_mesh(place("outline.vtp"), outline, MeshFormat::vtp);
    CHECK(read_mesh(place("outline.vtp")).edges == outline.edges);
    write_mesh(place("outline.obj"), outline, MeshFormat::obj);
    CHECK(read_mesh(place("outline.obj")).edges == outline.edges);
    std::ofstream(place("wrong.obj")) << "v 0 0 0\nl 1 2\n";
    CHECK_THROWS_AS(read_mesh(place("wrong.obj")), InputError);

    std::ifstream in(place("b.vtp"), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    for (std::size_t length = 0; length + 11 < text.size(); length += 7)  // without </VTKFile>
        CHECK_THROWS_AS(parse_vtp_mesh(text.substr(0, length)), InputError);
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string other = text;
        other.replace(other.find(from), from.size(), to);
        return other;
    };
    CHECK_THROWS_AS(parse_vtp_mesh(changed("PolyData", "ImageData")), InputError);
    CHECK_THROWS_AS(parse_vtp_mesh(changed("NumberOfPoints=\"4\"", "NumberOfPoints=\"5\"")), InputError);
    CHECK_THROWS_AS(parse_vtp_mesh(changed("NumberOfPoints=\"4\"", "NumberOfPoints=\"99999999\"")),
                    InputError);
    CHECK_THROWS_AS(parse_vtp_mesh(changed("Name=\"offsets\"", "Name=\"other\"")), InputError);
    CHECK_THROWS_AS(parse_vtp_mesh(changed("<Points>", "<Else>")), InputError);
    // Whatever byte is changed, it is read or refused.
    for (std::size_t k = 0; k < text.size(); k += 3) {
        std::string other = text;
        other[k] = static_cast<char>(other[k] ^ (1 << k % 7));
        try {
            for (const SurfaceMesh::Corners& t : parse_vtp_mesh(other).triangles)
                for (const std::uint32_t v : t) CHECK(v < 4);
        } catch (const InputError&) {
        }
    }
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
