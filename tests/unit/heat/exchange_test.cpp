#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "unit/heat/tray.h"

using namespace thixo;

TEST_CASE("the area that faces the air is that of the body") {
    const auto area_of = [](int d, int nx, int ny, int nz, double jitter = 0) {
        Tray tray(d, {wax()}, {.temperature = 0, .heat_transfer = 10});
        tray.fill(
            nx, ny, nz, [](const Vec3d&) { return 50; }, jitter);
        tray.advance(1e-3);
        const View<const float> area = tray.flow.exposed_area();
        return std::accumulate(area.begin(), area.end(), 0.0);
    };
    // Edges and corners count a little less than they have; large bodies have few of them.
    CHECK(area_of(3, 20, 20, 20) == doctest::Approx(6 * 4.).epsilon(0.03));
    CHECK(area_of(2, 40, 40, 1) == doctest::Approx(4 * 4.).epsilon(0.03));
    CHECK(area_of(3, 20, 20, 20, 0.1) == doctest::Approx(6 * 4.).epsilon(0.1));
    CHECK(area_of(3, 20, 20, 1) == doctest::Approx(2 * 4. + 4 * 2 * 0.1).epsilon(0.2));
}

TEST_CASE("air cools by its coefficient") {
    const double transfer = 10, dt = 0.1;
    Tray tray(3, {wax(1000)}, {.temperature = 20, .heat_transfer = transfer});
    tray.fill(10, 10, 10, [](const Vec3d&) { return 100; });
    const double before = tray.heat();
    tray.advance(dt);
    const View<const float> area = tray.flow.exposed_area();
    const double expected = -transfer * std::accumulate(area.begin(), area.end(), 0.0) * 80 * dt;
    CHECK(tray.heat() - before == doctest::Approx(expected).epsilon(0.01));
}

TEST_CASE("walls cover, and those that conduct heat") {
    Tray tray(3, {wax(2)}, {.temperature = 0, .heat_transfer = 10});
    tray.add({0, 0, 0}, 50);
    tray.walls = {{.exchange = 100, .pull = 100 * 80, .cover = 1e6f}};
    tray.advance(1e-2);
    CHECK(tray.flow.exposed_area()[0] == 0);
    // k V E (80 − 50) up to the calibration of the lattice, a few percent.
    const double volume = tray.particles.mass[0] / 1000.;
    const double gained = (tray.content(0) - 2000 * 50.) * tray.particles.mass[0];
    CHECK(gained == doctest::Approx(2 * volume * 100 * 30 * 1e-2).epsilon(0.15));
}

TEST_CASE("a heater gives its power to the masses in its region while it is on") {
    const Heater heater{
        .name = "h", .region = Box{{0, 0, 0}, {0.3, 1, 1}}, .power = 500, .start = 1, .stop = 2.5};
    Tray tray(3, {wax(0), brass(0)}, {}, {heater});
    tray.fill(6, 6, 6, [](const Vec3d&) { return 20; });
    const double before = tray.heat();
    tray.advance(0.5, 0);
    CHECK(tray.heat() == before);
    tray.advance(1, 0.5);  // half of it
    CHECK(tray.heat() - before == doctest::Approx(250).epsilon(1e-4));
    tray.advance(3, 1.5);  // a third of it
    CHECK(tray.heat() - before == doctest::Approx(750).epsilon(1e-4));
    tray.advance(3, 4.5);
    CHECK(tray.heat() - before == doctest::Approx(750).epsilon(1e-4));
    double per_mass = 0;
    for (Index i = 0; i < tray.particles.size(); ++i) {
        const double gained =
            tray.content(i) - 20 * tray.materials[tray.particles.material[i]].heat.specific_heat;
        if (tray.particles.position[i].x > 0.3f) {
            CHECK(gained == 0);
        } else {
            if (per_mass == 0) per_mass = gained;
            CHECK(gained == doctest::Approx(per_mass).epsilon(1e-3));
        }
    }
}

TEST_CASE("a heater's region moves, and brings what is inside to its temperature") {
    Heater heater{.name = "h", .region = Box{{0, 0, 0}, {0.1, 1, 1}}, .temperature = -40, .response = 0.2};
    heater.motion.keyframes = {{.time = 0}, {.time = 1, .translate = {0.5, 0, 0}}};
    Tray tray(2, {wax(0)}, {}, {heater});
    tray.fill(6, 2, 1, [](const Vec3d&) { return 20; });
    tray.build();
    const auto at = [&](double x) {
        for (Index i = 0; i < tray.particles.size(); ++i) {
            if (std::abs(tray.particles.position[i].x - x) < 0.01) return tray.particles.temperature[i];
        }
        return 1e9f;
    };
    for (int k = 0; k < 200; ++k) tray.advance(0.001, 0);
    CHECK(at(0.05) == doctest::Approx(-40 + 60 * std::exp(-1)).epsilon(0.01));
    CHECK(at(0.55) == 20);
    tray.advance(100, 1);  // long steps end at the target
    CHECK(at(0.55) == doctest::Approx(-40).epsilon(0.01));
    CHECK(at(0.05) == doctest::Approx(-40 + 60 * std::exp(-1)).epsilon(0.01));
}
