#include <doctest/doctest.h>

#include <cmath>

#include "particles/hold.h"
#include "sim/checkpoint.h"
#include "unit/core/near.h"
#include "unit/core/temporary_folder.h"
#include "unit/sim/splash.h"

using namespace thixo;

namespace {

/// The upper part of the left block is dragged through the tank and turned, a corner of the right one is
/// fixed until 0.08 s, and a ball of oil waits until 0.05 s.
Splash held_splash() {
    Splash splash(0.08);
    Motion drag;
    drag.pivot = {0.2, 0.8, 0.3};
    drag.interpolation = Interpolation::smooth;
    drag.keyframes = {{.time = 0}, {.time = 0.1, .translate = {0.3, -0.3, 0}, .rotate = {0, 40, 90}}};
    splash.objects[0].held = {{.region = Box{{-1, 0.6, -1}, {1, 2, 1}}, .motion = drag}};
    splash.objects[1].held = {{.region = Sphere{{1.2, 0.2, 0.6}, 0.3}, .until = 0.08}};
    splash.objects.push_back({.name = "ball",
                              .material = "oil",
                              .velocity = {0.5, -1, 0},
                              .shape = Sphere{{0.6, 0.7, 0.3}, 0.15},
                              .release = 0.05});
    splash.model.objects = splash.objects;
    return splash;
}

/// One block of water in empty space without gravity.
struct Block {
    Model model;
    std::vector<Object> objects;

    explicit Block(const Object& held) : objects{held} {
        model.particles.spacing = 0.1;
        model.gravity = {0, 0, 0};
        model.materials = {water()};
        objects[0].name = "block";
        objects[0].material = "water";
        objects[0].shape = Box{{0, 0, 0}, {0.4, 0.4, 0.4}};
        model.objects = objects;
    }
    Simulation simulation() const { return {model, populate(model, objects), Device{1}}; }
};

constexpr auto everywhere = Plane{{0, 10, 0}, {0, 1, 0}};

std::uint64_t hash_of(const Simulation& sim) { return state_hash(Device{1}, sim.particles()); }

}  // namespace

TEST_CASE("held particles are exactly where their motion says, whatever pushes them") {
    for (const int method : {0, 1, 2}) {
        Splash splash = held_splash();
        if (method == 1) splash.model.solver.pressure = PressureMethod::dfsph;
        if (method == 2) {
            splash.model.solver.viscosity = ViscosityMethod::implicit;
            splash.model.solver.xsph = 0.3;
            splash.model.solver.density = DensityMethod::continuity;
        }
        const ParticleTable start = populate(splash.model, splash.objects);
        Simulation sim = splash.simulation(Device{2});
        const std::vector<Hold> holds = holds_of(splash.objects);
        int led = 0, fixed = 0;
        while (sim.clock().time < 0.07) {
            sim.step(0.07);
            const ParticleTable& p = sim.particles();
            const double t = sim.clock().time, dt = sim.clock().last_step;
            for (Index i = 0; i < p.size(); ++i) {
                if (p.kinematic_id[i] == 0) continue;
                const Vec3d X = to_double(start.position[p.id[i]]);
                const Motion& motion = holds[p.kinematic_id[i] - 1u].motion;
                const Vec3d x = motion.at(t).to_world(X), before = motion.at(t - dt).to_world(X);
                CHECK(p.position[i] == to_float(x));
                CHECK(norm(to_double(p.velocity[i]) - (x - before) / dt) < 1e-4);
                led += p.kinematic_id[i] == 1;
                fixed += p.kinematic_id[i] == 2;
            }
        }
        CHECK(led > 1000);
        CHECK(fixed > 200);
    }
}

TEST_CASE("released particles keep the velocity of their motion") {
    Object held;
    Motion pull;
    pull.keyframes = {{.time = 0}, {.time = 1, .translate = {2, 1, 0}}};
    held.held = {{.region = everywhere, .motion = pull, .until = 0.1}};
    const Block block(held);
    const ParticleTable start = populate(block.model, block.objects);
    Simulation sim = block.simulation();
    for (const Vec3f& v : sim.particles().velocity) CHECK(norm(v - Vec3f{2, 1, 0}) < 1e-6f);
    REQUIRE(sim.advance_frame(0.3, never));
    // All of it moves alike, so nothing deforms it and nothing slows it down.
    for (Index i = 0; i < sim.particles().size(); ++i) {
        const ParticleTable& p = sim.particles();
        CHECK(p.kinematic_id[i] == 0);
        CHECK(norm(p.velocity[i] - Vec3f{2, 1, 0}) < 1e-4f);
        CHECK(norm(p.position[i] - start.position[p.id[i]] - Vec3f{0.6f, 0.3f, 0}) < 1e-4f);
    }
}

