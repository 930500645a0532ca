#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/scene_file.h"

using namespace thixo;

namespace {

/// How far the cuboid of figures 5 and 6 of [BIT09] turns at most about the edge it falls on, in degrees: the
/// angle of the line between the means of its two ends.
double largest_turn(const std::string& model) {
    const Scene scene = scene_file("becker2009/falling_cuboid_" + model);
    Simulation sim = start(scene);
    CHECK(sim.particles().size() == 210);
    const auto ids = [&](bool left) {
        std::vector<std::uint32_t> out;
        for (Index i = 0; i < sim.particles().size(); ++i) {
            const float x = sim.particles().position[i].x;
            if (left ? x < -0.7f : x > 0.1f) out.push_back(sim.particles().id[i]);
        }
        std::sort(out.begin(), out.end());
        return out;
    };
    const auto left = ids(true), right = ids(false);
    const auto mean = [&](const std::vector<std::uint32_t>& of) {
        Vec3d sum;
        for (Index i = 0; i < sim.particles().size(); ++i) {
            if (std::binary_search(of.begin(), of.end(), sim.particles().id[i]))
                sum += to_double(sim.particles().position[i]);
        }
        return sum / static_cast<double>(of.size());
    };
    double largest = 0;
    for (int frame = 1; frame <= 45; ++frame) {
        REQUIRE(sim.advance_frame(frame / 30.0, never));
        const Vec3d along = mean(right) - mean(left);
        largest = std::max(largest, std::abs(std::atan2(along.y, along.x)) * 180 / std::numbers::pi);
    }
    return largest;
}

}  // namespace

TEST_CASE("a cuboid falls on an edge: without rotations it lands as it started, corotated it tumbles") {
    const double green = largest_turn("green"), corotated = largest_turn("corotated");
    INFO("turned by ", green, " and ", corotated, " degrees");
    CHECK(green < 25);
    CHECK(corotated > 60);
}
