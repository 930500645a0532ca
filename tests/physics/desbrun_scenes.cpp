#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "physics/scene_file.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

/// What a run looks like from afar.
struct Frame {
    Vec3d center{};
    double low = 1e9, front = -1e9;  ///< along x
    double mass = 0;
    Index particles = 0;
};

Frame look(const ParticleTable& p) {
    Frame out;
    out.particles = p.size();
    for (Index i = 0; i < p.size(); ++i) {
        const Vec3d x = to_double(p.position[i]);
        out.mass += p.mass[i];
        out.center += double{p.mass[i]} * x;
        out.low = std::min(out.low, x.x - p.radius[i]);
        out.front = std::max(out.front, x.x + p.radius[i]);
    }
    out.center = out.center / out.mass;
    return out;
}

struct Run {
    std::vector<Frame> frames;
    std::size_t steps_times_particles = 0;
};

Run run(const std::string& name, double until) {
    const Scene scene = scene_file("desbrun1999/" + name);
    Simulation sim = start(scene);
    Run out;
    out.frames.push_back(look(sim.particles()));
    for (int frame = 1; frame / scene.frame_rate <= until; ++frame) {
        REQUIRE(sim.advance_frame(frame / scene.frame_rate, never));
        out.frames.push_back(look(sim.particles()));
        out.steps_times_particles += sim.clock().frame_steps * sim.particles().size();
    }
    return out;
}

/// The same result from fewer particles.
void compare(const std::string& name, double until) {
    const Run uniform = run(name + "_uniform", until), adaptive = run(name + "_adaptive", until);
    double low = 1e9, high = -1e9, center = 0, front = 0, mass = 0;
    for (const Frame& frame : uniform.frames) {
        low = std::min(low, frame.low);
        high = std::max(high, frame.front);
    }
    for (std::size_t k = 0; k < uniform.frames.size(); ++k) {
        const Frame &a = uniform.frames[k], &b = adaptive.frames[k];
        center = std::max(center, norm(a.center - b.center) / (high - low));
        front = std::max(
            {front, std::abs(a.front - b.front) / (high - low), std::abs(a.low - b.low) / (high - low)});
        mass = std::max(mass, std::abs(b.mass - adaptive.frames[0].mass));
    }
    MESSAGE(name, ": ", uniform.frames[0].particles, " particles, adaptive ", adaptive.frames[0].particles,
            " and in the end ", adaptive.frames.back().particles, "; work ",
            double(adaptive.steps_times_particles) / double(uniform.steps_times_particles), "; centre ",
            center, ", front ", front);
    CHECK(center < 0.02);
    CHECK(front < 0.03);
    CHECK(mass == 0);
    CHECK(adaptive.frames[0].mass == near(uniform.frames[0].mass, 1e-4));
    CHECK(adaptive.steps_times_particles < uniform.steps_times_particles);
}

}  // namespace

TEST_CASE("substance falls over an obstacle [DC99, fig. 4]") { compare("over_an_obstacle", pick(1.2, 3.)); }

TEST_CASE("substance is poured into a box [DC99, fig. 5]") { compare("pour_into_box", pick(0.4, 1.2)); }
