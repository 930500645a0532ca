#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "unit/adapt/pool.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

/// Balls of the given radii in a row, touching.
double roundness_of_row(const std::vector<float>& radii, int d) {
    ParticleTable p;
    p.resize(static_cast<Index>(radii.size()));
    Cluster all;
    float at = 0;
    for (Index i = 0; i < p.size(); ++i) {
        p.radius[i] = radii[i];
        p.mass[i] = std::pow(radii[i], static_cast<float>(d));
        p.position[i] = {at + radii[i], 0, 0};
        at += 2 * radii[i];
        all.push_back(i);
    }
    return roundness(p, all, d);
}

}  // namespace

TEST_CASE("round is what looks like a ball") {
    for (const int d : {2, 3}) {
        CHECK(roundness_of_row({1}, d) == near(1, 1e-12));
        CHECK(roundness_of_row({1, 1}, d) < 0.7);
        CHECK(roundness_of_row({1, 1, 1}, d) < 0.5);
        CHECK(roundness_of_row({1, 2.8f}, d) > 0.88);
    }
    // [DC99, eq. 14] for points: the inertia 0.8, 2.8, 2.8 of two balls.
    CHECK(roundness_of_row({1, 1}, 3) == near(0.8 * 2.8 * 2.8 / std::pow(6.4 / 3, 3), 1e-6));
}

TEST_CASE("merging keeps mass, momentum, angular momentum, heat and the centre of mass, and wins no energy") {
    CHECK(rc::check([] {
        const int d = *rc::gen::element(2, 3);
        Pool pool(d, d == 2 ? 24 : 10, 0.02, *rc::gen::arbitrary<std::uint64_t>());
        for (int round = 0; round < 3; ++round) {
            const Ledger before(pool);
            const Index rows = pool.particles.size();
            Adaptivity adaptivity = pool.adaptivity();
            RC_ASSERT(adaptivity.apply({1}, pool.state(), pool.step, pool.next_id) || round > 0);
            const Ledger after(pool);
            if (round == 0) RC_ASSERT(pool.particles.size() < rows);
            RC_ASSERT(after.mass == before.mass);
            RC_ASSERT(norm(after.momentum - before.momentum) < 1e-6 * before.size);
            RC_ASSERT(norm(after.spin - before.spin) < 1e-6 * before.turn);
            RC_ASSERT(norm(after.center - before.center) < 1e-6 * norm(before.center));
            RC_ASSERT(after.kinetic <= before.kinetic * (1 + 1e-6));
            RC_ASSERT(std::abs(after.heat - before.heat) < 1e-6 * before.heat);
            pool.list();
        }
    }));
}

TEST_CASE("still liquid becomes coarse, and no coarser than it may") {
    for (const int d : {2, 3}) {
        Pool pool(d, d == 2 ? 40 : 14, 0.005, 2);
        for (Vec3f& v : pool.particles.velocity) v = {};
        const Index before = pool.particles.size();
        Adaptivity adaptivity = pool.adaptivity();
        int rounds = 0;
        while (adaptivity.apply({1}, pool.state(), pool.step, pool.next_id)) {
            pool.list();
            REQUIRE(++rounds < 20);
        }
        MESSAGE(d, "D: ", before, " to ", pool.particles.size(), " in ", rounds, " rounds");
        // The fewest there can be are those of the coarsest size, which are 4^d times as large.
        CHECK(pool.particles.size() < 1.5 * before / std::pow(4, d));
        for (const float radius : pool.particles.radius) CHECK(radius <= 4.001f * 0.05f);
    }
}

