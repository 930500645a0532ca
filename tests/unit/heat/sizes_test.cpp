#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "unit/heat/tray.h"

using namespace thixo;

namespace {

/// Particles between once and three times the usual size, of three materials.
Tray crowd(int d, std::uint64_t seed, const Ambient& ambient = {}) {
    Tray tray(d, {wax(), brass(), melting_wax(0.5, 50, 50, 1e5)}, ambient);
    Stream random(seed);
    tray.fill(
        d == 2 ? 20 : 8, d == 2 ? 20 : 8, 8,
        [&](const Vec3d&) { return static_cast<double>(random.real(0, 100)); }, 0.3);
    for (Index i = 0; i < tray.particles.size(); ++i) tray.scale(i, 1 + 2 * random.below(1000) / 999.0);
    tray.build();
    return tray;
}

}  // namespace

TEST_CASE("heat is conserved between particles of any sizes and materials, by short steps and by long ones") {
    for (const int d : {2, 3}) {
        for (const double seconds : {30., 150., 3e4}) {
            Tray tray = crowd(d, 7);
            const double before = tray.heat();
            for (int k = 0; k < 20; ++k) tray.advance(seconds);
            INFO("steps of ", seconds, " s, iterations ", tray.flow.iterations());
            CHECK(std::abs(tray.heat() / before - 1) < 1e-7);
            const auto [low, high] =
                std::minmax_element(tray.particles.temperature.begin(), tray.particles.temperature.end());
            CHECK(*low > -0.1);
            CHECK(*high < 100.1);
            CHECK(*high - *low < 99);
        }
    }
}

TEST_CASE("particles of different size: the same bits on any number of threads") {
    for (const double seconds : {1., 1e3}) {
        const auto run = [&](int threads) {
            Tray tray = crowd(3, 3, {.temperature = 0, .heat_transfer = 100});
            for (int k = 0; k < 3; ++k) tray.advance(seconds, 0, {threads});
            return state_hash({1}, tray.particles);
        };
        CHECK(run(1) == run(2));
        CHECK(run(1) == run(5));
    }
}

TEST_CASE("particles that are all twice as large conduct as on a lattice twice as wide") {
    // Sizes that are the same for all and yet not the model's.
    const auto profile = [](const Vec3d& x) { return x.x < 1 ? 100. : 20.; };
    for (const int d : {2, 3}) {
        Tray coarse(d, {wax()}), fine(d, {wax()});
        coarse.fill_box({0, 0, 0}, {2, 0.8, 0.8}, 2, profile);
        fine.fill_box({0, 0, 0}, {1, 0.4, 0.4}, 1, [&](const Vec3d& x) { return profile(2 * x); });
        const double dt = 0.3 / fine.flow.step_ratio(0, 1);
        for (int k = 0; k < 10; ++k) {
            coarse.advance(4 * dt);
            fine.advance(dt);
        }
        for (Index i = 0; i < fine.particles.size(); ++i) {
            const auto same = [&](Index j) {
                return norm(coarse.particles.position[j] - 2 * fine.particles.position[i]) < 0.01f;
            };
            for (Index j = 0; j < coarse.particles.size(); ++j)
                if (same(j))
                    CHECK(coarse.particles.temperature[j] ==
                          doctest::Approx(fine.particles.temperature[i]).epsilon(1e-4));
        }
    }
}

TEST_CASE("a wave of temperature decays at its rate where one half of it is finer than the other") {
    // Free ends are adiabatic: half a wave fits exactly between them.
    for (const int d : {2, 3}) {
        double errors[2];
        for (const int refined : {0, 1}) {
            const double length = refined ? 8 : 4, side = d == 2 ? 1.2 : 0.8, k = std::numbers::pi / length;
            const auto wave = [&](const Vec3d& x) { return 100 * std::cos(k * x.x); };
            Tray tray(d, {wax()});
            tray.fill_box({0, 0, 0}, {length / 2, side, side}, 1, wave);
            tray.fill_box({length / 2, 0, 0}, {length, side, side}, 2, wave);
            const auto amplitude = [&] {
                double sum = 0, weight = 0;
                for (Index i = 0; i < tray.particles.size(); ++i) {
                    const double c = std::cos(k * tray.particles.position[i].x);
                    sum += c * tray.particles.temperature[i] * tray.particles.mass[i];
                    weight += c * c * tray.particles.mass[i];
                }
                return sum / weight;
            };
            const double before = amplitude(), alpha = 1. / (1000 * 2000), time = 0.3 / (alpha * k * k);
            for (int step = 0; step < 200; ++step) tray.advance(time / 200);
            errors[refined] = -std::log(amplitude() / before) / (alpha * k * k * time) - 1;
        }
        INFO(d, "D: ", errors[0], " and ", errors[1]);
        CHECK(std::abs(errors[0]) < 0.05);
        CHECK(std::abs(errors[1]) < 0.6 * std::abs(errors[0]));
    }
}

TEST_CASE("the area that faces the air does not depend on sizes, and none is where sizes meet") {
    const auto warm = [](const Vec3d&) { return 50.; };
    const auto advanced = [&](Tray& tray) {
        tray.build();
        tray.advance(1e-3);
        const View<const float> area = tray.flow.exposed_area();
        return std::accumulate(area.begin(), area.end(), 0.0);
    };
    const Ambient air{.temperature = 0, .heat_transfer = 10};
    for (const int d : {2, 3}) {
        Tray coarse(d, {wax()}, air);
        coarse.fill_box({0, 0, 0}, {4, 4, 4}, 2, warm);
        CHECK(advanced(coarse) == doctest::Approx(d == 2 ? 16 : 96).epsilon(0.03));

        const double depth = d == 2 ? 4 : 2;
        Tray mixed(d, {wax()}, air);
        mixed.fill_box({0, 0, 0}, {2, depth, depth}, 1, warm);
        mixed.fill_box({2, 0, 0}, {4, depth, depth}, 2, warm);
        CHECK(advanced(mixed) == doctest::Approx(d == 2 ? 16 : 2 * 4 + 4 * 8).epsilon(0.05));
        for (Index i = 0; i < mixed.particles.size(); ++i) {
            const Vec3f x = mixed.particles.position[i];
            const float inside = std::min({x.x, x.y, 4 - x.x, static_cast<float>(depth) - x.y,
                                           d == 2 ? 1.f : std::min(x.z, static_cast<float>(depth) - x.z)});
            if (inside > 0.41f) CHECK(mixed.flow.exposed_area()[i] == 0);
        }
    }
}
