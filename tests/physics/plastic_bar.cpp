#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "particles/hold.h"
#include "physics/elastic.h"

using namespace thixo;

namespace {

constexpr double spacing = 0.02;
constexpr int along = 24, across = 4;

/// A bar clamped at one end whose other end is pushed sideways by `push` (m) within a second, led back most
/// of the way in another, so that it does not yield again on its way back, and let go. Returns how far its
/// tip rests from where it started, as a fraction of the push.
double residual_bend(double push, double elastic_limit) {
    Material material = rubber(1e6);
    material.solid.elastic_limit = elastic_limit;
    material.solid.damping = 2e-4;
    Model model = weightless(2, spacing, material);
    Object object = elastic(bar(spacing, along, across));
    const double length = along * spacing;
    object.held = {{.region = Box{{-1, -1, -1}, {2 * spacing, 1, 1}}},
                   {.region = Box{{length - 1.01 * spacing, -spacing, -1}, {1, spacing, 1}},
                    .motion = {.keyframes = {{.time = 0},
                                             {.time = 1, .translate = {0, push, 0}},
                                             {.time = 2, .translate = {0, 0.4 * push, 0}}}},
                    .until = 2}};
    const std::vector<Object> objects{object};
    model.objects = objects;
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
    // The bar swings on: where it rests is the mean over many swings, weighted so that their ends do not
    // count.
    double sum = 0, weights = 0;
    constexpr int first = 60, last = 180;
    for (int frame = 1; frame <= last; ++frame) {
        REQUIRE(sim.advance_frame(frame * 0.04, never));
        if (frame < first) continue;
        const double weight = 1 - std::cos(2 * std::numbers::pi * (frame - first) / (last - first));
        sum += weight * height();
        weights += weight;
    }
    return sum / weights / push;
}

}  // namespace

TEST_CASE("bent beyond its limit a bar keeps a bend, below it returns") {
    // Clamped at one end and pushed by w at the other, a beam is strained most at the clamp: 3 h w / (2 L²).
    const double free = (along - 2.5) * spacing, height = across * spacing;
    const auto push_for = [&](double strain) { return strain * 2 * free * free / (3 * height); };
    const double limit = 0.02;
    const double below = residual_bend(push_for(0.4 * limit), limit),
                 beyond = residual_bend(push_for(4 * limit), limit);
    INFO("left of the push: ", below, " below the limit, ", beyond, " beyond it");
    CHECK(std::abs(below) < 0.01);
    CHECK(beyond > 0.1);
    CHECK(beyond < 1);
}
