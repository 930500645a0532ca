#include "sim/energy_guard.h"

#include <doctest/doctest.h>

#include <string>

#include "core/error.h"
#include "sim/populate.h"
#include "unit/sim/splash.h"

using namespace thixo;

namespace {

/// A column of water of 1 m × 1 m in a plane, and whatever the scene adds to it.
Simulation pool(const std::vector<Obstacle>& obstacles = {}) {
    Model model;
    model.dimensions = 2;
    model.gravity = {0, -10, 0};
    model.particles.spacing = 0.1;
    model.materials = {water()};
    model.objects = {{.name = "pool", .material = "water", .shape = Box{{0, 0, 0}, {1, 1, 0}}}};
    model.obstacles = obstacles;
    return {model, populate(model, model.objects), Device{1}};
}

/// m g (mean height above the lowest particle), J: masses are all the same.
double measure_of(const Simulation& simulation) {
    return 100 * double{simulation.particles().mass[0]} * 10 * 0.45;
}

/// A ledger of the pool.
Statistics ledger(double time, double kinetic, double potential = 5000) {
    Statistics s;
    s.frame = static_cast<std::uint64_t>(10 * time + 0.5);
    s.time = time;
    s.particles = s.liquid = 100;
    s.mass = 1000;
    s.kinetic = kinetic;
    s.potential = potential;
    return s;
}

Obstacle paddle() {
    return {.name = "paddle",
            .shape = Box{{2, 0, 0}, {3, 1, 0}},
            .motion = {.keyframes = {{.time = 0}, {.time = 0.15, .translate = {0.1, 0, 0}}}}};
}

}  // namespace

TEST_CASE("energy that only changes its kind is no gain") {
    const Simulation simulation = pool();
    EnergyGuard guard(simulation.model());
    guard.watch(simulation, ledger(0, 0, 5000));
    guard.watch(simulation, ledger(0.1, 2000, 3000));
    CHECK(guard.gain() == 0);
    guard.watch(simulation, ledger(0.2, 500, 4500));
    CHECK(guard.gain() == 0);
    CHECK(guard.remark().empty());
}

TEST_CASE("a gain is measured by the energy there was, and what has fallen since") {
    const Simulation simulation = pool();
    const double measure = measure_of(simulation);
    EnergyGuard guard(simulation.model());
    guard.watch(simulation, ledger(0, 0));
    guard.watch(simulation, ledger(0.1, 0.05 * measure));
    CHECK(guard.gain() == doctest::Approx(0.05));
    CHECK(guard.remark().empty());
    guard.watch(simulation, ledger(0.2, 0.2 * measure));
    CHECK(guard.gain() == doctest::Approx(0.2));
    CHECK(guard.remark().find("+20 %") != std::string::npos);
    // 1000 J fallen and 1000 J more than that: measured by 1000 J more.
    guard.watch(simulation, ledger(0.3, 2000, 4000));
    CHECK(guard.gain() == doctest::Approx(1000 / (measure + 1000)));
}

TEST_CASE("what is lost first counts from the lowest energy") {
    const Simulation simulation = pool();
    const double measure = measure_of(simulation);
    EnergyGuard guard(simulation.model());
    guard.watch(simulation, ledger(0, 3000));
    guard.watch(simulation, ledger(0.1, 1000));
    guard.watch(simulation, ledger(0.2, 1900));
    // The measure does not shrink with the energy.
    CHECK(guard.gain() == doctest::Approx(900 / (measure + 3000)));
}

TEST_CASE("a gain of three times what there was ends the run, with frame and particle") {
    const Simulation simulation = pool();
    const double measure = measure_of(simulation);
    EnergyGuard guard(simulation.model());
    guard.watch(simulation, ledger(0, 0));
    CHECK_NOTHROW(guard.watch(simulation, ledger(0.1, 2.9 * measure)));
    std::string message;
    try {
        guard.watch(simulation, ledger(0.2, 3.1 * measure));
    } catch (const RunError& error) {
        message = error.what();
    }
    CHECK(message.find("frame 2:") == 0);
    CHECK(message.find("310 %") != std::string::npos);
    CHECK(message.find("of `water`") != std::string::npos);
}

TEST_CASE("an obstacle pays as long as it moves") {
    const Simulation simulation = pool({paddle()});
    const double measure = measure_of(simulation);
    EnergyGuard guard(simulation.model());
    guard.watch(simulation, ledger(0, 0));
    guard.watch(simulation, ledger(0.1, 20 * measure));
    CHECK(guard.gain() == 0);
    guard.watch(simulation, ledger(0.2, 30 * measure));
    CHECK(guard.gain() == 0);
    CHECK_THROWS_AS(guard.watch(simulation, ledger(0.3, 200 * measure)), RunError);
}

TEST_CASE("a force field pays while its factor is not 0, damping never") {
    Simulation simulation = pool();
    const double measure = measure_of(simulation);
    ForceField field{.kind = FieldKind::wind, .velocity = {10, 0, 0}};
    SUBCASE("always") {}
    SUBCASE("in a gust") { field.keyframes = {{0.02, 0}, {0.05, 1}, {0.08, 0}}; }
    const bool gust = !field.keyframes.empty();
    Model model = simulation.model();
    model.force_fields = {field};
    const Simulation windy(model, populate(model, model.objects), Device{1});
    EnergyGuard guard(windy.model());
    guard.watch(windy, ledger(0, 0));
    guard.watch(windy, ledger(0.1, 20 * measure));
    CHECK(guard.gain() == 0);
    if (gust)
        CHECK_THROWS_AS(guard.watch(windy, ledger(0.2, 200 * measure)), RunError);
    else
        CHECK_NOTHROW(guard.watch(windy, ledger(0.2, 200 * measure)));
    model.force_fields = {{.kind = FieldKind::damping}};
    const Simulation damped(model, populate(model, model.objects), Device{1});
    EnergyGuard strict(damped.model());
    strict.watch(damped, ledger(0, 0));
    CHECK_THROWS_AS(strict.watch(damped, ledger(0.1, 20 * measure)), RunError);
}

TEST_CASE("what pays for energy starts the sum anew") {
    const Simulation simulation = pool();
    const double measure = measure_of(simulation);
    EnergyGuard guard(simulation.model());
    guard.watch(simulation, ledger(0, 0));
    Statistics later = ledger(0.1, 20 * measure);
    SUBCASE("an emitter") { later.mass = 1010; }
    SUBCASE("a change of phase") { later.liquid = 99, later.elastic = 1; }
    SUBCASE("a push from outside") { guard.restart(); }
    guard.watch(simulation, later);
    CHECK(guard.gain() == 0);
}
