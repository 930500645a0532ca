#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/outline.h"
#include "physics/scene_file.h"
#include "sim/statistics.h"

using namespace thixo;

namespace {

/// The same result from fewer particles. `fraction`: of the forces that are found.
void compare(const std::string& name, double until, double fraction) {
    const Scene scene = scene_file("desbrun1999/" + name + "_uniform");
    Simulation uniform = start(scene), adaptive = start(scene_file("desbrun1999/" + name + "_adaptive"));
    const double rest_density = scene.model.materials[0].density;
    const Outline first = outline(adaptive.particles(), rest_density);
    Deviation deviation(domain_of(scene.model));
    double mass = 0;
    for (int frame = 1; frame / scene.frame_rate <= until; ++frame) {
        for (Simulation* sim : {&uniform, &adaptive})
            REQUIRE(sim->advance_frame(frame / scene.frame_rate, never));
        const Outline now = outline(adaptive.particles(), rest_density);
        deviation.add(outline(uniform.particles(), rest_density), now);
        mass = std::max(mass, std::abs(now.mass - first.mass));
    }
    const double work =
        static_cast<double>(adaptive.evaluations()) / static_cast<double>(uniform.evaluations());
    MESSAGE(name, ": ", uniform.particles().size(), " particles, adaptive in the end ",
            adaptive.particles().size(), "; work ", work, "; centre ", deviation.center(), ", front ",
            deviation.front(), ", volume ", deviation.volume());
    CHECK(deviation.center() < 0.02);
    CHECK(deviation.front() < 0.03);
    CHECK(deviation.volume() < 0.03);
    // Masses are rounded to 16 bits at the start, and then kept.
    CHECK(deviation.mass() < 1e-4);
    CHECK(mass == 0);
    CHECK(work < fraction);
}

}  // namespace

TEST_CASE("substance falls over an obstacle [DC99, fig. 4]") { compare("over_an_obstacle", 4, 0.2); }

TEST_CASE("substance is poured into a box [DC99, fig. 5]") {
    compare("pour_into_box", pick(1.2, 4.), pick(0.3, 0.2));
}

TEST_CASE("a uniform liquid by continuity does not drift: what was poured rests at its depth") {
    const Scene scene = scene_file("desbrun1999/pour_into_box_uniform");
    Simulation sim = start(scene);
    REQUIRE(sim.advance_frame(scene.duration, never));
    const ParticleTable& p = sim.particles();
    double mass = 0, moment = 0;
    for (Index i = 0; i < p.size(); ++i) {
        mass += p.mass[i];
        moment += p.mass[i] * p.position[i].y;
    }
    const double side = 0.32, right = mass / (scene.model.materials[0].density * side * side);
    INFO("depth ", 2 * moment / mass, " m, right is ", right);
    CHECK(std::abs(2 * moment / (mass * right) - 1) < 0.03);  // as volumes above
}

// Particles that split shake a pool of two layers for a frame or two, whenever that happens: its last second
// is looked at as a whole.
TEST_CASE("a thin adaptive pool on a terrain comes to rest") {
    const Scene scene = scene_file("desbrun1999/down_a_terrain_adaptive");
    Simulation sim = start(scene);
    const double depth = 0.2;  // of the pool in the hollow
    double square = 0, particles = 0, frames = 0;
    Index least = std::numeric_limits<Index>::max();
    for (int frame = 1; frame / scene.frame_rate <= scene.duration; ++frame) {
        REQUIRE(sim.advance_frame(frame / scene.frame_rate, never));
        if (frame / scene.frame_rate <= scene.duration - 1) continue;
        const Statistics now = gather_statistics(sim);
        square += 2 * now.kinetic / now.mass;
        particles += sim.particles().size();
        frames += 1;
        least = std::min(least, sim.particles().size());
    }
    const double speed = std::sqrt(square / frames);
    INFO("speed ", speed, " m/s (rms), ", least, " particles at least, ", particles / frames, " in the mean");
    CHECK(speed < 0.05 * std::sqrt(9.81 * depth));
    CHECK(particles / frames < 1.1 * least);
}
