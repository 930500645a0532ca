#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "physics/scene_file.h"

using namespace thixo;

TEST_CASE("a bar that was twisted by 360 and bent by 180 degrees comes back") {
    const Scene scene = scene_file("becker2009/bend_and_twist");
    Simulation sim = start(scene);
    std::vector<Vec3d> begin(sim.particles().size());
    for (Index i = 0; i < begin.size(); ++i)
        begin[sim.particles().id[i]] = to_double(sim.particles().position[i]);
    const auto largest_shift = [&] {
        double out = 0;
        for (Index i = 0; i < begin.size(); ++i)
            out = std::max(out, norm(to_double(sim.particles().position[i]) - begin[sim.particles().id[i]]));
        return out;
    };
    double bent = 0;
    const int frames = static_cast<int>(scene.duration * scene.frame_rate);
    for (int frame = 1; frame <= frames; ++frame) {
        REQUIRE(sim.advance_frame(frame / scene.frame_rate, never));
        bent = std::max(bent, largest_shift());
    }
    INFO("bent by ", bent, " m, in the end ", largest_shift(), " m away from where it was");
    CHECK(bent > 1.4);
    CHECK(largest_shift() < 0.02 * 1.5);  // of its length
}
