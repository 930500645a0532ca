#pragma once

#include <doctest/doctest.h>

#include "sim/checkpoint.h"
#include "sim/populate.h"
#include "sim/simulation.h"
#include "sim/state_hash.h"
#include "sim/statistics.h"
#include "unit/core/temporary_folder.h"

namespace thixo {

/// Objects of wax in space, without gravity and walls.
struct Melt {
    static constexpr double spacing = 0.05;

    Model model;
    std::vector<Object> objects;

    explicit Melt(const Material& material) {
        model.particles.spacing = spacing;
        model.gravity = {};
        model.materials = {material};
    }
    void add(Phase phase, double temperature, double from, double to, const Vec3d& velocity = {}) {
        const bool lattice = model.materials[0].solid.model == SolidModel::lattice;
        objects.push_back({.name = "object",
                           .material = "wax",
                           .phase = phase,
                           .temperature = temperature,
                           .velocity = velocity,
                           .lattice = lattice ? Lattice::closest : Lattice::cubic,
                           .shape = Box{{from, 0, 0}, {to, 0.2, 0.2}}});
    }
    Simulation simulation(Device device = {2}) const { return {model, populate(model, objects), device}; }
};

/// Freezes and melts at 40 °C by default.
inline Material wax(double freezing = 40, double melting = 40) {
    Material out{.name = "wax", .density = 1000};
    out.liquid = {.sound_speed = 20, .viscosity = 2};
    out.solid = {.young_modulus = 1e5, .damping = 1e-3};
    out.heat.diffusivity = 5e-3;
    out.heat.freezing_point = freezing;
    out.heat.melting_point = melting;
    return out;
}

inline void run(Simulation& sim, double end) {
    while (sim.clock().time < end) sim.step(end);
}

/// A cold block on a hot floor, with a hot and a cold drop beside it: what melts, freezes and merges at once.
inline Melt kitchen(const Material& material) {
    Melt melt(material);
    melt.model.gravity = {0, -9.81, 0};
    melt.model.obstacles = {
        {.name = "floor", .shape = Plane{{0, 0, 0}, {0, 1, 0}}, .friction = 0.5, .temperature = 90}};
    melt.add(material.solid.cold == ColdState::rigid ? Phase::rigid : Phase::elastic, 20, 0, 0.3);
    melt.add(Phase::liquid, 45, 0.3, 0.5);
    melt.add(Phase::liquid, 30, 0.6, 0.8);
    return melt;
}

/// Runs with any number of threads, and those that were stopped and resumed, end with the same bits.
inline void check_bits(const Melt& melt, double end) {
    const TemporaryFolder folder;
    Simulation whole = melt.simulation(Device{1});
    int steps = 0;
    for (; whole.clock().time < end; ++steps) whole.step(end);
    const std::uint64_t hash = state_hash(whole);
    const Statistics last = gather_statistics(whole);
    CHECK(last.liquid > 0);
    CHECK(last.elastic + last.rigid > 0);
    CHECK(last_body(whole.lineage()) > 1);
    for (const int stop_after : {0, 1, steps / 3, steps - 1}) {
        Simulation sim = melt.simulation(Device{3});
        for (int k = 0; k < stop_after; ++k) sim.step(end);
        save_checkpoint(folder / "c", sim, "");
        Simulation resumed(melt.model, load_checkpoint(folder / "c").snapshot, Device{2});
        run(resumed, end);
        CHECK(state_hash(resumed) == hash);
        CHECK(resumed.lineage() == whole.lineage());
    }
}

/// A spinning bar whose middle is melted comes apart; mass, momentum and angular momentum stay.
inline void check_parting(Material material) {
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
        parted |= gather_statistics(sim).bodies >= 2;
    }
    const Statistics after = gather_statistics(sim);
    CHECK(parted);
    CHECK(after.liquid > 0);
    CHECK(after.mass == before.mass);
    CHECK(norm(after.momentum - before.momentum) < 1e-5 * norm(before.momentum));
    CHECK(norm(after.angular_momentum - before.angular_momentum) < 1e-4 * norm(before.angular_momentum));
}

/// Particles below 40 °C are solid, those above liquid, whatever they were.
inline void check_sides(const Material& material) {
    Melt melt(material);
    melt.add(Phase::elastic, 39, 0, 0.2);
    melt.add(Phase::elastic, 41, 0.5, 0.7);
    melt.add(Phase::liquid, 39, 1, 1.2);
    melt.add(Phase::liquid, 41, 1.5, 1.7);
    Simulation sim = melt.simulation();
    sim.step(1);
    const bool lattice = material.solid.model == SolidModel::lattice;
    for (Index i = 0; i < sim.particles().size(); ++i) {
        const bool solid = sim.particles().temperature[i] < 40;
        CHECK((sim.particles().phase[i] == Phase::elastic) == solid);
        CHECK((sim.particles().elastic_index[i] != no_index) == (solid && !lattice));
        CHECK((sim.particles().lattice_index[i] != no_index) == (solid && lattice));
        CHECK((sim.particles().body[i] != 0) == solid);
    }
    CHECK(gather_statistics(sim).bodies == 2);
    CHECK(sim.lineage().back().event == BodyEvent::melted);
}

}  // namespace thixo
