#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "unit/adapt/pool.h"
#include "unit/core/near.h"

using namespace thixo;

TEST_CASE("particles are divided into seven, or less where sevenths would be too fine") {
    CHECK(children_of(1) == 1);
    CHECK(children_of(1.9f) == 1);
    CHECK(children_of(2) == 2);
    CHECK(children_of(5) == 5);
    CHECK(children_of(7) == 7);
    CHECK(children_of(49) == 7);
    CHECK(children_of(343) == 7);
    for (float count = 2; count < 128; count *= 1.03f) {
        float left = count;
        while (children_of(left) > 1) left /= static_cast<float>(children_of(left));
        CHECK(left > 0.99f);
        CHECK(left < 2);
    }
}

TEST_CASE("children lie around the middle and fill the volume of their parent") {
    for (const int d : {2, 3}) {
        for (int n = 2; n <= 7; ++n) {
            const std::vector<Vec3d> x = split_pattern(n, d, 1);
            REQUIRE(x.size() == static_cast<std::size_t>(n));
            Vec3d center{};
            double moment = 0, farthest = 0;
            for (const Vec3d& at : x) {
                center += at / n;
                moment += norm2(at) / n;
                farthest = std::max(farthest, norm(at));
                if (d == 2) CHECK(at.z == 0);
            }
            CHECK(norm(center) < 1e-12);
            // ∫x² of a ball is d/(d+2) R²; and then some percents farther out.
            const double wider = 1 + 0.018 * (n - 1), small = std::pow(n, -1. / d);
            CHECK(moment / (wider * wider) + d / (d + 2.) * small * small == near(d / (d + 2.), 1e-12));
            CHECK(farthest < 1);
        }
    }
}

TEST_CASE("a split keeps mass, momentum, angular momentum, energy, heat and the centre of mass") {
    CHECK(rc::check([] {
        const int d = *rc::gen::element(2, 3);
        Pool pool(d, d == 2 ? 10 : 6, 0.02, *rc::gen::arbitrary<std::uint64_t>());
        const auto size = static_cast<float>(*rc::gen::element(1.5, 1.92, 2.3, 3.1, 4.));
        for (Index i = 0; i < pool.particles.size(); ++i) {
            pool.particles.radius[i] *= size;
            pool.particles.mass[i] =
                whole_mass(pool.particles.mass[i] * std::pow(size, static_cast<float>(d)));
        }
        pool.list();
        std::vector<Index> rows;
        for (Index i = 0; i < pool.particles.size(); i += 3) rows.push_back(i);
        const Ledger before(pool);
        const Adaptivity adaptivity = pool.adaptivity();
        Splitter(adaptivity.sizing(), pool.materials, 3).split(pool.state(), rows, 0, pool.next_id);
        const Ledger after(pool);
        RC_ASSERT(pool.particles.size() > pool.search.size());
        RC_ASSERT(after.mass == before.mass);
        RC_ASSERT(norm(after.momentum - before.momentum) < 1e-9 * before.size);
        RC_ASSERT(norm(after.spin - before.spin) < 1e-6 * before.turn);
        RC_ASSERT(norm(after.center - before.center) < 1e-6 * norm(before.center));
        RC_ASSERT(std::abs(after.kinetic - before.kinetic) < 1e-9 * before.kinetic);
        RC_ASSERT(std::abs(after.heat - before.heat) < 1e-9 * before.heat);
    }));
}

TEST_CASE("children take their density from around their places") {
    Pool pool(2, 14, 0, 1);
    for (Index i = 0; i < pool.particles.size(); ++i) {
        pool.particles.density[i] = 1010 - 10 * pool.particles.position[i].y;
        pool.particles.radius[i] *= std::sqrt(7.f);
    }
    pool.list();
    const Adaptivity adaptivity = pool.adaptivity();
    std::vector<Index> rows;
    for (Index i = 0; i < pool.particles.size(); ++i)
        if (norm(pool.particles.position[i] - Vec3f{0.75f, 0.75f, 0}) < 0.01f) rows.push_back(i);
    REQUIRE(rows.size() == 1);
    const Index first = pool.particles.size();
    Splitter(adaptivity.sizing(), pool.materials, 3).split(pool.state(), rows, 0, pool.next_id);
    REQUIRE(pool.particles.size() == first + 6);
    for (Index i = first; i < pool.particles.size(); ++i) {
        const float y = pool.particles.position[i].y;
        CHECK(pool.particles.density[i] == near(1010 - 10 * y, 1e-6));
    }
}

TEST_CASE("children have the local temperature and stay within the range of temperatures before the split") {
    Pool pool(2, 14, 0, 1);
    pool.materials[0].heat.melting_point = 40;
    pool.materials[0].heat.latent_heat = 1e5;
    for (Index i = 0; i < pool.particles.size(); ++i) {
        pool.particles.temperature[i] = 60 + 10 * pool.particles.position[i].x;
        pool.particles.latent[i] = 1e5f;
        pool.particles.radius[i] *= std::sqrt(7.f);
        pool.particles.mass[i] = whole_mass(7 * pool.particles.mass[i]);
    }
    pool.list();
    const auto at = [&](const Vec3f& x) {
        for (Index i = 0; i < pool.particles.size(); ++i)
            if (norm(pool.particles.position[i] - x) < 0.01f) return i;
        return pool.particles.size();
    };
    // The second one is the warmest of all: its children cannot be warmer.
    pool.particles.temperature[at({1.05f, 0.75f, 0})] = 90;
    const Ledger before(pool);
    const Index first = pool.particles.size();
    const Adaptivity adaptivity = pool.adaptivity();
    Splitter(adaptivity.sizing(), pool.materials, 3)
        .split(pool.state(), {at({0.35f, 0.75f, 0}), at({1.05f, 0.75f, 0})}, 0, pool.next_id);
    REQUIRE(pool.particles.size() == first + 12);
    for (Index i = first; i < first + 6; ++i) {
        const float x = pool.particles.position[i].x;
        CHECK(pool.particles.temperature[i] == near(60 + 10 * x, 1e-5));
        CHECK(pool.particles.latent[i] == 1e5f);
    }
    for (Index i = first + 6; i < first + 12; ++i) CHECK(pool.particles.temperature[i] == near(90, 1e-5));
    CHECK(Ledger(pool).heat == near(before.heat, 1e-12));
}
