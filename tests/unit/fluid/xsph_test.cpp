#include <doctest/doctest.h>

#include "unit/core/near.h"
#include "unit/fluid/pairs.h"

using namespace thixo;

namespace {

Tank tank_of(int d, double weight, std::uint64_t seed) {
    Tank tank(d, KernelName::wendland_c2, {water(), oil()}, {.xsph = weight, .dfsph = {}});
    Stream random(seed);
    tank.fill(d == 2 ? 14 : 7, 0.09, 0.04, random);
    tank.evaluate();
    return tank;
}

std::vector<Vec3f> transport(Tank& tank, const Device& device = {1}) {
    std::vector<Vec3f> out(tank.particles.size());
    tank.fluid.smooth_velocity(device, tank.state(), out);
    return out;
}

}  // namespace

TEST_CASE("smoothed velocities are the sum over all pairs") {
    CHECK(rc::check([] {
        const int d = *rc::gen::element(2, 3);
        const double weight = any_real(0, 1);
        Tank tank = tank_of(d, weight, *rc::gen::arbitrary<std::uint64_t>());
        const std::vector<Vec3f>& v = tank.particles.velocity;
        const std::vector<Vec3f> smooth = transport(tank);
        for (Index i = 0; i < tank.particles.size(); i += 5) {
            Vec3d expected = to_double(v[i]);
            for_each_pair(tank, v, i, [&](const Pair& p) { expected -= weight * p.volume * p.w * p.v; });
            // Single precision: some 30 terms of order one.
            RC_ASSERT(norm(to_double(smooth[i]) - expected) < 2e-6);
        }
    }));
}

TEST_CASE("smoothing keeps the momentum of equal volumes") {
    for (const int d : {2, 3}) {
        Tank tank = tank_of(d, 0.5, 3);
        const std::vector<Vec3f> change = difference(transport(tank), tank.particles.velocity);
        Vec3d total{};
        double size = 0;
        for (Index i = 0; i < tank.particles.size(); ++i) {
            total += volume_of(tank, i) * to_double(change[i]);
            size += volume_of(tank, i) * norm(to_double(change[i]));
        }
        CHECK(size > 0);
        CHECK(norm(total) < 1e-6 * size);
    }
}

TEST_CASE("smoothing leaves uniform motion alone, and everything with a weight of 0") {
    Tank still = tank_of(3, 0, 4);
    CHECK(transport(still) == still.particles.velocity);
    Tank moving = tank_of(3, 0.5, 4);
    CHECK(transport(moving) != moving.particles.velocity);
    for (Vec3f& v : moving.particles.velocity) v = {3, -1, 2};
    CHECK(transport(moving) == moving.particles.velocity);
}

TEST_CASE("smoothed velocities do not depend on the number of threads") {
    Tank tank(3, KernelName::wendland_c2, {water()}, {.xsph = 0.5, .dfsph = {}});
    Stream random(5);
    tank.fill(12, 0.09, 0.03, random);
    tank.evaluate();
    const std::vector<Vec3f> first = transport(tank);
    for (const int threads : {2, 8}) CHECK(transport(tank, Device{threads}) == first);
}
