#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <cstring>

#include "core/byte_order.h"
#include "core/error.h"
#include "geometry/mesh_file.h"
#include "geometry/triangle_mesh.h"
#include "unit/core/near.h"
#include "unit/core/temporary_folder.h"
#include "unit/geometry/meshes.h"

using namespace thixo;

namespace {

TriangleMesh load_text(const std::string& name, const std::string& bytes) {
    const TemporaryFolder folder;
    write_text(folder / name, bytes);
    return load_mesh(folder / name);
}

#define CHECK_MESH_REFUSED(name, bytes, message) \
    CHECK_THROWS_WITH_AS(load_text(name, bytes), doctest::Contains(message), InputError)

std::string obj_of(const TriangleMesh& mesh) {
    std::string text;
    for (const Vec3d& x : mesh.vertices) text += fmt::format("v {} {} {}\n", x.x, x.y, x.z);
    for (const auto& [a, b, c] : mesh.triangles) text += fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
    return text;
}

std::string ascii_stl_of(const TriangleMesh& mesh) {
    std::string text = "solid thing\n";
    for (const auto& t : mesh.triangles) {
        text += "facet normal 0 0 0\n outer loop\n";
        for (const std::uint32_t corner : t) {
            const Vec3d& x = mesh.vertices[corner];
            text += fmt::format("  vertex {} {} {}\n", x.x, x.y, x.z);
        }
        text += " endloop\nendfacet\n";
    }
    return text + "endsolid thing\n";
}

template <class T>
void append(std::string& bytes, T value, bool big_endian) {
    if (big_endian) return append_big_endian(bytes, value);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string binary_stl_of(const TriangleMesh& mesh, const std::string& head = "made by hand") {
    std::string bytes = head;
    bytes.resize(80, ' ');
    append(bytes, static_cast<std::uint32_t>(mesh.triangles.size()), false);
    for (const auto& t : mesh.triangles) {
        for (int a = 0; a < 3; ++a) append(bytes, 0.f, false);
        for (const std::uint32_t corner : t) {
            const Vec3f x = to_float(mesh.vertices[corner]);
            for (const float coordinate : {x.x, x.y, x.z}) append(bytes, coordinate, false);
        }
        bytes.append(2, '\0');
    }
    return bytes;
}

std::string ply_header_of(const char* format, const TriangleMesh& mesh) {
    return fmt::format(
        "ply\nformat {} 1.0\nelement vertex {}\nproperty double x\nproperty uchar red\nproperty float "
        "y\nproperty float z\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
        format, mesh.vertices.size(), mesh.triangles.size());
}

std::string ascii_ply_of(const TriangleMesh& mesh) {
    std::string text = ply_header_of("ascii", mesh);
    for (const Vec3d& x : mesh.vertices) text += fmt::format("{} 255 {} {}\n", x.x, x.y, x.z);
    for (const auto& [a, b, c] : mesh.triangles) text += fmt::format("3 {} {} {}\n", a, b, c);
    return text;
}

std::string binary_ply_of(const TriangleMesh& mesh, bool big_endian) {
    std::string bytes = ply_header_of(big_endian ? "binary_big_endian" : "binary_little_endian", mesh);
    for (const Vec3d& x : mesh.vertices) {
        append(bytes, x.x, big_endian);
        append(bytes, std::uint8_t{255}, big_endian);
        append(bytes, static_cast<float>(x.y), big_endian);
        append(bytes, static_cast<float>(x.z), big_endian);
    }
    for (const auto& t : mesh.triangles) {
        append(bytes, std::uint8_t{3}, big_endian);
        for (const std::uint32_t corner : t) append(bytes, static_cast<std::int32_t>(corner), big_endian);
    }
    return bytes;
}

/// Numbers that single precision holds exactly.
const TriangleMesh brick = box_mesh({-1, 0, 0.5}, {1, 2, 0.75});

void check_brick(const TriangleMesh& mesh) {
    CHECK(mesh.vertices.size() == 8);
    CHECK(mesh.triangles.size() == 12);
    CHECK(volume(mesh) == near(1, 1e-12));
    CHECK(bounds(mesh).min == Vec3d{-1, 0, 0.5});
    CHECK(bounds(mesh).max == Vec3d{1, 2, 0.75});
}

const std::string four = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";

}  // namespace

TEST_CASE("a mesh is the same from every format") {
    check_brick(load_text("a.obj", obj_of(brick)));
    check_brick(load_text("a.stl", ascii_stl_of(brick)));
    check_brick(load_text("a.STL", binary_stl_of(brick)));
    check_brick(load_text("a.stl", binary_stl_of(brick, "solid but binary")));
    check_brick(load_text("a.ply", ascii_ply_of(brick)));
    check_brick(load_text("a.ply", binary_ply_of(brick, false)));
    check_brick(load_text("a.ply", binary_ply_of(brick, true)));
}

TEST_CASE("OBJ: slashes, negative indices, joined lines, Windows line ends, what does not matter") {
    const std::string tetrahedron =
        "# made by hand\r\nmtllib x.mtl\r\no thing\r\nv 0 0 0 1 0.5 0.5\r\nv 1 0 0\r\nv 0 +1 0\r\nvn 0 0 "
        "1\r\nvt 0 0\r\n"
        "v 0 0 1e0\r\ng part\r\nusemtl red\r\ns off\r\nf 1/1/1 3//1 2/1\r\nf 1 2 \\\r\n 4\r\nf -4 -1 -2\r\nf "
        "2 3 4";
    const TriangleMesh mesh = load_text("a.obj", tetrahedron);
    CHECK(mesh.triangles.size() == 4);
    CHECK(volume(mesh) == near(1.0 / 6, 1e-12));
}

TEST_CASE("texture coordinates come with the corners of faces, from OBJ and PLY files") {
    // A quadrilateral and a fan make a pyramid; u and v are x and z of the corner, but for the seam at (9,
    // 9).
    const std::string obj =
        "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 0.5 1 0.5\n"
        "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.5 0.5\nvt 9 9\n"
        "f 1/1 2/2 3/3 4/4\nf 2/2/1 1/1/1 5/5/1\nf 3/3 2/2 5/-1\nf 4/4 3/3 5/5\nf 1/1 4/4 5/5\n";
    const TriangleMesh mesh = load_text("a.obj", obj);
    REQUIRE(mesh.texture.size() == mesh.triangles.size());
    int seams = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d& x = mesh.vertices[mesh.triangles[t][k]];
            const auto [u, v] = mesh.texture[t][k];
            seams += u == 9 ? 1 : 0;
            if (u != 9) CHECK((u == float(x.x) && v == float(x.z)));
        }
    CHECK(seams == 1);
    const std::string head =
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n";
    const std::string face = "element face 4\nproperty list uchar int vertex_indices\n";
    const TriangleMesh of_vertices =
        load_text("a.ply", head + "property float s\nproperty float t\n" + face +
                               "end_header\n0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 1\n0 0 1 0.5 0.25\n"
                               "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n");
    REQUIRE(of_vertices.texture.size() == 4);
    const TriangleMesh of_corners = load_text(
        "b.ply", head + face +
                     "property list uchar float texcoord\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
                     "3 0 2 1 6 0 0 0 1 1 0\n3 0 1 3 6 0 0 1 0 0.5 0.25\n3 1 2 3 6 1 0 0 1 0.5 0.25\n"
                     "3 2 0 3 6 0 1 0 0 0.5 0.25\n");
    CHECK(of_corners.texture == of_vertices.texture);
    CHECK(load_text("c.obj", obj_of(icosphere(1))).texture.empty());
    CHECK_MESH_REFUSED("d.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/2 3/1\n",
                       "line 5: a face names texture coordinate 2, but there are 1");
    CHECK_MESH_REFUSED("e.obj", "vt 0 nothing\n", "line 1");
}

