#include <doctest/doctest.h>

#include <cmath>

#include "core/input_file.h"
#include "geometry/distance_grid.h"
#include "geometry/mesh_distance.h"
#include "geometry/mesh_file.h"
#include "repository.h"
#include "unit/core/generators.h"

using namespace thixo;

namespace {

const std::filesystem::path bowl_file = test::repository() / "scenes/fluid/bowl.obj";

/// script/make_bowl: half balls around this centre, the wall between these radii.
constexpr Vec3d center{0, 0.2, 0};
constexpr double inner = 0.18, outer = 0.195, rim = 0.15;

}  // namespace

TEST_CASE("the bowl of the scenes is closed, its wall solid and its inside free") {
    CHECK(volume(parse_obj_mesh(read_whole(bowl_file))) > 0);
    const MeshDistance bowl(load_mesh(bowl_file));
    const DistanceGrid grid([&](const Vec3d& x) { return bowl.at(x, 3); }, bowl.bounds(),
                            {.cell = 0.005, .band = 0.02});
    // 64 corners around and 18 from the bottom to the rim: sagittas of 0.22 mm and 0.16 mm.
    constexpr double sag = 0.0004;
    Stream stream(11);
    for (int i = 0; i < 20000; ++i) {
        const double turn = stream.real(0, 6.2831853f), down = stream.real(0, 1.3f);
        const Vec3d ray{std::sin(down) * std::cos(turn), -std::cos(down), std::sin(down) * std::sin(turn)};
        const Vec3d middle = center + 0.5 * (inner + outer) * ray;
        if (middle.y > rim) continue;
        const double off = stream.real(0.0f, 0.02f);
        const Vec3d inside = center + (inner - off) * ray;
        CHECK(bowl.at(middle, 3).distance < -0.5 * (outer - inner) + sag);
        CHECK(grid.at(to_float(middle)).distance < 0);
        CHECK(std::abs(bowl.at(inside, 3).distance - off) < sag);
        CHECK(std::abs(grid.at(to_float(inside)).distance - off) < 2 * sag);
    }
}