TEST_CASE("an object that is released later waits, and then starts with its velocity") {
    Object paused;
    paused.velocity = {3, 0, 0};
    paused.release = 0.1;
    const Block block(paused);
    const ParticleTable start = populate(block.model, block.objects);
    Simulation sim = block.simulation();
    while (sim.clock().time < 0.09) {
        sim.step(0.09);
        for (Index i = 0; i < sim.particles().size(); ++i) {
            CHECK(sim.particles().position[i] == start.position[sim.particles().id[i]]);
            CHECK(sim.particles().velocity[i] == Vec3f{});
        }
    }
    while (sim.particles().kinematic_id[0] > 0) sim.step(1);
    const double released = sim.clock().time;
    CHECK(released >= 0.1);
    CHECK(released < 0.1 + 2 * sim.clock().last_step);
    REQUIRE(sim.advance_frame(0.3, never));
    for (Index i = 0; i < sim.particles().size(); ++i) {
        CHECK(norm(sim.particles().velocity[i] - Vec3f{3, 0, 0}) < 1e-4f);
        CHECK(sim.particles().position[i].x - start.position[sim.particles().id[i]].x ==
              near(3 * (0.3 - released), 1e-4));
    }
}

TEST_CASE("what is held limits the time step by its motion, and not by forces") {
    Object held;
    held.held = {{.region = everywhere}};
    Block block(held);
    block.model.gravity = {0, -1e6, 0};
    CHECK(block.simulation().time_step_limit().name != "acceleration");

    Motion spin;
    spin.pivot = {0.2, 0.2, 0.2};
    spin.keyframes = {{.time = 0}, {.time = 1, .rotate = {0, 36000, 0}}};
    block.objects[0].held[0].motion = spin;
    block.model.objects = block.objects;
    Simulation sim = block.simulation();
    CHECK(sim.time_step_limit().name == "motion of what is held of `block`");
    // The outermost particles are 0.15 √2 m from the axis, and no step is longer than a tenth of the support.
    const double fastest = 0.15 * std::sqrt(2.0) * 200 * std::acos(-1.0);
    CHECK(sim.time_step_limit().seconds == near(0.1 * 0.2 / fastest, 1e-4));
}

TEST_CASE("an elastic bar follows the ends that hold it, with either integrator") {
    for (const ElasticIntegrator integrator : {ElasticIntegrator::leapfrog, ElasticIntegrator::implicit}) {
        Model model;
        model.particles.spacing = 0.1;
        model.gravity = {0, 0, 0};
        model.materials = {water()};
        model.materials[0].solid.young_modulus = 1e5;
        model.materials[0].solid.damping = 0.01;
        model.solver.elasticity = integrator;
        Motion pull;
        pull.keyframes = {{.time = 0}, {.time = 0.2, .translate = {0.1, 0, 0}}};
        const std::vector<Object> objects{
            {.name = "bar",
             .material = "water",
             .phase = Phase::elastic,
             .shape = Box{{0, 0, 0}, {1, 0.2, 0.2}},
             .held = {{.region = Box{{-1, -1, -1}, {0.1, 1, 1}}},
                      {.region = Box{{0.9, -1, -1}, {2, 1, 1}}, .motion = pull}}}};
        model.objects = objects;
        const ParticleTable start = populate(model, objects);
        Simulation sim(model, start, Device{1});
        REQUIRE(sim.advance_frame(0.6, never));
        // Stretched evenly between its ends, which are exactly where they are held.
        const ParticleTable& p = sim.particles();
        for (Index i = 0; i < p.size(); ++i) {
            const float from = start.position[p.id[i]].x, moved = p.position[i].x - from;
            if (p.kinematic_id[i] == 1) CHECK(moved == 0);
            if (p.kinematic_id[i] == 2)
                CHECK(p.position[i] == to_float(to_double(start.position[p.id[i]]) + Vec3d{0.1, 0, 0}));
            CHECK(std::abs(moved - 0.1f * (from - 0.05f) / 0.9f) < 0.015f);
        }
    }
}

TEST_CASE("held particles are in the first region that they start in") {
    Object held;
    held.held = {{.region = Box{{0, 0, 0}, {0.2, 1, 1}}}, {.region = everywhere, .until = 1}};
    held.release = 0.5;
    const Block block(held);
    const ParticleTable p = populate(block.model, block.objects);
    for (Index i = 0; i < p.size(); ++i) CHECK(p.kinematic_id[i] == (p.position[i].x < 0.2f ? 1 : 2));
    CHECK(holds_of(block.objects).size() == 3);

    // The numbers of the next object follow, its pause included.
    std::vector<Object> objects{block.objects[0], block.objects[0]};
    objects[1].held.clear();
    objects[1].shape = Box{{2, 0, 0}, {2.4, 0.4, 0.4}};
    CHECK(holds_of(objects).size() == 4);
    CHECK(populate(block.model, objects).kinematic_id.back() == 4);
}

TEST_CASE("held particles end in the same bits for any number of threads, and across a checkpoint") {
    const TemporaryFolder folder;
    const Splash splash = held_splash();
    Simulation undisturbed = splash.simulation(Device{1});
    for (int frame = 1; frame <= 2; ++frame) REQUIRE(undisturbed.advance_frame(0.06 * frame, never));
    CHECK(undisturbed.kinematics().places().size() > 50);

    Simulation stopped = splash.simulation(Device{3});
    int calls = 0;
    REQUIRE(!stopped.advance_frame(0.06, [&] { return calls++ == 8; }));
    save_checkpoint(folder / "checkpoint", stopped, "");
    Simulation resumed(splash.model, load_checkpoint(folder / "checkpoint").snapshot, Device{2});
    for (int frame = 1; frame <= 2; ++frame) REQUIRE(resumed.advance_frame(0.06 * frame, never));
    CHECK(hash_of(resumed) == hash_of(undisturbed));
}
