#include <doctest/doctest.h>

#include "unit/core/near.h"
#include "unit/lattice/crystal.h"

using namespace thixo;

namespace {

Material breaking(int dimensions, double rate, double time, double damping = 0) {
    Material out = crystal(dimensions, damping);
    out.solid.docking_rate = rate;
    out.solid.docking_time = time;
    return out;
}

Index taken(const std::vector<float>& rates, float beyond) {
    return static_cast<Index>(std::count_if(rates.begin(), rates.end(), [=](float r) { return r > beyond; }));
}

/// Two blocks of one object with a gap between them, on one lattice.
std::vector<Vec3d> two_blocks() {
    std::vector<Vec3d> points = lattice_box(2, 8, 2.7);
    std::erase_if(points, [](const Vec3d& x) { return std::abs(x.x) < 1.4; });
    return points;
}

void push_together(Crystal& c, float speed) {
    for (Index i = 0; i < c.size(); ++i)
        c.particles.velocity[i].x = c.particles.position[i].x < 0 ? speed : -speed;
}

}  // namespace

TEST_CASE("docking succeeds with the probability that its rate says, whatever the step") {
    for (const int pieces : {1, 2, 5}) {
        for (const double time : {0.2, 1., 2.5}) {
            const double rate = 1, forever = 1e4, dt = time / pieces;
            Crystal c(breaking(3, rate, forever), block_points(3, 6), 3);
            const auto points = static_cast<double>(taken(c.solids.state().rates, 0.5f));
            REQUIRE(points > 10000);
            for (int k = 0; k < pieces; ++k) {
                c.last_step = dt;
                c.steps = static_cast<std::uint64_t>(k) + 1;
                c.accelerations();
            }
            // Points that failed every time have no particle near: each draw takes κ dt off, and none gives
            // more than that back.
            const std::vector<float> rates = c.solids.state().rates;
            const double fallen = rate - (pieces - 0.5) * rate / forever * dt;
            const double failed = points - taken(rates, static_cast<float>(fallen));
            const double expected = std::exp(-rate * time);
            CHECK(std::abs(failed / points - expected) < 5 * std::sqrt(expected * (1 - expected) / points));
        }
    }
}

TEST_CASE("draws depend on the seed and on the step alone") {
    const auto rates = [](std::uint64_t seed, std::uint64_t step) {
        Crystal c(breaking(2, 1, 1e4), block_points(2, 4), 2, identity<double>(), {}, seed);
        c.last_step = 0.5;
        c.steps = step;
        c.accelerations();
        return c.solids.state().rates;
    };
    CHECK(rates(1, 1) == rates(1, 1));
    CHECK(rates(1, 1) != rates(2, 1));
    CHECK(rates(1, 1) != rates(1, 2));
}

TEST_CASE("a block that nothing pulls at keeps together") {
    for (const int dimensions : {2, 3}) {
        const double dt = dimensions == 2 ? 0.4 : 0.3;
        Crystal c(breaking(dimensions, 10 / dt, 20 * dt), block_points(dimensions, 4), dimensions);
        const Index bonds = c.bonds();
        for (int k = 0; k < 1000; ++k) c.step(dt);
        CHECK(c.bonds() == bonds);
        CHECK(c.parts() == 1);
        for (const std::uint16_t rim : c.particles.rim) CHECK(rim == 0);
        std::vector<std::uint32_t> may_split;
        CHECK(!c.solids.collect_may_split(c.particles, may_split));
    }
}

TEST_CASE("with a low rate a block falls apart by itself") {
    Crystal c(breaking(2, 1 / 0.4, 20 * 0.4), block_points(2, 4), 2);
    const Index bonds = c.bonds();
    for (int k = 0; k < 1000; ++k) c.step(0.4);
    CHECK(c.bonds() < bonds / 2);
}

TEST_CASE("blocks that meet fuse without docking rates, and rebound with them") {
    for (const bool rates : {false, true}) {
        Crystal c(rates ? breaking(2, 30, 6, 0.05) : crystal(2, 0.05), two_blocks(), 2);
        REQUIRE(c.parts() == 2);
        push_together(c, 0.1f);
        for (int k = 0; k < 300; ++k) c.step(0.3);
        CHECK(c.parts() == (rates ? 2 : 1));
        double left = 0;
        for (Index i = 0; i < c.size(); ++i)
            if (c.particles.position[i].x < 0) left += c.particles.velocity[i].x;
        if (rates) CHECK(left < 0);
        for (const std::uint16_t rim : c.particles.rim) CHECK(rim == 0);
    }
}

