#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "physics/scene_file.h"

using namespace thixo;

namespace {

/// Mean rotation about the paddle's axis, Σ m (x × v)/Σ m r².
double rotation(const ParticleTable& p) {
    double spin = 0, inertia = 0;
    for (Index i = 0; i < p.size(); ++i) {
        const Vec3d x = to_double(p.position[i]), v = to_double(p.velocity[i]);
        spin += p.mass[i] * (x.z * v.x - x.x * v.z);
        inertia += p.mass[i] * (x.x * x.x + x.z * x.z);
    }
    return spin / inertia;
}

void stir(const std::string& pressure, const char* name, const char* keyframes, double way) {
    const Scene scene = scene_file("stirred_tank", {"solver.pressure=" + pressure,
                                                    in_metres("particles.spacing", pick(0.05, 0.025)),
                                                    std::string("obstacles.1.motion.keyframes=") + keyframes});
    Simulation sim = start(scene);
    const Index count = sim.particles().size();
    double slow = 0, fast = 0;
    double leak = -1;  // m, how far beyond the walls of the tank somebody was
    for (int frame = 1; frame <= 80; ++frame) {
        REQUIRE(sim.advance_frame(0.05 * frame, never));
        const double now = way * rotation(sim.particles());
        if (frame == 20) slow = now;
        if (frame == 60) fast = now;
        for (const Vec3f& x : sim.particles().position)
            leak = std::max(leak, signed_distance(scene.model.obstacles[0].shape, to_double(x), 3).distance);
    }
    INFO(pressure, ", ", name, ": ", slow, " rad/s, then ", fast, "; leak ", leak);
    CHECK(sim.particles().size() == count);
    CHECK(leak < 0);
    (void)slow;
    CHECK(fast > 0.1);
}

}  // namespace

TEST_CASE("a paddle turns the water of its tank the way it goes, and nothing gets out") {
    for (const char* pressure : {"tait", "dfsph"}) {
        stir(pressure, "forth", R"([{"time":0},{"time":2,"rotate":[0,360,0]},{"time":4,"rotate":[0,1080,0]}])", 1);
        stir(pressure, "back", R"([{"time":0},{"time":2,"rotate":[0,-360,0]},{"time":4,"rotate":[0,-1080,0]}])", -1);
    }
}
