#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "clouds.h"
#include "surface/occupancy.h"
#include "surface/polygonise.h"

using namespace thixo;

namespace {

/// A block of liquid with a cavity, a thin gap and a drop beside it, particles moved at random.
Cloud liquid() {
    Cloud cloud =
        lattice(0.1, 1.2, [](const Vec3d& x) { return norm(x) > 0.3 && !(x.x > 0.7 && x.x < 0.95); });
    for (std::size_t i = 0; i < cloud.position.size(); ++i)
        for (float* c : {&cloud.position[i].x, &cloud.position[i].y, &cloud.position[i].z})
            *c += static_cast<float>(
                0.03 * (uniform(3 * i + static_cast<std::size_t>(c - &cloud.position[i].x)) - 0.5));
    cloud.add({1.8, 0, 0}, 0.05);
    return cloud;
}

struct Made {
    SurfaceField field;
    SurfaceMesh mesh;
};

Made make(const Cloud& cloud, SurfaceMethod method, Occupancy::Extent extent, double cell) {
    const Occupancy occupancy = find_occupancy({2}, cloud.view(), method, cell, extent, plenty);
    BandBlocks blocks = band_blocks({2}, occupancy, cell, {}, plenty);
    const FieldParticles particles = prepare_particles(
        {2}, cloud.view(), method, band_particles({2}, occupancy, blocks, cloud.position, reach_bins));
    Made made{make_field({2}, particles, method, std::move(blocks)), {}};
    made.mesh = polygonise({2}, made.field, 0, true).mesh;
    return made;
}

}  // namespace

TEST_CASE("the surface is the same whether fields are summed everywhere or in the band alone") {
    const Cloud cloud = liquid();
    for (const SurfaceMethod method : every_method) {
        for (const double cell : {0.04, 0.075}) {
            CAPTURE(static_cast<int>(method));
            const Made band = make(cloud, method, Occupancy::Extent::band, cell),
                       whole = make(cloud, method, Occupancy::Extent::everything, cell);
            const MeshReport report = examine({2}, band.mesh), expected = examine({2}, whole.mesh);
            CHECK(report.manifold());
            CHECK(report.components == expected.components);
            CHECK(report.genus == expected.genus);
            CHECK(report.volume == doctest::Approx(expected.volume).epsilon(1e-3));
            CHECK(report.area == doctest::Approx(expected.area).epsilon(1e-3));
            // Particles that are deep count as if their neighbourhoods were complete, and those of
            // `anisotropic` keep their place.
            if (method == SurfaceMethod::anisotropic) continue;
            REQUIRE(report.vertices == expected.vertices);
            // Vertices come in the order of their blocks, in both the same.
            double worst = 0;
            for (std::size_t v = 0; v < band.mesh.vertices.size(); ++v)
                worst = std::max(worst, double{norm(band.mesh.vertices[v] - whole.mesh.vertices[v])});
            CHECK(worst <
                  0.01 * 0.1);  // particles that are deep count as if their neighbourhoods were complete
            CHECK(band.field.grid.size() <= whole.field.grid.size());
        }
    }
}

TEST_CASE("what is deep inside costs nothing") {
    const auto blocks = [](double size) {
        const Cloud cube = lattice(0.1, size, [](const Vec3d&) { return true; });
        return double{make(cube, SurfaceMethod::density, Occupancy::Extent::band, 0.05).field.grid.size() *
                      1.0};
    };
    // Twice as wide: four times the surface, eight times the volume.
    CHECK(blocks(3.2) < 4.6 * blocks(1.6));
}

TEST_CASE("a deep node is inside, and a node outside the band is outside") {
    const Cloud cloud = liquid();
    for (const SurfaceMethod method : every_method) {
        const double cell = 0.05;
        const Occupancy occupancy =
            find_occupancy({1}, cloud.view(), method, cell, Occupancy::Extent::band, plenty);
        const BandBlocks blocks = band_blocks({1}, occupancy, cell, {}, plenty);
        const SurfaceField whole =
            make_field({1}, prepare_particles({1}, cloud.view(), method), method, cell, plenty);
        std::size_t deep = 0;
        for (Index b = 0; b < whole.grid.size(); ++b) {
            const Index own = blocks.grid.find(whole.grid.place(b));
            if (own == no_block) continue;
            for (int z = 0; z < 8; ++z)
                for (int y = 0; y < 8; ++y)
                    for (int x = 0; x < 8; ++x) {
                        const float phi = whole.block(b)[(z * 8 + y) * 8 + x];
                        if (blocks.deep[own].at(x, y, z)) {
                            ++deep;
                            CHECK(phi < 0);
                        } else if (!blocks.band[own].at(x, y, z)) {
                            CHECK(phi >= 0);
                        }
                    }
        }
        CHECK(deep > 1000);
    }
}