TEST_CASE("what broke does not heal, and its rim is marked") {
    const double dt = 0.3;
    Crystal c(breaking(2, 10 / dt, 20 * dt, 0.1), lattice_box(2, 5, 2.7), 2);
    CHECK(c.parts() == 1);
    // Torn apart in the middle, held apart until the rates are gone, and brought back to where it was.
    const std::vector<Vec3f> whole = c.particles.position;
    const std::vector<std::uint32_t> order = c.particles.id;
    for (Vec3f& x : c.particles.position) x.x += x.x > 0.2f ? 1.f : 0.f;
    for (int k = 0; k < 30; ++k) {
        for (Vec3f& v : c.particles.velocity) v = {};
        c.step(dt, [](Index, Vec3f& a) { a = {}; });
    }
    CHECK(c.parts() == 2);
    std::vector<std::uint32_t> may_split;
    CHECK(c.solids.collect_may_split(c.particles, may_split));
    CHECK(may_split == std::vector<std::uint32_t>{1});
    CHECK(!c.solids.collect_may_split(c.particles, may_split));
    for (Index i = 0; i < c.size(); ++i) {
        const auto k = std::find(order.begin(), order.end(), c.particles.id[i]) - order.begin();
        const Vec3f& x = whole[static_cast<std::size_t>(k)];
        c.particles.position[i] = x;
        // Two of the bonds that cross the gap are those of each particle beside it.
        CHECK((c.particles.rim[i] > 0) == (x.x > -0.9f && x.x < 1.1f));
    }
    for (int k = 0; k < 100; ++k) c.step(dt);
    CHECK(c.parts() == 2);
}

TEST_CASE("bonds tear by stress, from both ends at once") {
    Material material = breaking(2, 100, 3);
    // The bonds along x are stretched by 3 %: their stress is 3 % of E.
    for (const bool beyond : {false, true}) {
        material.solid.break_stress = (beyond ? 0.028 : 0.032) * material.solid.young_modulus;
        Crystal c(material, lattice_box(2, 5, 2.7), 2);
        const Index bonds = c.bonds();
        c.deform([](const Vec3d& x) { return Vec3d{1.03 * x.x, x.y, x.z}; });
        c.accelerations();
        CHECK(c.bonds() == bonds);
        c.last_step = 0.3;
        c.steps = 1;
        c.accelerations();
        CHECK((c.bonds() < bonds) == beyond);
        for (Index i = 0; i < c.size(); ++i) {
            c.solids.visit_docked(c.particles, i, [&](Index j) {
                const Vec3f d = c.particles.position[j] - c.particles.position[i];
                if (beyond) CHECK(std::abs(d.y) > 0.1f);
            });
        }
    }
}

TEST_CASE("objects do not dock on each other") {
    std::vector<std::uint16_t> object;
    const std::vector<Vec3d> points = lattice_box(2, 4, 2.7);
    for (const Vec3d& x : points) object.push_back(x.x > 0.2 ? 1 : 0);
    Crystal c(crystal(2), points, 2, identity<double>(), object);
    CHECK(c.parts() == 2);
    const DockingPairs may_dock = c.solids.docking_pairs(c.particles);
    for (Index i = 0; i < c.size(); ++i)
        for (Index j = 0; j < c.size(); ++j)
            CHECK(may_dock(i, j) == (c.particles.object[i] == c.particles.object[j]));
}

TEST_CASE("bodies of one object may dock if nothing cracks or melts, and are contact pairs otherwise") {
    for (const double rate : {0., 10.}) {
        for (const bool melts : {false, true}) {
            Material material = breaking(2, rate, 1);
            if (melts) material.heat.melting_point = 0;
            Crystal c(material, block_points(2, 2), 2);
            for (Index i = 0; i < c.size(); ++i) c.particles.body[i] = 1 + (i % 2);
            CHECK(c.solids.docking_pairs(c.particles)(0, 1) == (rate == 0 && !melts));
            CHECK(c.solids.docking_pairs(c.particles)(0, 2));
        }
    }
}

TEST_CASE("particles of one body may dock, regardless of their objects") {
    Crystal c(crystal(2), block_points(2, 2), 2);
    for (Index i = 0; i < c.size(); ++i) {
        c.particles.body[i] = 1 + (i % 2);
        c.particles.object[i] = static_cast<std::uint16_t>(i % 3);
    }
    CHECK(!c.solids.docking_pairs(c.particles)(0, 1));
    CHECK(c.solids.docking_pairs(c.particles)(0, 2));
}

TEST_CASE("a solid at rest fills its own space, and no more when it is pressed") {
    for (const int dimensions : {2, 3}) {
        const double volume = cell_volume(Lattice::closest, 1, dimensions);
        Material material = crystal(dimensions);
        material.density = 1 / volume;
        Crystal c(material, block_points(dimensions, 3.2), dimensions);
        const Index middle = c.particles.lattice_index[c.row_of(0)];
        const float whole = c.solids.contact_sums()[middle];
        CHECK(whole > 0.4f);
        c.deform([](const Vec3d& x) { return 0.9 * x; });
        c.accelerations();
        CHECK(c.solids.contact_sums()[middle] >= whole);
        CHECK(c.solids.contact_sums()[middle] < 1);
    }
}
