#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/checkpoint.h"
#include "sim/statistics.h"
#include "unit/core/temporary_folder.h"
#include "unit/sim/melting.h"

using namespace thixo;

namespace {

/// A cold block on a hot floor, with a hot and a cold drop beside it: what melts, freezes and merges at once.
Melt kitchen() {
    Melt melt(wax(38, 42));
    melt.model.gravity = {0, -9.81, 0};
    melt.model.obstacles = {
        {.name = "floor", .shape = Plane{{0, 0, 0}, {0, 1, 0}}, .friction = 0.5, .temperature = 90}};
    melt.add(Phase::elastic, 20, 0, 0.3);
    melt.add(Phase::liquid, 45, 0.3, 0.5);
    melt.add(Phase::liquid, 30, 0.6, 0.8);
    return melt;
}

}  // namespace

TEST_CASE("below the melting point matter is solid, above it liquid") {
    Melt melt(wax());
    melt.add(Phase::elastic, 39, 0, 0.2);
    melt.add(Phase::elastic, 41, 0.5, 0.7);
    melt.add(Phase::liquid, 39, 1, 1.2);
    melt.add(Phase::liquid, 41, 1.5, 1.7);
    Simulation sim = melt.simulation();
    sim.step(1);
    for (Index i = 0; i < sim.particles().size(); ++i) {
        const bool solid = sim.particles().temperature[i] < 40;
        CHECK((sim.particles().phase[i] == Phase::elastic) == solid);
        CHECK((sim.particles().slot[i] != no_slot) == solid);
        CHECK((sim.particles().body[i] != 0) == solid);
    }
    CHECK(gather_statistics(sim).bodies == 2);
    CHECK(sim.lineage().back().event == BodyEvent::melted);
}

TEST_CASE("between the points matter is elastic, the softer the warmer") {
    const PhaseRule rule(wax(30, 50));
    CHECK(rule.next(Phase::liquid, 51, 0) == Phase::liquid);
    CHECK(rule.next(Phase::elastic, 51, 0) == Phase::liquid);
    CHECK(rule.next(Phase::liquid, 49, 0) == Phase::elastic);
    CHECK(rule.stiffness(29) == 1);
    CHECK(rule.stiffness(40) == doctest::Approx(0.5));
    CHECK(rule.stiffness(49.9f) == doctest::Approx(0.005));

    // A warm bar stretches more under the same pull.
    const auto energy = [](double temperature) {
        Melt melt(wax(30, 50));
        melt.add(Phase::elastic, temperature, 0, 0.4);
        Simulation sim(
            melt.model,
            [&] {
                ParticleTable particles = populate(melt.model, melt.objects);
                for (Vec3f& v : particles.velocity) v = {};
                for (Index i = 0; i < particles.size(); ++i)
                    particles.velocity[i].x = particles.position[i].x > 0.2f ? 0.1f : -0.1f;
                return particles;
            }(),
            Device{1});
        for (int k = 0; k < 20; ++k) sim.step(1);
        return sim.elastic().energy(Device{1});
    };
    CHECK(energy(45) < 0.6 * energy(20));
}

TEST_CASE("with latent heat at one point matter keeps its phase until it has all of it, or none") {
    Material ice = wax(0, 0);
    ice.heat.latent_heat = 1000;
    const PhaseRule rule(ice);
    CHECK(rule.next(Phase::elastic, 0, 500) == Phase::elastic);
    CHECK(rule.next(Phase::liquid, 0, 500) == Phase::liquid);
    CHECK(rule.next(Phase::elastic, 0, 1000) == Phase::liquid);
    CHECK(rule.next(Phase::liquid, 0, 0) == Phase::elastic);
}

TEST_CASE("what freezes between two bodies makes them one; bodies that only touch stay two") {
    for (const bool bridged : {true, false}) {
        Melt melt(wax());
        melt.add(Phase::elastic, 20, 0, 0.2);
        if (bridged) melt.add(Phase::liquid, 39, 0.2, 0.3);
        const double second = bridged ? 0.3 : 0.2;
        melt.add(Phase::elastic, 20, second, second + 0.2);
        Simulation sim = melt.simulation();
        CHECK(gather_statistics(sim).bodies == 2);
        run(sim, 0.01);
        CHECK(gather_statistics(sim).bodies == (bridged ? 1 : 2));
        if (bridged) CHECK(sim.lineage().back().event == BodyEvent::merged);
    }
}

TEST_CASE(
    "a body whose middle melts is two, and mass, momentum and angular momentum stay through every change") {
    Material material = wax(35, 45);
    material.liquid.viscosity = 0;  // which keeps angular momentum only nearly
    Melt melt(material);
    melt.add(Phase::elastic, 20, 0, 0.6, {0.3, 0.1, 0});
    melt.objects[0].angular_velocity = {0, 0, 2};
    melt.model.heaters = {
        {.name = "torch", .region = Box{{0.2, -1, -1}, {0.4, 1, 1}}, .temperature = 80, .response = 0.01}};
    Simulation sim = melt.simulation();
    const Statistics before = gather_statistics(sim);
    CHECK(before.bodies == 1);
    bool parted = false;
    while (sim.clock().time < 0.1) {
        sim.step(0.1);
        parted |= gather_statistics(sim).bodies == 2;
    }
    const Statistics after = gather_statistics(sim);
    CHECK(parted);
    CHECK(after.liquid > 0);
    CHECK(after.mass == before.mass);
    CHECK(norm(after.momentum - before.momentum) < 1e-5 * norm(before.momentum));
    CHECK(norm(after.angular_momentum - before.angular_momentum) < 1e-4 * norm(before.angular_momentum));
}

TEST_CASE("phase changes have the same bits on any number of threads, and go on from a checkpoint") {
    const TemporaryFolder folder;
    const Melt melt = kitchen();
    Simulation whole = melt.simulation(Device{1});
    int steps = 0;
    for (; whole.clock().time < 0.2; ++steps) whole.step(0.2);
    const std::uint64_t hash = state_hash(Device{1}, whole.particles());
    const Statistics end = gather_statistics(whole);
    CHECK(end.liquid > 0);
    CHECK(end.elastic > 0);
    CHECK(last_body(whole.lineage()) > 1);
    for (const int stop_after : {0, 1, steps / 3, steps - 1}) {
        Simulation sim = melt.simulation(Device{3});
        for (int k = 0; k < stop_after; ++k) sim.step(0.2);
        save_checkpoint(folder / "c", sim, "");
        Simulation resumed(melt.model, load_checkpoint(folder / "c").snapshot, Device{2});
        run(resumed, 0.2);
        CHECK(state_hash(Device{1}, resumed.particles()) == hash);
        CHECK(resumed.lineage() == whole.lineage());
    }
}