TEST_CASE("concave polygons are cut inside their outline") {
    // An L, extruded: the cap would overlap itself if it were cut as a fan from its first corner.
    const std::vector<Vec3d> outline{{2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}, {0, 0, 0}};
    TriangleMesh mesh;
    for (const Vec3d& x : outline) mesh.vertices.push_back(x);
    for (std::size_t first = 0; first < outline.size(); ++first) {
        std::vector<std::uint32_t> corners;
        for (std::size_t k = 0; k < outline.size(); ++k)
            corners.push_back(static_cast<std::uint32_t>((first + k) % outline.size()));
        mesh.triangles.clear();
        append_polygon(mesh, corners);
        CHECK(mesh.triangles.size() == 4);
        double area = 0;
        for (const auto& t : mesh.triangles) {
            const Vec3d a = mesh.vertices[t[0]];
            const double part = 0.5 * cross(mesh.vertices[t[1]] - a, mesh.vertices[t[2]] - a).z;
            CHECK(part > 0);
            area += part;
        }
        CHECK(area == near(3, 1e-12));
    }
}

TEST_CASE("a mesh that is inside out is turned around") {
    TriangleMesh inverted = brick;
    for (auto& t : inverted.triangles) std::swap(t[0], t[1]);
    CHECK(volume(inverted) == near(-1, 1e-12));
    check_brick(closed_mesh(inverted));
}

