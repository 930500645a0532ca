#include <doctest/doctest.h>

#include "unit/core/generators.h"
#include "unit/core/near.h"
#include "unit/lattice/crystal.h"

using namespace thixo;

TEST_CASE("every particle has its lattice neighbours, and only those") {
    for (const int dimensions : {2, 3}) {
        const Mat3d turn = rotation_about({0, 0, 1}, 0.4) *
                           (dimensions == 2 ? identity<double>() : rotation_about({1, 2, 3}, 0.7));
        Crystal c(crystal(dimensions), block_points(dimensions, 2.9), dimensions, turn);
        CHECK(c.size() > 30);
        for (Index i = 0; i < c.size(); ++i) {
            std::vector<std::uint32_t> docked, nearest;
            c.solids.visit_docked(c.particles, i, [&](Index j) { docked.push_back(c.particles.id[j]); });
            for (Index j = 0; j < c.size(); ++j)
                if (j != i && norm(c.particles.position[i] - c.particles.position[j]) < 1.1f)
                    nearest.push_back(c.particles.id[j]);
            std::sort(docked.begin(), docked.end());
            std::sort(nearest.begin(), nearest.end());
            CHECK(docked == nearest);
        }
    }
}

TEST_CASE("rigid motion gives no force and no damping") {
    for (const int dimensions : {2, 3}) {
        Crystal c(crystal(dimensions, 0.1), block_points(dimensions, 2.9), dimensions);
        // Small rotations, one after the other: dockings follow the frame of the last step.
        const Vec3d axis = dimensions == 2 ? Vec3d{0, 0, 1} : Vec3d{1, 2, 3};
        for (int k = 0; k < 20; ++k) {
            const Mat3d turn = rotation_about(axis, 0.1);
            c.deform([&](const Vec3d& x) { return turn * (x - Vec3d{5, 3, 0}) + Vec3d{5, 3, 0}; });
            const Vec3d omega = normalized(axis) * 0.7;
            for (Index i = 0; i < c.size(); ++i)
                c.particles.velocity[i] =
                    to_float(Vec3d{1, 2, 0} + cross(omega, to_double(c.particles.position[i])));
            // Positions of up to 12 are rounded to 5e-7 in each of up to 20 turns, which adds up along bonds;
            // velocities of up to 10 likewise, and twelve neighbours pull.
            CHECK(largest(c.accelerations()) < 5e-5);
            CHECK(c.solids.energy(c.device) < 1e-9 * c.size());
        }
    }
}

TEST_CASE("forces are those of the energy") {
    for (const int dimensions : {2, 3}) {
        Crystal c(crystal(dimensions), block_points(dimensions, 1.9), dimensions);
        c.jitter(0.1f);
        c.deform([&](const Vec3d& x) {
            return Vec3d{1.1 * x.x + 0.1 * x.y, 0.95 * x.y + 0.02 * x.x * x.x, x.z * (1 + 0.02 * x.x)};
        });
        const std::vector<Vec3f> a = c.accelerations();
        const float scale = static_cast<float>(largest(a));
        // Central differences: h² of truncation, and the rounding of positions, 1e-7/h, times some ten bonds.
        const float h = 2e-3f;
        for (Index i = 0; i < c.size(); i += 7) {
            for (const int k : {0, 1, 2}) {
                if (dimensions == 2 && k == 2) continue;
                float& x = (&c.particles.position[i].x)[k];
                const float before = x;
                const auto energy_at = [&](float at) {
                    x = at;
                    c.accelerations();
                    return c.solids.energy(c.device);
                };
                const double step = double{before + h} - double{before - h};
                const double slope = (energy_at(before + h) - energy_at(before - h)) / step;
                x = before;
                CHECK(std::abs(slope + (&a[i].x)[k]) < 2e-3 * scale);
            }
        }
    }
}

