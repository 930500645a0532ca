#include "skin/shape_mesh.h"

#include <doctest/doctest.h>

#include <numbers>

#include "geometry/extent.h"
#include "geometry/layer.h"
#include "surface/mesh_report.h"
#include "unit/skin/bodies.h"

using namespace thixo;

namespace {

SurfaceMesh drawn(const TriangleMesh& mesh) {
    SurfaceMesh out;
    for (const Vec3d& x : mesh.vertices) out.vertices.push_back(to_float(x));
    out.triangles = mesh.triangles;
    return out;
}

/// m, of the middles of triangles: zero where the mesh has the shape's flat faces and edges.
double farthest_middle(const TriangleMesh& mesh, const Shape& shape) {
    double most = 0;
    for (const auto& t : mesh.triangles)
        most = std::max(
            most,
            std::abs(signed_distance(
                         shape, (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3., 3)
                         .distance));
    return most;
}

}  // namespace

TEST_CASE("meshes of shapes are closed, have their volume and lie on them") {
    const double edge = 0.05;
    const Shape shapes[] = {Shape(Box{{0, 0, 0}, {1, 0.5, 0.25}}, {1.5, Rotation({10, 20, 30}), {1, 2, 3}}),
                            Sphere{{1, 0, 0}, 0.5},
                            Ellipsoid{{0, 1, 0}, {0.5, 0.3, 0.4}},
                            Cylinder{{0, 0, 0}, {1, 1, 0}, 0.3},
                            Capsule{{0, 0, 0}, {0, 0, 1}, 0.3},
                            Torus{{0, 0, 0}, {1, 1, 1}, 0.5, 0.2},
                            Duck{1},
                            Bunny{1}};
    for (const Shape& shape : shapes) {
        CAPTURE(shape.kind.index());
        const TriangleMesh mesh = shape_mesh({1}, shape, edge, edge);
        const MeshReport report = examine({1}, drawn(mesh));
        CHECK(report.manifold());
        CHECK(report.components == 1);
        const double exact = extent(shape, 3).volume;
        CHECK(report.volume == doctest::Approx(exact).epsilon(0.02));
        double off = 0;
        for (const Vec3d& x : mesh.vertices)
            off = std::max(off, std::abs(signed_distance(shape, x, 3).distance));
        // A distance f changes by at most h along an edge of length h. With f = −a and b at its ends the
        // linear zero is at t = a h/(a + b), where f ≤ min(t − a, b + h − t): at most h/2, for a = b → 0, a
        // crease that runs between the two.
        CHECK(off < (mesh.texture.empty() ? 0.5 * edge : 1e-12));
    }
}

TEST_CASE("edges of boxes are edges of triangles") {
    const Shape box = Box{{0, 0, 0}, {0.3, 0.2, 0.1}};
    const TriangleMesh mesh = shape_mesh({1}, box, 0.05, 0.05);
    CHECK(farthest_middle(mesh, box) < 1e-12);
    CHECK(volume(mesh) == doctest::Approx(0.006));
    CHECK(mesh.texture.size() == mesh.triangles.size());
}

TEST_CASE("cut shapes keep sharp edges: most of what marching cubes bevels is put back") {
    const Shape cut = Difference{
        {Box{{-0.3, -0.06, -0.06}, {0.3, 0.06, 0.06}}, Box{{-0.02, 0.04, -0.1}, {0.02, 0.1, 0.1}}}};
    const TriangleMesh mesh = shape_mesh({1}, cut, 0.01, 0.01);
    CHECK(examine({1}, drawn(mesh)).manifold());
    CHECK(volume(mesh) == doctest::Approx(extent(cut, 3).volume).epsilon(0.003));
    // A vertex at each corner of the bar.
    for (const double x : {-0.3, 0.3})
        for (const double y : {-0.06, 0.06})
            for (const double z : {-0.06, 0.06}) {
                double nearest = 1;
                for (const Vec3d& v : mesh.vertices) nearest = std::min(nearest, norm(v - Vec3d{x, y, z}));
                CHECK(nearest < 1e-6);
            }
}

TEST_CASE("no triangle cuts across a sharp edge or corner of a cut shape") {
    const Shape notched =
        Difference{{Box{{-0.3, -0.06, -0.06}, {0.3, 0.06, 0.06}}, Box{{-0.02, 0.04, -0.1}, {0.02, 0.1, 0.1}},
                    Box{{-0.02, -0.1, -0.1}, {0.02, -0.04, 0.1}}}};
    for (const double edge : {0.01, 0.0125, 0.0075}) {
        CAPTURE(edge);
        const TriangleMesh mesh = shape_mesh({1}, notched, edge, 2 * edge);
        CHECK(examine({1}, drawn(mesh)).manifold());
        // All faces lie in planes along the axes.
        double across = 0, all = 0;
        for (const TriangleMesh::Corners& t : mesh.triangles) {
            const Vec3d n =
                cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]);
            all += norm(n);
            if (std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z)}) < 0.999 * norm(n)) across += norm(n);
        }
        MESSAGE("part of the area across edges: ", across / all);
        CHECK(across < 1e-6 * all);
        CHECK(volume(mesh) == doctest::Approx(extent(notched, 3).volume).epsilon(1e-3));
    }
}

