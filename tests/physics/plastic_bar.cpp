#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "particles/hold.h"
#include "physics/elastic.h"

using namespace thixo;

namespace {

constexpr double spacing = 0.02;
constexpr int along = 24, across = 4;

/// A bar clamped at one end whose other end is pushed sideways by `push` (m) within a second, brought back in the next half
/// and let go. Returns how far its tip is from where it started, as a share of the push, after it has come to rest.
double residual_bend(double push, double elastic_limit) {
    Material material = rubber(1e6);
    material.solid.elastic_limit = elastic_limit;
    material.solid.damping = 0.002;
    Model model = weightless(2, spacing, material);
    Object object = elastic(bar(spacing, along, across));
    const double length = along * spacing;
    object.held = {{.region = Box{{-1, -1, -1}, {2 * spacing, 1, 1}}},
                   {.region = Box{{length - 1.01 * spacing, -1, -1}, {1, 1, 1}},
                    .motion = {.keyframes = {{.time = 0},
                                             {.time = 1, .translate = {0, push, 0}},
                                             {.time = 1.5, .translate = {0, 0.5 * push, 0}}}},
                    .until = 1.5}};
    const std::vector<Object> objects{object};
    model.holds = holds_of(objects);
    Simulation sim(model, populate(model, objects));
    std::vector<std::uint32_t> tip;
    for (Index i = 0; i < sim.particles().size(); ++i) {
        if (sim.particles().position[i].x > length - spacing) tip.push_back(sim.particles().id[i]);
    }
    const auto height = [&] {
        double sum = 0;
        for (Index i = 0; i < sim.particles().size(); ++i) {
            if (std::find(tip.begin(), tip.end(), sim.particles().id[i]) != tip.end())
                sum += sim.particles().position[i].y;
        }
        return sum / static_cast<double>(tip.size());
    };
    // The bar still swings a little in the end: the mean over two seconds is where it rests.
    double mean = 0;
    for (int frame = 1; frame <= 200; ++frame) {
        REQUIRE(sim.advance_frame(frame * 0.04, never));
        if (frame > 150) mean += height() / 50;
    }
    return mean / push;
}

}  // namespace

TEST_CASE("bent beyond its limit a bar keeps a bend, below it returns") {
    // Clamped at one end and pushed by w at the other, which cannot turn, a beam is strained most at its ends: 3 h w / L².
    const double free = (along - 2.5) * spacing, height = across * spacing;
    const auto push_for = [&](double strain) { return strain * free * free / (3 * height); };
    const double limit = 0.02;
    const double below = residual_bend(push_for(0.4 * limit), limit),
                 beyond = residual_bend(push_for(4 * limit), limit);
    INFO("left of the push: ", below, " below the limit, ", beyond, " beyond it");
    CHECK(std::abs(below) < 0.01);
    CHECK(beyond > 0.2);
    CHECK(beyond < 1);
}
