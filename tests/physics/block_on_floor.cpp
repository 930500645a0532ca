#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "physics/bodies.h"
#include "physics/methods.h"

using namespace thixo;

namespace {

constexpr double spacing = 0.05, g = 9.81;

/// A block on a floor with friction 0.5; gravity is tilted by an angle (degrees), as on a slope.
Simulation block_on_slope(const Method& method, double degrees) {
    Model model = weightless(3, spacing, rubber(1e5));
    const double angle = degrees * std::numbers::pi / 180;
    model.gravity = {g * std::sin(angle), -g * std::cos(angle), 0};
    method.choose(model.solver);
    model.obstacles = {{.name = "floor", .shape = Plane{}, .friction = 0.5}};
    return {model, populate(model, {body("block", Box{{-0.2, 0, -0.15}, {0.2, 0.2, 0.15}})})};
}

}  // namespace

TEST_CASE("a block on the floor swings by its own weight, and neither sinks in nor dances") {
    for (const Method& method : methods_of_solids()) {
        Simulation sim = block_on_slope(method, 0);
        // Its weight bends it by ρgL²/2E, from where it swings: twice that is the lowest its top comes to.
        const double sag = 1000 * g * 0.2 * 0.2 / (2 * 1e5), end = pick(1.0, 3.0);
        double early = 0, late = 0, lowest = 1e30;
        while (sim.clock().time < end) {
            sim.step(end);
            const Census block = census(sim.particles(), 0);
            double& motion = sim.clock().time < 0.3 ? early : late;
            motion = std::max(motion, block.motion / block.mass);
            lowest = std::min(lowest, block.low.y);
        }
        const Census block = census(sim.particles(), 0);
        INFO(std::string(method.name), ": motion ", early, ", later ", late, " m/s; lowest ",
             lowest / spacing, " spacings; top at ", block.high.y, ", sag ", sag);
        CHECK(late < 1.1 * early);
        CHECK(lowest > 0.35 * spacing);
        CHECK(block.high.y > 0.2 - 0.5 * spacing - 3 * sag - 0.15 * spacing);
        CHECK(std::abs(block.center.x) < 0.1 * spacing);
    }
}

TEST_CASE("friction holds a block on a slope, or slows it by as much as it should") {
    for (const Method& method : methods_of_solids()) {
        for (const double degrees : {20.0, 40.0}) {
            Simulation sim = block_on_slope(method, degrees);
            const double end = 0.5, angle = degrees * std::numbers::pi / 180;
            while (sim.clock().time < end) sim.step(end);
            const Census block = census(sim.particles(), 0);
            const double excess = g * (std::sin(angle) - 0.5 * std::cos(angle));
            INFO(std::string(method.name), ", ", degrees, "°: moved by ", block.center.x, ", expected ",
                 0.5 * excess * end * end);
            // It leans, and hops a little before it has settled.
            if (excess < 0) CHECK(std::abs(block.center.x) < spacing);
            if (excess > 0) CHECK(block.center.x == doctest::Approx(0.5 * excess * end * end).epsilon(0.15));
        }
    }
}
