#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "physics/scene_file.h"
#include "physics/tank.h"

using namespace thixo;

TEST_CASE("of two held cuboids the soft one hangs, the stiff one bends, and both come to rest") {
    const Scene scene = scene_file("becker2009/two_cuboids");
    Simulation sim = start(scene);
    CHECK(sim.particles().size() == 800);
    const auto lowest = [&](int object) {
        double out = 1;
        for (Index i = 0; i < sim.particles().size(); ++i) {
            if (sim.particles().object[i] == object)
                out = std::min(out, double{sim.particles().position[i].y});
        }
        return out;
    };
    for (int frame = 1; frame <= 120; ++frame) REQUIRE(sim.advance_frame(frame / 30.0, never));
    double fastest = 0;
    for (const Vec3f& v : sim.particles().velocity) fastest = std::max(fastest, double{norm(v)});
    INFO("soft ", lowest(0), " m, stiff ", lowest(1), " m, ", fastest, " m/s");
    // They start 0.5 m above the ground and are 0.4 m long.
    CHECK(lowest(0) < 0.2);
    CHECK(lowest(1) > 0.25);
    CHECK(lowest(1) < 0.45);
    CHECK(fastest < 1);  // fallen from the height of its sag the tip would have 2 m/s
}

TEST_CASE("with the preset fast the two cuboids come to rest, whatever the model") {
    for (const char* model : {"corotated", "green", "mls", "corrected"}) {
        if (model == std::string("mls") && !full_size()) continue;
        const auto is = [&](const std::string& material) {
            return "materials." + material + ".solid.model=" + model;
        };
        Simulation sim =
            start(scene_file("becker2009/two_cuboids", {"solver.preset=fast", is("soft"), is("stiff")}));
        for (int frame = 1; frame <= 90; ++frame) REQUIRE(sim.advance_frame(frame / 30.0, never));
        double motion = 0;
        for (const Vec3f& v : sim.particles().velocity)
            motion += norm2(to_double(v)) / sim.particles().size();
        INFO(std::string(model), ": ", std::sqrt(motion), " m/s, ", sim.clock().step, " steps");
        // One of a thousand of what they would have fallen with, 2 m/s; the air takes e⁻³ of a swing in a
        // second.
        CHECK(std::sqrt(motion) < 0.01);
    }
}
