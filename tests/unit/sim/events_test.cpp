#include <doctest/doctest.h>

#include <cmath>

#include "core/error.h"
#include "sim/checkpoint.h"
#include "sim/snapshot.h"
#include "sim/state_hash.h"
#include "sim/statistics.h"
#include "unit/sim/splash.h"

using namespace thixo;

namespace {

/// Two blocks in empty space, without gravity: one elastic or rigid, one of liquid.
Simulation blocks(Phase phase, std::vector<Event> events = {}, Device device = {1}) {
    Model model;
    model.particles.spacing = 0.1;
    model.gravity = {0, 0, 0};
    model.materials = {water()};
    model.materials[0].solid.young_modulus = 1e5;
    model.materials[0].heat.melting_point = 50;
    model.objects = {
        {.name = "solid", .material = "water", .phase = phase, .shape = Box{{0, 0, 0}, {0.6, 0.4, 0.4}}},
        {.name = "liquid", .material = "water", .shape = Box{{2, 0, 0}, {2.4, 0.4, 0.4}}}};
    ParticleTable particles = populate(model, model.objects);
    return {model, std::move(particles), device, std::move(events)};
}

void take_steps(Simulation& simulation, int count) {
    for (int k = 0; k < count; ++k) simulation.step(10);
}

Vec3d centre(const Simulation& simulation, std::uint16_t object) {
    Vec3d sum{};
    int count = 0;
    for (Index i = 0; i < simulation.particles().size(); ++i) {
        if (simulation.particles().object[i] != object) continue;
        sum += to_double(simulation.particles().position[i]);
        ++count;
    }
    return sum / count;
}

}  // namespace

TEST_CASE("a model that is made anew from the state changes no bit") {
    Simulation one = blocks(Phase::elastic), two = blocks(Phase::elastic);
    for (Simulation* simulation : {&one, &two}) {
        simulation->apply(PushAction{{0.1, 0.2, 0.2}, 0.3, {3, 1, 0}});
        take_steps(*simulation, 7);
    }
    Snapshot snapshot(two);
    snapshot.sections.at("events").bytes.clear();
    Simulation again(two.model(), std::move(snapshot), Device{1});
    take_steps(one, 5);
    take_steps(again, 5);
    CHECK(one.particles().position == again.particles().position);
    CHECK(one.particles().velocity == again.particles().velocity);
}

TEST_CASE("a push gives matter its impulse") {
    for (const Phase phase : {Phase::elastic, Phase::rigid}) {
        Simulation simulation = blocks(phase);
        simulation.apply(PushAction{{0.5, 0.2, 0.2}, 0.25, {3, -1, 0.5}});
        const Statistics statistics = gather_statistics(simulation);
        // Velocities are single precision.
        CHECK(norm(statistics.momentum - Vec3d{3, -1, 0.5}) < 1e-4);
        CHECK_THROWS_AS(simulation.apply(PushAction{{5, 5, 5}, 0.25, {1, 0, 0}}), InputError);
        CHECK(simulation.events().applied().size() == 1);
    }
}

TEST_CASE("a hand leads what it holds, and lets it go") {
    for (const Phase phase : {Phase::elastic, Phase::rigid}) {
        Simulation simulation = blocks(phase);
        take_steps(simulation, 2);
        simulation.apply(GrabAction{1, {0.3, 0.2, 0.2}, 0.2, true});
        const Vec3d before = centre(simulation, 0);
        const double start = simulation.clock().time;
        simulation.apply(DragAction{1, {0.3, 0.7, 0.2}, 0.1});
        while (simulation.clock().time < start + 0.1) simulation.step(start + 0.1);
        CHECK(norm(centre(simulation, 0) - before - Vec3d{0, 0.5, 0}) < 1e-4);
        CHECK_THROWS_AS(simulation.apply(GrabAction{1, {2.2, 0.2, 0.2}, 0.2, false, true}), InputError);
        CHECK_THROWS_AS(simulation.apply(DragAction{2, {0, 0, 0}, 0.1}), InputError);
        simulation.apply(ReleaseAction{1});
        take_steps(simulation, 2);
        for (const std::uint16_t held : simulation.particles().kinematic_id) CHECK(held == 0);
        CHECK_THROWS_AS(simulation.apply(ReleaseAction{1}), InputError);
    }
}

TEST_CASE("a hand holds liquid if it is set to") {
    Simulation simulation = blocks(Phase::elastic);
    CHECK_THROWS_AS(simulation.apply(GrabAction{1, {2.2, 0.2, 0.2}, 0.5}), InputError);
    CHECK(simulation.model().grabs.empty());
    simulation.apply(GrabAction{1, {2.2, 0.2, 0.2}, 0.5, false, true});
    simulation.apply(DragAction{1, {2.2, 0.5, 0.2}, 0.05});
    const Vec3d before = centre(simulation, 1);
    while (simulation.clock().time < 0.05) simulation.step(0.05);
    CHECK(norm(centre(simulation, 1) - before - Vec3d{0, 0.3, 0}) < 1e-4);
}

TEST_CASE("a heat gun brings its power") {
    Simulation simulation = blocks(Phase::elastic);
    const double before = gather_statistics(simulation).heat;
    simulation.apply(HeatAction{1, {0.3, 0.2, 0.2}, 0.2, 1e5});
    while (simulation.clock().time < 0.02) simulation.step(0.02);
    simulation.apply(ReleaseAction{1});
    while (simulation.clock().time < 0.03) simulation.step(0.03);
    // Heat is summed in double precision over temperatures that have 24 bits and what rounding left of them.
    CHECK(gather_statistics(simulation).heat - before == doctest::Approx(2000).epsilon(1e-3));
}

