#include <doctest/doctest.h>

#include <cmath>

#include "unit/core/generators.h"
#include "unit/core/near.h"
#include "unit/sim/splash.h"

using namespace thixo;

namespace {

/// One particle and nothing else.
Simulation lone_particle(const Vec3f& x, const Vec3f& v, const Vec3d& gravity) {
    Model model;
    model.gravity = gravity;
    model.particles.spacing = 0.1;
    model.materials = {water()};
    ParticleTable particles;
    particles.resize(1);
    particles.position[0] = x;
    particles.velocity[0] = v;
    particles.mass[0] = 1;
    particles.radius[0] = 0.05f;
    return {model, std::move(particles), Device{1}};
}

}  // namespace

TEST_CASE("a falling particle follows its parabola, with steps of equal and of changing length") {
    for (const Vec3d& v0 : {Vec3d{0, 0, 0}, Vec3d{1, 4, -2}, Vec3d{20, 30, 0}}) {
        const Vec3d x0{1, 2, 3}, g{0, -9.81, 0};
        Simulation sim = lone_particle(to_float(x0), to_float(v0), g);
        double farthest = 0, fastest = 0;
        for (int frame = 1; frame <= 30; ++frame) {
            const double t = frame / 30.;
            CHECK(sim.advance_frame(t, never));
            const Vec3d x = to_double(sim.particles().position[0]), exact = x0 + v0 * t + 0.5 * t * t * g;
            farthest = std::max(farthest, norm(exact));
            fastest = std::max(fastest, norm(v0 + t * g));
            // Leapfrog is exact for a constant acceleration: all that is left is the rounding of every step.
            const double rounding = 6e-8 * static_cast<double>(sim.clock().step) * (farthest + fastest * t);
            CHECK(norm(x - exact) <= rounding);
            // The velocity is the one half a step ago.
            const Vec3d v = v0 + g * (t - 0.5 * sim.clock().last_step);
            CHECK(norm(to_double(sim.particles().velocity[0]) - v) <=
                  6e-8 * static_cast<double>(sim.clock().step) * fastest);
        }
        CHECK(sim.clock().step > 100);
    }
}

TEST_CASE("frames end exactly where they should, in equal steps") {
    Simulation sim = lone_particle({0, 0, 0}, {0, 0, 0}, {0, 0, 0});
    const double longest = sim.time_step_limit().seconds;
    CHECK(sim.time_step_limit().name == "sound in `water`");
    std::uint64_t steps = 0;
    for (int frame = 1; frame <= 50; ++frame) {
        const double end = frame / 30.;
        CHECK(sim.advance_frame(end, never));
        CHECK(sim.clock().time == end);
        CHECK(sim.clock().frame == static_cast<std::uint64_t>(frame));
        CHECK(sim.clock().in_frame == 0);
        CHECK(sim.clock().frame_steps == static_cast<std::uint64_t>(std::ceil(1 / 30. / longest)));
        CHECK(sim.clock().frame_step_min == near(sim.clock().frame_step_max, 1e-9));
        CHECK(sim.clock().frame_step_max <= longest);
        steps += sim.clock().frame_steps;
    }
    CHECK(sim.clock().step == steps);
}

TEST_CASE("a frame shorter than a step is one step") {
    Simulation sim = lone_particle({0, 0, 0}, {1, 0, 0}, {0, 0, 0});
    CHECK(sim.advance_frame(1e-5, never));
    CHECK(sim.clock().step == 1);
    CHECK(sim.clock().time == 1e-5);
    CHECK(sim.particles().position[0].x == near(1e-5));
    // A frame that is over already takes no step.
    CHECK(sim.advance_frame(1e-5, never));
    CHECK(sim.clock().step == 1);
    CHECK(sim.clock().frame == 2);
}

TEST_CASE("a frame ends where it should whatever rounding makes of the last step") {
    CHECK(rc::check([] {
        Simulation sim = lone_particle({0, 0, 0}, {0, 0, 0}, {0, 0, 0});
        const double first = any_real(1e-6, 1e-4), second = first + any_real(1e-4, 1.8e-3);
        RC_ASSERT(sim.advance_frame(first, never));
        RC_ASSERT(sim.advance_frame(second, never));
        RC_ASSERT(sim.clock().time == second);
        RC_ASSERT(sim.clock().step == 2u);
    }));
}

TEST_CASE("what limits the time step is reported by name") {
    Simulation fast = lone_particle({0, 0, 0}, {50, 0, 0}, {0, 0, 0});
    CHECK(fast.time_step_limit().name == "flow");
    CHECK(fast.time_step_limit().seconds == near(0.1 * 0.2 / 50));
    Simulation heavy = lone_particle({0, 0, 0}, {0, 0, 0}, {0, -1e5, 0});
    CHECK(heavy.time_step_limit().name == "acceleration");
    CHECK(heavy.time_step_limit().seconds == near(0.25 * std::sqrt(0.1 / 1e5)));
}

TEST_CASE("the scale shortens the steps") {
    Splash splash(0.1, 2);
    Simulation whole = splash.simulation();
    splash.model.solver.time_step_scale = 0.25;
    Simulation quarter = splash.simulation();
    whole.step(1);
    quarter.step(1);
    CHECK(quarter.clock().last_step == near(0.25 * whole.clock().last_step, 0.01));
}

TEST_CASE("an empty scene runs") {
    Model model;
    model.materials = {water()};
    Simulation sim(model, ParticleTable{}, Device{2});
    CHECK(sim.advance_frame(0.1, never));
    CHECK(sim.clock().time == 0.1);
    CHECK(sim.mean_neighbours() == 0);
}

TEST_CASE("an interrupted frame goes on where it stopped") {
    const Splash splash(0.1, 2);
    Simulation undisturbed = splash.simulation(), interrupted = splash.simulation();
    CHECK(undisturbed.advance_frame(0.05, never));
    int calls = 0;
    CHECK_FALSE(interrupted.advance_frame(0.05, [&] { return ++calls > 3; }));
    CHECK(interrupted.clock().step == 3);
    CHECK(interrupted.clock().in_frame == 1);
    CHECK(interrupted.clock().frame == 0);
    CHECK(interrupted.advance_frame(0.05, never));
    CHECK(interrupted.clock().frame_steps == undisturbed.clock().frame_steps);
    CHECK(interrupted.particles().position == undisturbed.particles().position);
}

TEST_CASE("two dimensions stay in their plane") {
    Simulation sim = Splash(0.05, 2).simulation();
    for (int k = 0; k < 200; ++k) sim.step(1e9);
    for (Index i = 0; i < sim.particles().size(); ++i) {
        CHECK(sim.particles().position[i].z == 0);
        CHECK(sim.particles().velocity[i].z == 0);
    }
}