TEST_CASE("surfaces without an inside are refused, with their place") {
    TriangleMesh hole = brick;
    hole.triangles.pop_back();
    CHECK_MESH_REFUSED("a.obj", obj_of(hole),
                       "a.obj: the surface is not closed: only one triangle has 3 edges, the first from (");
    hole.triangles.pop_back();
    CHECK_MESH_REFUSED("a.obj", obj_of(hole),
                       "only one triangle has 4 edges, the first from (1, 2, 0.5) to (1, 0, 0.5)");

    TriangleMesh turned = brick;
    std::swap(turned.triangles[4][0], turned.triangles[4][1]);
    CHECK_MESH_REFUSED("a.obj", obj_of(turned), "neighbouring triangles face opposite ways at 3 edges");

    // Two bricks that share an edge.
    TriangleMesh two = brick;
    const TriangleMesh other = box_mesh({1, 2, 0.5}, {2, 3, 0.75});
    for (const Vec3d& x : other.vertices) two.vertices.push_back(x);
    for (const auto& [a, b, c] : other.triangles) two.triangles.push_back({a + 8, b + 8, c + 8});
    CHECK_MESH_REFUSED("a.obj", obj_of(two),
                       "more than two triangles share 1 edge, the first from (1, 2, 0.5) to (1, 2, 0.75)");

    CHECK_MESH_REFUSED("a.obj", four + "f 1 2 3\nf 1 3 2\n", "encloses no volume");
    CHECK_MESH_REFUSED("a.obj", four, "has no faces");
    CHECK_MESH_REFUSED("a.obj", four + "f 1 1 2\n", "has no faces");
}

TEST_CASE("OBJ: errors are reported with their line") {
    CHECK_MESH_REFUSED("a.obj", "", "a.obj: is empty");
    CHECK_MESH_REFUSED("a.obj", "v 0 0\n", "line 1: a vertex needs three coordinates");
    CHECK_MESH_REFUSED("a.obj", "\nv 0 zero 0\n", "line 2: \"zero\" is no coordinate");
    CHECK_MESH_REFUSED("a.obj", "v 0 nan 0\n", "line 1: a vertex has the coordinate nan");
    CHECK_MESH_REFUSED("a.obj", "v 0 1e10 0\n",
                       "line 1: a vertex has the coordinate 10000000000; allowed: -1e+09 to 1e+09");
    CHECK_MESH_REFUSED("a.obj", four + "f 1 2\n", "line 5: a face needs three corners or more");
    CHECK_MESH_REFUSED("a.obj", four + "f 1 2 5\n", "line 5: a face names vertex 5, but there are 4");
    CHECK_MESH_REFUSED("a.obj", four + "f 1 2 -5\n", "line 5: a face names vertex 0, but there are 4");
    CHECK_MESH_REFUSED("a.obj", four + "f 0 1 2\n", "line 5: \"0\" is no vertex; they count from 1");
    CHECK_MESH_REFUSED("a.obj", four + "f a b c\n", "line 5: \"a\" is no vertex");
    std::string many = four + "f";
    for (int k = 0; k <= 1000; ++k) many += " 1";
    CHECK_MESH_REFUSED("a.obj", many, "line 5: a face has 1001 corners; allowed: at most 1000");
}