TEST_CASE("forces add up to nothing and turn nothing") {
    for (const double damping : {0., 0.2}) {
        Crystal c(crystal(3, damping), block_points(3, 2.4), 3);
        c.jitter(0.15f);
        for (Index i = 0; i < c.size(); ++i) {
            const auto words = random_words(3, c.particles.id[i], 0, Purpose::test);
            c.particles.velocity[i] = {to_unit(words[0]), to_unit(words[1]), to_unit(words[2])};
        }
        const std::vector<Vec3f> a = c.accelerations();
        Vec3d force{}, torque{};
        double size = 0;
        for (Index i = 0; i < c.size(); ++i) {
            force += to_double(a[i]);
            torque += cross(to_double(c.particles.position[i]), to_double(a[i]));
            size += norm(to_double(a[i]));
        }
        CHECK(norm(force) < 1e-6 * size);
        CHECK(norm(torque) < 1e-6 * size);
    }
}

TEST_CASE("damping takes energy away") {
    CHECK(rc::check([] {
        const int dimensions = *rc::gen::inRange(2, 4);
        Crystal c(crystal(dimensions, 0.3), block_points(dimensions, 1.5), dimensions);
        c.jitter(0.1f);
        const std::vector<Vec3f> still = c.accelerations();
        for (Index i = 0; i < c.size(); ++i) {
            const Vec3f v = to_float(any_point(-1, 1));
            c.particles.velocity[i] = {v.x, v.y, dimensions == 2 ? 0 : v.z};
        }
        const std::vector<Vec3f> moving = c.accelerations();
        double power = 0, size = 0;
        for (Index i = 0; i < c.size(); ++i) {
            power += dot(to_double(moving[i]) - to_double(still[i]), to_double(c.particles.velocity[i]));
            size += norm2(c.particles.velocity[i]);
        }
        RC_ASSERT(power <= 1e-5 * size);
    }));
}

TEST_CASE("damping by its time: the stress by the rate of strain is τ times that by strain") {
    for (const int dimensions : {2, 3}) {
        const double tau = 0.2;
        const auto stretched = [&](const Vec3d& x) { return Vec3d{0.01 * x.x, 0, 0}; };
        Crystal by_strain(crystal(dimensions), block_points(dimensions, 2.9), dimensions);
        by_strain.deform([&](const Vec3d& x) { return x + stretched(x); });
        Crystal by_rate(crystal(dimensions, tau), block_points(dimensions, 2.9), dimensions);
        for (Index i = 0; i < by_rate.size(); ++i)
            by_rate.particles.velocity[i] = to_float(stretched(to_double(by_rate.particles.position[i])));
        const std::vector<Vec3f> strain = by_strain.accelerations(), rate = by_rate.accelerations();
        // The pull on half of it. At surfaces the rigid motion is about the middle of a neighbourhood rather
        // than about its site.
        double by = 0, is = 0;
        for (Index i = 0; i < by_rate.size(); ++i) {
            if (by_rate.particles.position[i].x > 0.1f) by += rate[i].x;
            if (by_strain.particles.position[i].x > 0.1f) is += strain[i].x;
        }
        CHECK(by / is == near(tau, 0.25));
    }
}

