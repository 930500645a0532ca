#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "physics/scene_file.h"

using namespace thixo;

namespace {

constexpr double radius = 0.0045;  ///< m, of the thread where it comes out

/// What the thread does at half its height, seen from above.
struct Swing {
    double amplitude = 0;  ///< m, mean distance from where it is on average
    double turns = 0;      ///< about that place; those back and forth cancel
};

Swing swing_of(const std::vector<Vec3d>& track) {
    Vec3d middle{};
    for (const Vec3d& x : track) middle += x / static_cast<double>(track.size());
    Swing swing;
    for (std::size_t k = 0; k < track.size(); ++k) {
        const Vec3d now = track[k] - middle;
        swing.amplitude += norm(now) / static_cast<double>(track.size());
        if (k == 0) continue;
        const Vec3d before = track[k - 1] - middle;
        swing.turns += std::atan2(before.z * now.x - before.x * now.z, before.x * now.x + before.z * now.z) /
                       (2 * std::numbers::pi);
    }
    return swing;
}

/// Where the thread crosses a layer.
Vec3d crossing(const ParticleTable& p, double low, double high) {
    Vec3d sum{};
    int count = 0;
    for (const Vec3f& x : p.position) {
        if (x.y < low || x.y > high) continue;
        sum += Vec3d{x.x, 0, x.z};
        ++count;
    }
    REQUIRE(count > 0);
    return sum / count;
}

Swing pour(double viscosity) {
    const Scene scene =
        scene_file("fluid/honey_coil", {setting("particles.spacing", pick(0.0025, 0.002)),
                                        setting("materials.honey.liquid.viscosity", viscosity)});
    Simulation sim = start(scene);
    std::vector<Vec3d> track;
    for (int frame = 1; frame <= 100; ++frame) {
        REQUIRE(sim.advance_frame(0.01 * frame, never));
        // Half-way down, above the heap; the first 0.4 s pass until the thread stands on the plate and has
        // buckled.
        if (frame > 40) track.push_back(crossing(sim.particles(), 0.04, 0.055));
    }
    return swing_of(track);
}

}  // namespace

TEST_CASE("a thread of honey coils, one of oil does not") {
    const Swing honey = pour(60), oil = pour(0.6);
    INFO("honey: ", honey.amplitude, " m, ", honey.turns, " turns; oil: ", oil.amplitude, " m, ", oil.turns);
    CHECK(honey.amplitude > 0.2 * radius);
    CHECK(std::abs(honey.turns) > 2);
    CHECK(oil.amplitude < 0.02 * radius);
}