TEST_CASE("a cut splits an elastic body, and only where it goes through") {
    Simulation simulation = blocks(Phase::elastic);
    CHECK_THROWS_AS(simulation.apply(CutAction{{0.3, 1, 0}, {0.3, 2, 0}, {0, 0, 1}}), InputError);
    simulation.apply(CutAction{{0.3, -0.1, -0.1}, {0.3, 0.2, -0.1}, {0, 0, 0.6}});  // half of it
    CHECK(gather_statistics(simulation).bodies == 1);
    simulation.apply(CutAction{{0.3, -0.1, -0.1}, {0.3, 0.5, -0.1}, {0, 0, 0.6}});
    CHECK(gather_statistics(simulation).bodies == 2);
    take_steps(simulation, 3);
    Simulation rigid = blocks(Phase::rigid);
    CHECK_THROWS_AS(rigid.apply(CutAction{{0.3, -0.1, -0.1}, {0.3, 0.5, -0.1}, {0, 0, 0.6}}), InputError);
}

TEST_CASE("a cut splits a lattice solid that can crack, and no other") {
    for (const double docking_rate : {0.0, 1e4}) {
        Model model;
        model.particles.spacing = 0.1;
        model.gravity = {0, 0, 0};
        model.materials = {water()};
        model.materials[0].solid = {
            .model = SolidModel::lattice, .poisson_ratio = 0, .reach = 1.3, .docking_rate = docking_rate};
        model.objects = {{.name = "solid",
                          .material = "water",
                          .phase = Phase::elastic,
                          .lattice = Lattice::closest,
                          .shape = Box{{0, 0, 0}, {0.8, 0.4, 0.4}}}};
        Simulation simulation(model, populate(model, model.objects), Device{1});
        take_steps(simulation, 2);
        const CutAction cut{{0.41, -0.2, -0.2}, {0.41, 0.6, -0.2}, {0, 0, 0.8}};
        if (docking_rate == 0) {
            CHECK_THROWS_AS(simulation.apply(cut), InputError);
        } else {
            simulation.apply(cut);
            take_steps(simulation, 5);
            CHECK(gather_statistics(simulation).bodies == 2);
        }
    }
}

TEST_CASE("gravity and constants of materials are those of the moment") {
    Simulation simulation = blocks(Phase::elastic);
    take_steps(simulation, 3);
    simulation.apply(GravityAction{{0, -4, 0}});
    simulation.apply(MaterialAction{.name = "water", .young_modulus = 2e5, .melting_point = 70});
    CHECK(simulation.model().gravity.y == -4);
    CHECK(simulation.model().materials[0].solid.young_modulus == 2e5);
    CHECK(*simulation.model().materials[0].heat.melting_point == 70);
    const double start = simulation.clock().time, before = gather_statistics(simulation).momentum.y;
    while (simulation.clock().time < start + 0.05) simulation.step(start + 0.05);
    const Statistics after = gather_statistics(simulation);
    CHECK(after.momentum.y - before == doctest::Approx(-4 * 0.05 * after.mass).epsilon(0.05));
    CHECK_THROWS_AS(simulation.apply(MaterialAction{.name = "none", .viscosity = 1}), InputError);
}

TEST_CASE("liquid pours while a hand does so") {
    Simulation simulation = blocks(Phase::elastic);
    const Index before = simulation.particles().size();
    simulation.apply(PourAction{.hand = 7, .material = "water", .at = {4, 2, 0}, .radius = 0.2, .speed = 2});
    while (simulation.clock().time < 0.3) simulation.step(0.3);
    simulation.apply(ReleaseAction{7});
    const Index poured = simulation.particles().size() - before;
    // π r² v t of volume, one particle for each cell of the lattice; the opening's edge counts for a quarter.
    CHECK(poured == doctest::Approx(3.14 * 0.04 * 0.6 / 0.001).epsilon(0.25));
    while (simulation.clock().time < 0.5) simulation.step(0.5);
    CHECK(simulation.particles().size() - before == poured);
}

TEST_CASE("events that are given beforehand are those that were applied") {
    const std::vector<Action> actions = {GrabAction{1, {0.1, 0.2, 0.2}, 0.2},
                                         DragAction{1, {0.1, 0.4, 0.2}, 0.05},
                                         HeatAction{2, {0.3, 0.2, 0.2}, 0.3, 1e6}, GravityAction{{0, -3, 0}}};
    Simulation live = blocks(Phase::elastic);
    for (const Action& action : actions) {
        take_steps(live, 3);
        live.apply(action);
    }
    take_steps(live, 3);
    Simulation replayed = blocks(Phase::elastic, live.events().all(), {3});
    take_steps(replayed, 15);
    CHECK(state_hash(replayed) == state_hash(live));

    // From the middle, between the grab and its end.
    Simulation half = blocks(Phase::elastic, live.events().all());
    take_steps(half, 8);
    Simulation resumed(blocks(Phase::elastic).model(), Snapshot(half), Device{2}, live.events().all());
    take_steps(resumed, 7);
    CHECK(state_hash(resumed) == state_hash(live));
    CHECK_THROWS_AS(Simulation(blocks(Phase::elastic).model(), Snapshot(half), Device{1}), InputError);
}