TEST_CASE("a known strain is recovered, with all neighbours, half of them, or few") {
    const Mat3d gradient{{1.08, 0.05, 0.02}, {0.05, 0.94, -0.03}, {0.02, -0.03, 1.03}};
    const LatticePoints lattice(3);
    const auto around = [&](const std::vector<Index>& numbers) {
        std::vector<Vec3d> points{{}};
        for (const Index s : numbers) points.push_back(to_double(lattice.point(s)));
        return points;
    };
    const std::vector<std::vector<Index>> sets{
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {0, 1, 2, 3, 4, 5}, {0, 1, 2, 4}};
    for (const std::vector<Index>& set : sets) {
        for (const bool turned : {false, true}) {
            const Mat3d turn = turned ? rotation_about({1, -1, 2}, 0.9) : identity<double>();
            Crystal c(crystal(3), around(set), 3, turn);
            c.deform([&](const Vec3d& x) { return turn * gradient * transposed(turn) * x; });
            c.accelerations();
            const Mat3d expected = turn * (gradient - identity<double>()) * transposed(turn);
            const Mat3f found = c.solids.strain(c.particles.lattice_index[c.row_of(0)]).full();
            // Positions are rounded to 6e-8, and the inverse of Σ l lᵀ multiplies that by up to 4.
            CHECK(std::sqrt(norm2(to_double(found) - expected)) < 2e-6);
            CHECK(c.bonds() >= 2 * set.size());
        }
    }
    const Mat3d plane{{1.05, 0.04, 0}, {0.04, 0.96, 0}, {0, 0, 1}};
    Crystal c(crystal(2), block_points(2, 1.2), 2);
    c.deform([&](const Vec3d& x) { return plane * x; });
    c.accelerations();
    const Mat3f found = c.solids.strain(c.particles.lattice_index[c.row_of(0)]).full();
    CHECK(std::sqrt(norm2(to_double(found) - (plane - identity<double>()))) < 2e-6);
}

TEST_CASE("the same bits for any number of threads") {
    std::vector<std::vector<Vec3f>> results;
    std::vector<std::vector<float>> rates;
    for (const int threads : {1, 2, 3}) {
        Material material = crystal(3, 0.05);
        material.solid.docking_rate = 20;
        Crystal c(material, block_points(3, 6.5), 3);
        REQUIRE(c.size() > 2000);
        c.device.threads = threads;
        c.jitter(0.1f);
        c.spin({0.05, 0.02, 0.3});
        for (int k = 0; k < 20; ++k) c.step(0.2);
        results.push_back(c.particles.position);
        rates.push_back(c.solids.state().rates);
    }
    CHECK(results[0] == results[1]);
    CHECK(results[0] == results[2]);
    CHECK(rates[0] == rates[1]);
    CHECK(rates[0] == rates[2]);
    CHECK(std::count(rates[0].begin(), rates[0].end(), 20.f) < static_cast<std::ptrdiff_t>(rates[0].size()));
}

TEST_CASE("a restored state goes on with the same bits") {
    Material material = crystal(3, 0.05);
    material.solid.docking_rate = 20;
    Crystal c(material, block_points(3, 3), 3);
    c.jitter(0.1f);
    c.spin({0.05, 0.02, 0.3});
    for (int k = 0; k < 10; ++k) c.step(0.2);
    Crystal other = c;
    other.solids = LatticeSolids(c.materials, KernelName::cubic_spline, Crystal::support, 3, 1, 1);
    other.solids.restore(other.device, other.particles, c.solids.state());
    other.solids.collect(other.device, other.particles, other.search.view());
    for (int k = 0; k < 10; ++k) {
        c.step(0.2);
        other.step(0.2);
    }
    CHECK(c.particles.position == other.particles.position);
    CHECK(c.solids.state().rates == other.solids.state().rates);
}

TEST_CASE("new lists leave the last forces alone") {
    Crystal c(crystal(2, 0.1), block_points(2, 4), 2);
    c.jitter(0.1f);
    const std::vector<Vec3f> a = c.accelerations();
    const double energy = c.solids.energy(c.device);
    std::vector<std::uint32_t> ids = c.particles.id;
    const int parts = c.parts();
    // Half of it goes far away, so that lists are shorter.
    for (Vec3f& x : c.particles.position) x.x = x.x > 0 ? x.x + 100 : -x.x;
    c.build_lists();
    CHECK(c.solids.energy(c.device) == energy);
    CHECK(c.parts() == parts);
    for (Index i = 0; i < c.size(); ++i) CHECK(c.solids.acceleration(c.particles, c.row_of(ids[i])) == a[i]);
}