TEST_CASE("different liquids, objects and held particles do not merge") {
    Pool pool(2, 12, 0, 2);
    for (Index i = 0; i < pool.particles.size(); ++i) {
        pool.particles.material[i] = pool.particles.id[i] % 2;
        pool.particles.object[i] = pool.particles.id[i] / 2 % 2;
        pool.particles.kinematic_id[i] = static_cast<std::uint16_t>(pool.particles.id[i] % 5 == 0);
    }
    Adaptivity adaptivity = pool.adaptivity();
    const Index held = static_cast<Index>(
        std::count(pool.particles.kinematic_id.begin(), pool.particles.kinematic_id.end(), std::uint16_t{1}));
    double mass[2][2] = {}, after[2][2] = {};
    const auto add = [&](double(&sum)[2][2]) {
        for (Index i = 0; i < pool.particles.size(); ++i)
            sum[pool.particles.material[i]][pool.particles.object[i]] += pool.particles.mass[i];
    };
    add(mass);
    adaptivity.apply({1}, pool.state(), pool.step, pool.next_id);
    add(after);
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b) CHECK(mass[a][b] == after[a][b]);
    CHECK(std::count(pool.particles.kinematic_id.begin(), pool.particles.kinematic_id.end(),
                     std::uint16_t{1}) == held);
}

TEST_CASE("particles are fine beside surfaces, solids and where pressure varies") {
    const auto finest_size = [](Pool& pool, Index row) {
        Adaptivity adaptivity = pool.adaptivity();
        adaptivity.apply({1}, pool.state(), pool.step, pool.next_id);
        return adaptivity.sizing().allowed()[row];
    };
    const auto middle = [](const Pool& pool) {
        Index best = 0;
        for (Index i = 0; i < pool.particles.size(); ++i)
            if (norm(pool.particles.position[i] - Vec3f{2, 2, 0}) <
                norm(pool.particles.position[best] - Vec3f{2, 2, 0}))
                best = i;
        return best;
    };
    Pool calm(2, 40, 0, 1);
    CHECK(finest_size(calm, middle(calm)) == 4);
    Pool open(2, 40, 0, 1);  // nothing but the block
    for (WallTerm& wall : open.walls) wall = {};
    CHECK(finest_size(open, 0) == 2);
    open.settings.surface = 1;
    open.list();
    for (WallTerm& wall : open.walls) wall = {};
    CHECK(finest_size(open, 0) == 1);
    Pool limited(2, 40, 0, 1);
    limited.limits[middle(limited)] = 1;
    CHECK(finest_size(limited, middle(limited)) == 1);
    Pool solid(2, 40, 0, 1);
    const Index i = middle(solid);
    solid.particles.phase[i] = Phase::rigid;
    Index j = i;  // beside it
    for (const Index k : solid.search.view().of(i))
        if (norm(solid.particles.position[k] - solid.particles.position[i]) < 0.11f) j = k;
    Adaptivity adaptivity = solid.adaptivity();
    Sizing sizing = adaptivity.sizing();
    sizing.find({1}, solid.state());
    CHECK(sizing.allowed()[i] == 0);
    CHECK(sizing.allowed()[j] == 1);
    Pool squeezed(2, 40, 0, 1);
    for (float& radius : squeezed.particles.radius) radius *= 2;
    const double c = squeezed.materials[0].liquid.sound_speed;
    squeezed.particles.pressure[middle(squeezed)] = static_cast<float>(0.2 * 1000 * c * c);
    CHECK(finest_size(squeezed, middle(squeezed)) == 1);
}

TEST_CASE("what merges has the temperature that belongs to its heat, while some of it is about to freeze") {
    Pool pool(2, 24, 0, 1);
    pool.materials[0].heat.melting_point = 14;
    pool.materials[0].heat.latent_heat = 1e5;
    const HeatConstants constants(pool.materials[0]);
    ParticleTable& p = pool.particles;
    const HeatColumns heat = heat_columns(View<const HeatConstants>(&constants, 1), p);
    for (Index i = 0; i < p.size(); ++i) heat.set(i, 14 * constants.c + 3e4 * (i % 5));
    for (Vec3f& v : p.velocity) v = {};
    const Ledger before(pool);
    Adaptivity adaptivity = pool.adaptivity();
    REQUIRE(adaptivity.apply({1}, pool.state(), pool.step, pool.next_id));
    CHECK(Ledger(pool).heat == near(before.heat, 1e-9));
    for (Index i = 0; i < p.size(); ++i) {
        const HeatContent content =
            constants.split(constants.c * p.temperature[i] + p.latent[i] + p.heat_low[i]);
        CHECK(p.temperature[i] == static_cast<float>(content.temperature));
        CHECK(p.latent[i] == static_cast<float>(content.latent));
    }
}