TEST_CASE("STL: errors are reported with their line or byte") {
    CHECK_MESH_REFUSED("a.stl", "solid x\nfacet\nvertex 0 0 0\nendloop\n",
                       "line 4: a facet has 1 vertices; it must have 3");
    CHECK_MESH_REFUSED("a.stl", "solid x\nfacet\nvertex 0 0\n", "line 3: a vertex needs three coordinates");
    CHECK_MESH_REFUSED("a.stl", "solid x\nfacet\nvertex 0 0 inf\n",
                       "line 3: a vertex has the coordinate inf");
    CHECK_MESH_REFUSED("a.stl", "solid x\nfact\n", "line 2: \"fact\" is no STL keyword");
    CHECK_MESH_REFUSED("a.stl", "solid x\nfacet\n", "cut short: there is no endsolid");
    CHECK_MESH_REFUSED("a.stl", "short", "is cut short: it ends at byte 5, within the header");
    CHECK_MESH_REFUSED("a.stl", "solid x\nendsolid x\n", "has no faces");
    CHECK_MESH_REFUSED("a.stl", std::string(1000, '\0'),
                       "declares no triangles, but 916 bytes follow its header");
    const std::string whole = binary_stl_of(brick);
    CHECK_MESH_REFUSED("a.stl", whole.substr(0, whole.size() - 1),
                       "is cut short: 12 triangles take 684 bytes, the file has 683");
    TriangleMesh broken = brick;
    broken.vertices[7].y = std::nan("");
    CHECK_MESH_REFUSED("a.stl", binary_stl_of(broken), "a vertex has the coordinate nan");
}

TEST_CASE("PLY: errors are reported with their line or byte") {
    const std::string head =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n";
    CHECK_MESH_REFUSED("a.ply", head + "3 0 1 3\n",
                       "line 13: face 0 names vertex 3, but there are 3, counted from 0");
    CHECK_MESH_REFUSED("a.ply", head + "3 0 1 -1\n", "face 0 names vertex -1");
    CHECK_MESH_REFUSED("a.ply", head + "2 0 1\n", "line 13: a face needs three corners or more");
    CHECK_MESH_REFUSED("a.ply", head + "3 0 1 x\n", "line 13: \"x\" is no number");
    CHECK_MESH_REFUSED("a.ply", head + "3 0 1", "cut short");
    CHECK_MESH_REFUSED("a.ply", head + "100000 0 1", "a list has 100000 items; allowed: at most 1000");
    CHECK_MESH_REFUSED("a.ply", "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nend_header\n",
                       "element vertex has no property y");
    CHECK_MESH_REFUSED("a.ply", "ply\nformat ascii 1.0\nelement face 0\nend_header\n",
                       "element face has no list vertex_indices");
    CHECK_MESH_REFUSED("a.ply", "ply\nformat ascii 1.0\nend_header\n", "has no faces");
    const std::string whole = binary_ply_of(brick, false);
    CHECK_MESH_REFUSED("a.ply", whole.substr(0, whole.size() - 1),
                       fmt::format("byte {}: the file is cut short", whole.size() - 4).c_str());
}

TEST_CASE("what is no mesh is refused") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH_AS(load_mesh(folder / "no.obj"), doctest::Contains("no.obj: no such file"), InputError);
    CHECK_THROWS_WITH_AS(load_mesh(folder.path), doctest::Contains("is a folder"), InputError);
    CHECK_MESH_REFUSED("a.fbx", "x", "a.fbx: is not a mesh by its name; allowed: .obj, .ply, .stl");
}

TEST_CASE("damaged files are read or refused, never worse") {
    const std::pair<const char*, std::string> files[] = {{"a.obj", obj_of(brick)},
                                                         {"a.stl", ascii_stl_of(brick)},
                                                         {"a.stl", binary_stl_of(brick)},
                                                         {"a.ply", ascii_ply_of(brick)},
                                                         {"a.ply", binary_ply_of(brick, false)}};
    for (const auto& [name, whole] : files) {
        const auto survives = [&, name = name](const std::string& bytes) {
            try {
                load_text(name, bytes);
            } catch (const InputError&) {
            }
        };
        for (std::size_t length = 0; length < whole.size(); length += 7) survives(whole.substr(0, length));
        CHECK(rc::check([&, &whole = whole] {
            std::string bytes = whole;
            for (const std::size_t position : *rc::gen::container<std::vector<std::size_t>>(
                     8, rc::gen::inRange<std::size_t>(0, whole.size())))
                bytes[position] = *rc::gen::arbitrary<char>();
            survives(bytes);
        }));
    }
}
