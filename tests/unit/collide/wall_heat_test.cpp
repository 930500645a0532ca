#include <doctest/doctest.h>

#include <vector>

#include "collide/walls.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

constexpr double spacing = 0.1, support = 0.2;

WallHeat felt(const std::vector<Obstacle>& obstacles, const Vec3f& x, float conductivity = 2) {
    const HalfSpaceIntegral integral({KernelName::cubic_spline, support, 3, spacing});
    const Walls walls(obstacles, 3, support);
    const std::vector<Vec3f> position{x};
    const std::vector<std::uint16_t> material{0};
    const std::vector<float> conductivities{conductivity};
    std::vector<WallHeat> out(1);
    walls.sense_heat({1}, position, material, conductivities, integral, out);
    return out[0];
}

}  // namespace

TEST_CASE("a wall conducts as half a spacing of the particle's own matter would") {
    const HalfSpaceIntegral integral({KernelName::cubic_spline, support, 3, spacing});
    Obstacle floor{.name = "floor", .shape = Plane{}};
    const Vec3f x{0.3f, 0.05f, 0};
    // Nothing passes without a temperature, but it covers.
    WallHeat heat = felt({floor}, x);
    CHECK(heat.exchange == 0);
    CHECK(heat.matter == 0);
    CHECK(heat.cover == near(integral.weight(0.05f)));
    floor.temperature = 80;
    heat = felt({floor}, x);
    // A/d = V E with A = ℓ², d = ℓ/2, V = ℓ³, up to the smearing of layers and the calibration of volumes.
    CHECK(heat.exchange == doctest::Approx(2 / (spacing * spacing)).epsilon(0.12));
    CHECK(heat.pull == near(80 * heat.exchange));
    CHECK(heat.matter == heat.cover);
    CHECK(felt({floor}, {0, 0.21f, 0}).cover == 0);
}

TEST_CASE("a contact is a resistance in front of it") {
    Obstacle floor{.name = "floor", .shape = Plane{}, .temperature = 80};
    const Vec3f x{0.3f, 0.05f, 0};
    const float perfect = felt({floor}, x).exchange;
    floor.heat_transfer = 40;
    // 1/(1 + k/(η d)) with k = 2 and d = 0.05: as thick as the layer itself
    const WallHeat heat = felt({floor}, x);
    CHECK(heat.exchange == near(0.5f * perfect));
    CHECK(heat.pull == near(80 * heat.exchange));
    floor.heat_transfer = 1e9;
    CHECK(felt({floor}, x).exchange == near(perfect));
}

TEST_CASE("walls that differ in temperature add up") {
    const Obstacle floor{.name = "floor", .shape = Plane{}, .temperature = 80},
        side{.name = "side", .shape = Plane{{0, 0, 0}, {1, 0, 0}}, .temperature = -10};
    const Vec3f x{0.05f, 0.05f, 0};
    const float one = felt({floor}, x).exchange;
    const WallHeat both = felt({floor, side}, x);
    CHECK(both.exchange == near(2 * one));
    CHECK(both.pull == near(70 * one));
}
