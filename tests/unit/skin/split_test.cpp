#include "skin/split.h"

#include <doctest/doctest.h>

#include <set>

#include "surface/mesh_report.h"
#include "unit/core/generators.h"
#include "unit/skin/bodies.h"

using namespace thixo;

namespace {

const auto stay = [](const Vec3d& x) { return x; };

}  // namespace

TEST_CASE("a bar that splits in two: closed pieces, their volume is the whole's, crack faces within") {
    SkinnedShape bar(Box{{-0.3, -0.06, -0.06}, {0.3, 0.06, 0.06}}, 0.02);
    std::vector<int> body;
    for (const Vec3d& x : bar.rest) body.push_back(x.x + 0.5 * x.y < 0.05 ? 1 : 2);
    const auto pieces = bar.pose(stay, body);
    REQUIRE(pieces.size() == 2);
    double sum = 0;
    std::set<std::array<std::array<float, 2>, 3>> before(bar.mesh.texture.begin(), bar.mesh.texture.end());
    for (const auto& piece : pieces) {
        const MeshReport report = examine({1}, piece.mesh);
        CHECK(report.manifold());
        CHECK(report.components == 1);
        CHECK(report.genus == 0);
        sum += report.volume;
        std::size_t kept = 0, cracked = 0, skin = 0;
        for (std::size_t t = 0; t < piece.mesh.triangles.size(); ++t) {
            if (piece.mesh.part[t] == SurfacePart::crack) {
                ++cracked;
                for (const auto v : piece.mesh.triangles[t]) {
                    // On the plane that separates the particles, within the bar.
                    const Vec3d x = to_double(piece.mesh.vertices[v]);
                    CHECK(std::abs(x.x + 0.5 * x.y - 0.05) < 0.025);
                    CHECK(std::abs(x.y) < 0.0601);
                }
                continue;
            }
            ++skin;
            // Texture stays with matter: on the face +y, u runs along z and v along x, whatever was cut.
            const auto& corners = piece.mesh.triangles[t];
            const auto x = [&](std::size_t k) { return to_double(piece.mesh.vertices[corners[k]]); };
            const Vec3d n = cross(x(1) - x(0), x(2) - x(0));
            for (std::size_t k = 0; k < 3 && n.y > 0.99 * norm(n); ++k) {
                CHECK(std::abs(piece.mesh.texture[t][k][0] - (1 + (x(k).z + 0.06) / 0.12) / 3) < 1e-5);
                CHECK(std::abs(piece.mesh.texture[t][k][1] - (1 + (x(k).x + 0.3) / 0.6) / 2) < 1e-5);
            }
            kept += before.contains(piece.mesh.texture[t]) ? 1 : 0;
        }
        CHECK(cracked > 20);
        CHECK(static_cast<double>(kept) > 0.75 * static_cast<double>(skin));
        // Sharp: all triangles of the outside are in the planes of the box.
        for (const Vec3f& x : piece.mesh.vertices)
            CHECK(signed_distance(Box{{-0.3, -0.06, -0.06}, {0.3, 0.06, 0.06}}, to_double(x), 3).distance <
                  1e-6);
    }
    CHECK(sum == doctest::Approx(volume(bar.mesh)).epsilon(0.01));
}

TEST_CASE("pieces move with their own particles alone") {
    SkinnedShape bar(Box{{-0.3, -0.06, -0.06}, {0.3, 0.06, 0.06}}, 0.02);
    std::vector<int> body;
    for (const Vec3d& x : bar.rest) body.push_back(x.x < 0 ? 1 : 2);
    const Mat3d r = turn({0, 0, 90});
    const auto pieces = bar.pose([&](const Vec3d& x) { return x.x < 0 ? x : r * x + Vec3d{1, 1, 0}; }, body);
    REQUIRE(pieces.size() == 2);
    const auto rest = bar.pose(stay, body);
    for (std::size_t v = 0; v < pieces[0].mesh.vertices.size(); ++v)
        CHECK(norm(pieces[0].mesh.vertices[v] - rest[0].mesh.vertices[v]) < 1e-6f);
    for (std::size_t v = 0; v < pieces[1].mesh.vertices.size(); ++v)
        CHECK(norm(to_double(pieces[1].mesh.vertices[v]) -
                   (r * to_double(rest[1].mesh.vertices[v]) + Vec3d{1, 1, 0})) < 2e-6);
}

TEST_CASE("what melts leaves the skin; what is left is closed, also within the object") {
    SkinnedShape body(Box{{0, 0, 0}, {0.4, 0.4, 0.4}}, 0.04);
    const auto volume_where = [&](auto solid) {
        std::vector<int> label;
        int count = 0;
        for (const Vec3d& x : body.rest) {
            label.push_back(solid(x) ? 7 : no_body);
            count += label.back() == 7 ? 1 : 0;
        }
        const auto pieces = body.pose(stay, label);
        REQUIRE(pieces.size() == 1);
        const MeshReport report = examine({1}, pieces[0].mesh);
        CHECK(report.manifold());
        CHECK(report.volume == doctest::Approx(count * 0.04 * 0.04 * 0.04).epsilon(0.06));
        return pieces[0].mesh;
    };
    const Vec3d c{0.2, 0.2, 0.2};
    // A core that touches no face, a hollow cube, half of it, a corner off.
    const SurfaceMesh core = volume_where([&](const Vec3d& x) { return norm(x - c) < 0.14; });
    for (const SurfacePart part : core.part) CHECK(part == SurfacePart::crack);
    volume_where([&](const Vec3d& x) { return norm(x - c) > 0.1; });
    volume_where([&](const Vec3d& x) { return x.y < 0.2; });
    volume_where([&](const Vec3d& x) { return x.x + x.y + x.z > 0.3; });
}

TEST_CASE("any bodies whatsoever give closed manifolds") {
    SkinnedShape box(Box{{0, 0, 0}, {0.4, 0.3, 0.2}}, 0.05);
    SkinnedShape duck(Duck{0.4}, 0.04);
    CHECK(rc::check([&] {
        Stream stream(*rc::gen::arbitrary<std::uint64_t>());
        SkinnedShape& body = stream.real(0, 1) < 0.5f ? box : duck;
        // Cells of a few random seeds, or noise.
        const int seeds = 2 + static_cast<int>(stream.real(0, 5));
        const bool noise = stream.real(0, 1) < 0.3f;
        std::vector<Vec3d> seed;
        for (int k = 0; k < seeds; ++k)
            seed.push_back({stream.real(-0.2f, 0.4f), stream.real(0, 0.4f), stream.real(-0.2f, 0.2f)});
        std::vector<int> label;
        for (const Vec3d& x : body.rest) {
            int nearest = 0;
            for (int k = 1; k < seeds; ++k)
                if (norm(x - seed[static_cast<std::size_t>(k)]) <
                    norm(x - seed[static_cast<std::size_t>(nearest)]))
                    nearest = k;
            label.push_back(noise ? static_cast<int>(stream.real(0, static_cast<float>(seeds))) : nearest);
        }
        for (const auto& piece : body.pose(stay, label)) {
            const MeshReport report = examine({1}, piece.mesh);
            RC_ASSERT(report.open == 0u);
            RC_ASSERT(report.degenerate == 0u);
            RC_ASSERT(report.not_finite == 0u);
        }
    }));
}