TEST_CASE("sheets get a thickness, rods a radius") {
    const double s = 0.05;
    const Shape sheets[] = {RectangleSheet{{0, 1, 0}, 1, 0.5, 2}, DiscSheet{{0, 0, 0}, 0.5},
                            Sombrero{{0, 0, 0}, 1, 0.2, 2}};
    for (const Shape& sheet : sheets) {
        const TriangleMesh mesh = shape_mesh({1}, sheet, 0.5 * s, s);
        CHECK(examine({1}, drawn(mesh)).manifold());
        const double layers = std::holds_alternative<RectangleSheet>(sheet.kind) ? 2 : 1;
        CHECK(volume(mesh) == doctest::Approx(measure(layer_of(sheet)) * layers * s).epsilon(0.02));
    }
    const Shape rods[] = {Curve{{{0, 0, 0}, {0.5, 0.2, 0}, {1, 0, 0.3}}, true, false},
                          Helix{{0, 0, 0}, 0.5, 0.3, 2},
                          Curve{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, true, true}};
    for (const Shape& rod : rods) {
        const TriangleMesh mesh = shape_mesh({1}, rod, 0.5 * s, s);
        CHECK(examine({1}, drawn(mesh)).manifold());
        const double polygon = 3 * 0.25 * s * s;  // twelve sides
        CHECK(volume(mesh) == doctest::Approx(measure(layer_of(rod)) * polygon).epsilon(0.02));
    }
}

TEST_CASE("refining keeps the surface, its closedness and its texture") {
    TriangleMesh mesh = box_surface({{0, 0, 0}, {1, 1, 1}}, 1);
    CHECK(mesh.triangles.size() == 12);
    refine(mesh, 0.2);
    CHECK(examine({1}, drawn(mesh)).manifold());
    CHECK(volume(mesh) == doctest::Approx(1));
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d& x = mesh.vertices[mesh.triangles[t][k]];
            CHECK(norm(x - mesh.vertices[mesh.triangles[t][(k + 1) % 3]]) <= 0.2);
            // On the face +x: u runs along y in the first third, v along z in the upper half.
            const Vec3d n = cross(mesh.vertices[mesh.triangles[t][1]] - mesh.vertices[mesh.triangles[t][0]],
                                  mesh.vertices[mesh.triangles[t][2]] - mesh.vertices[mesh.triangles[t][0]]);
            if (!(n.x > 0.9 * norm(n))) continue;
            CHECK(mesh.texture[t][k][0] == doctest::Approx(x.y / 3));
            CHECK(mesh.texture[t][k][1] == doctest::Approx(0.5 + x.z / 2));
        }
}
