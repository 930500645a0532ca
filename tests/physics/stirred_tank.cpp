#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <numbers>
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

/// Turns the paddle of the scene once in the first two seconds and twice in the next, forth (+1) or back
/// (−1).
void stir(const std::string& pressure, int way) {
    const std::string keyframes =
        fmt::format(R"([{{"time":0}},{{"time":2,"rotate":[0,{},0]}},{{"time":4,"rotate":[0,{},0]}}])",
                    way * 360, way * 1080);
    const Scene scene = scene_file(
        "fluid/stirred_tank", {"solver.pressure=" + pressure, setting("particles.spacing", pick(0.05, 0.025)),
                               "obstacles.1.motion.keyframes=" + keyframes});
    Simulation sim = start(scene);
    const Index count = sim.particles().size();
    double slow = 0, fast = 0, outermost = -1;
    for (int frame = 1; frame <= 64; ++frame) {
        REQUIRE(sim.advance_frame(0.05 * frame, never));
        const double now = way * rotation(sim.particles());
        if (frame == 20) slow = now;
        if (frame == 60) fast = now;
        for (const Vec3f& x : sim.particles().position)
            outermost = std::max(outermost,
                                 signed_distance(scene.model.obstacles[0].shape, to_double(x), 3).distance);
    }
    INFO(pressure, ", way ", way, ": ", slow, " rad/s, then ", fast, "; ", outermost, " m from the walls");
    CHECK(sim.particles().size() == count);
    CHECK(outermost < 0);
    // The paddle's mean speed is π/s, then 2π/s; it reaches two thirds of the way to the walls, which do not
    // slow the flow.
    CHECK(slow > 0.05 * std::numbers::pi);
    CHECK(fast > 0.1 * 2 * std::numbers::pi);
    CHECK(fast > 2 * slow);
    CHECK(fast < 2 * std::numbers::pi);
}

}  // namespace

TEST_CASE("a paddle turns the water of its tank the way it goes, and nothing gets out") {
    stir("tait", 1);
    stir("dfsph", -1);
}
