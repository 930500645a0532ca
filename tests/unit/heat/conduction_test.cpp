#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "unit/heat/tray.h"

using namespace thixo;

namespace {

/// Largest fraction of the step that a particle's explicit step would take, as a time: s.
double heat_time(const Tray& tray) { return 1 / tray.flow.step_ratio(0, 1); }

/// κ of the decay rate of a cosine along x, relative to α k².
double decay(Tray& tray, double wavelength, double dt, int steps) {
    const double k = 2 * std::numbers::pi / wavelength;
    const auto amplitude = [&] {
        double sum = 0, weight = 0;
        for (Index i = 0; i < tray.particles.size(); ++i) {
            const double c = std::cos(k * tray.particles.position[i].x);
            sum += c * tray.particles.temperature[i];
            weight += c * c;
        }
        return sum / weight;
    };
    const double before = amplitude();
    for (int s = 0; s < steps; ++s) tray.advance(dt);
    const double alpha = 1. / (1000 * 2000);
    return -std::log(amplitude() / before) / (alpha * k * k * dt * steps);
}

}  // namespace

TEST_CASE("a wave of temperature decays at its rate in blocks, sheets and rods") {
    // Free ends are adiabatic: half a wave fits exactly between them.
    const int n = 20;
    const double wavelength = 2 * n * Tray::spacing;
    const auto wave = [&](const Vec3d& x) { return 100 * std::cos(2 * std::numbers::pi * x.x / wavelength); };
    struct Body {
        int d, ny, nz;
    };
    for (const auto [d, ny, nz] :
         {Body{3, 6, 6}, Body{3, 6, 1}, Body{3, 1, 1}, Body{2, 6, 1}, Body{2, 1, 1}}) {
        Tray tray(d, {wax()});
        tray.fill(n, ny, nz, wave);
        const double rate = decay(tray, wavelength, 0.2 * heat_time(tray), 20);
        CAPTURE(d);
        CAPTURE(ny);
        CAPTURE(nz);
        CHECK(std::abs(rate - 1) < 0.05);
    }
}

TEST_CASE("heat is conserved by short steps and by long ones, between any materials") {
    for (const double steps_long : {0.3, 1.7, 30., 1e4}) {
        Tray tray(3, {wax(), brass(), melting_wax(0.5, 50, 50, 1e5)});
        Stream random(7);
        tray.fill(
            8, 8, 8, [&](const Vec3d&) { return static_cast<double>(random.real(0, 100)); }, 0.3);
        tray.build();
        const double before = tray.heat(), dt = steps_long * 1000 * 400 / (100 * 3000.);
        for (int k = 0; k < 20; ++k) tray.advance(dt);
        INFO("steps ", steps_long, ", iterations ", tray.flow.iterations());
        CHECK(std::abs(tray.heat() / before - 1) < 1e-7);
        const auto [low, high] =
            std::minmax_element(tray.particles.temperature.begin(), tray.particles.temperature.end());
        CHECK(*low > -0.1);
        CHECK(*high < 100.1);
    }
}

TEST_CASE("long steps are those of backward Euler, melting or not") {
    for (const double latent : {0., 1e5}) {
        for (const double freezing : {40., 60.}) {
            Tray tray(2, {melting_wax(2, freezing, 60, latent)});
            tray.fill(
                30, 4, 1, [](const Vec3d& x) { return x.x < 1 ? 150. : 20.; }, 0.1);
            tray.build();
            const double dt = 20 * heat_time(tray);
            for (int k = 0; k < 3; ++k) {
                std::vector<double> before;
                for (Index i = 0; i < tray.particles.size(); ++i) before.push_back(tray.content(i));
                tray.advance(dt);
                REQUIRE(tray.flow.iterations() > 0);
                // A step back with the same flows, taken explicitly at the end, must lead to the start: short
                // ones, since that is unstable otherwise.
                double change2 = 0, moved2 = 0;
                Tray probe = tray;
                const double part = 1e-6 * dt;
                probe.advance(part);
                for (Index i = 0; i < tray.particles.size(); ++i) {
                    const double rate = (probe.content(i) - tray.content(i)) / part;
                    const double euler = before[i] + dt * rate;
                    change2 += (euler - tray.content(i)) * (euler - tray.content(i));
                    moved2 += (before[i] - tray.content(i)) * (before[i] - tray.content(i));
                }
                INFO("latent ", latent, ", freezing at ", freezing, ", step ", k);
                CHECK(std::sqrt(change2) < 0.01 * std::sqrt(moved2));
            }
        }
    }
}

TEST_CASE("a step of any length ends between the temperatures there were, however well matter conducts") {
    for (const double k : {1e3, 1e6, 1e9}) {
        Tray tray(3, {wax(k)});
        tray.fill(12, 3, 3, [](const Vec3d& x) { return x.x < 0.6 ? 1000. : 0.; });
        const double before = tray.heat();
        tray.advance(1);
        for (const float t : tray.particles.temperature) {
            CHECK(t > -0.5);
            CHECK(t < 1000.5);
        }
        if (k > 1e6) CHECK(tray.particles.temperature[0] == doctest::Approx(500).epsilon(1e-3));
        CHECK(std::abs(tray.heat() / before - 1) < 1e-7);
    }
}

TEST_CASE("the same bits on any number of threads") {
    for (const double length : {0.2, 50.}) {
        const auto run = [&](int threads) {
            Tray tray(3, {wax(), melting_wax(3, 50, 50, 1e5)}, {.temperature = 0, .heat_transfer = 100});
            Stream random(3);
            tray.fill(
                14, 14, 14, [&](const Vec3d&) { return static_cast<double>(random.real(0, 100)); }, 0.2);
            tray.build();
            for (int k = 0; k < 3; ++k) tray.advance(length * heat_time(tray), 0, {threads});
            return state_hash({1}, tray.particles);
        };
        CHECK(run(1) == run(2));
        CHECK(run(1) == run(5));
    }
}

TEST_CASE("nothing happens where nothing conducts, or all is as warm") {
    Tray still(3, {wax(0)});
    still.fill(3, 3, 3, [](const Vec3d& x) { return 100 * x.x; });
    CHECK_FALSE(still.flow.acts());
    const std::vector<float> before = still.particles.temperature;
    still.advance(1);
    CHECK(still.particles.temperature == before);
    // One that conducts beside one that does not: no heat passes.
    Tray mixed(3, {wax(1), wax(0)});
    mixed.add({0, 0, 0}, 0, 0);
    mixed.add({0.1, 0, 0}, 100, 1);
    mixed.advance(1000);
    CHECK(mixed.particles.temperature[0] == 0);
}
