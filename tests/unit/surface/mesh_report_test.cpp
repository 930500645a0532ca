#include "surface/mesh_report.h"

#include <doctest/doctest.h>

using namespace thixo;

namespace {

SurfaceMesh tetrahedron(const Vec3f& at = {}) {
    SurfaceMesh mesh;
    mesh.vertices = {at, at + Vec3f{1, 0, 0}, at + Vec3f{0, 1, 0}, at + Vec3f{0, 0, 1}};
    mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    return mesh;
}

}  // namespace

TEST_CASE("a tetrahedron") {
    const MeshReport report = examine({1}, tetrahedron());
    CHECK(report.manifold());
    CHECK(report.components == 1);
    CHECK(report.genus == 0);
    CHECK(report.volume == doctest::Approx(1.0 / 6));
    CHECK(report.area == doctest::Approx(1.5 + std::sqrt(3) / 2));
}

TEST_CASE("far from the origin volumes stay exact") {
    CHECK(examine({1}, tetrahedron({4096, 4096, 4096})).volume == doctest::Approx(1.0 / 6));
}

TEST_CASE(
    "faults are found: a hole, a turned triangle, a vertex of two fans, an edge of four triangles, no area") {
    SurfaceMesh mesh = tetrahedron();
    mesh.triangles.pop_back();
    CHECK_FALSE(examine({1}, mesh).manifold());

    mesh = tetrahedron();
    std::swap(mesh.triangles[0][0], mesh.triangles[0][1]);
    CHECK_FALSE(examine({1}, mesh).manifold());

    // Two tetrahedra that share a corner.
    mesh = tetrahedron();
    append(mesh, tetrahedron({2, 0, 0}));
    CHECK(examine({1}, mesh).manifold());
    CHECK(examine({1}, mesh).components == 2);
    for (SurfaceMesh::Corners& t : mesh.triangles)
        for (std::uint32_t& v : t) v = v == 4 ? 1 : v;
    mesh.vertices[1] = mesh.vertices[4];
    CHECK(examine({1}, mesh).open > 0);

    // Two that share an edge.
    for (SurfaceMesh::Corners& t : mesh.triangles)
        for (std::uint32_t& v : t) v = v == 5 ? 0 : v;
    CHECK(examine({1}, mesh).open > 0);

    mesh = tetrahedron();
    mesh.vertices[3] = mesh.vertices[0];
    CHECK(examine({1}, mesh).degenerate > 0);
}
