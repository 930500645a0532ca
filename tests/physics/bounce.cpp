#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "physics/rigid.h"

using namespace thixo;

namespace {

constexpr double g = 9.81;

struct Drop {
    int dimensions;
    double spacing, height, restitution;
    double time_step_scale = 1;
    double slope = 0;  ///< rad, of the floor and the body on it, without friction
    PressureMethod pressure = PressureMethod::state_equation;
};

/// How high above the floor a block comes after each of its first bounces, m.
std::vector<double> bounces(const Drop& drop, std::size_t count) {
    Model model = weightless(drop.dimensions, drop.spacing, wood());
    model.solver.pressure = drop.pressure;
    model.solver.time_step_scale = drop.time_step_scale;
    model.materials[0].solid.restitution = drop.restitution;
    model.gravity = {g * std::sin(drop.slope), -g * std::cos(drop.slope), 0};
    model.obstacles = {{.name = "floor", .shape = Plane{}, .friction = 0}};
    const double half = 2 * drop.spacing, z = drop.dimensions == 2 ? 0 : half;
    const double bottom = drop.height;
    Simulation sim(model,
                   populate(model, {rigid("block", Box{{-half, bottom, -z}, {half, bottom + 2 * half, z}})}));
    const auto height = [&] { return sim.rigid().bodies()[0].center.y - half; };
    std::vector<double> out;
    double highest = 0, last = height();
    bool rising = false;
    const double end = 40 * std::sqrt(2 * drop.height / g);
    while (out.size() < count && sim.clock().time < end) {
        sim.step(end);
        const double now = height();
        if (now > last) {
            rising = true;
            highest = std::max(highest, now);
        } else if (rising) {
            out.push_back(highest);
            rising = false;
            highest = 0;
        }
        last = now;
    }
    out.resize(count);
    return out;
}

}  // namespace

TEST_CASE("a body bounces to e² of the height it fell from, whatever the length of the step") {
    const std::vector<Drop> drops{{3, 0.05, 0.5, 0.6},
                                  {2, 0.05, 0.5, 0.6},
                                  {3, 0.02, 0.5, 0.6},
                                  {2, 0.05, 0.5, 0.6, 0.3},
                                  {2, 0.03, 1.3, 0.9},
                                  {3, 0.05, 0.5, 0.3},
                                  {2, 0.05, 0.37, 0.6, 0.77},
                                  {2, 0.04, 0.5, 0.7, 1, 0.4},
                                  {2, 0.05, 0.5, 0.6, 1, 0, PressureMethod::dfsph},
                                  // Steps of up to 10 ms: a seventh of the time between the last bounces.
                                  {2, 0.1, 0.5, 0.6, 1, 0, PressureMethod::dfsph},
                                  {3, 0.1, 0.5, 0.7, 1, 0, PressureMethod::dfsph},
                                  {2, 0.1, 1.3, 0.9, 1, 0.3, PressureMethod::dfsph}};
    for (const Drop& drop : drops) {
        const std::size_t count = drop.restitution < 0.5 ? 2 : 4;
        const std::vector<double> heights = bounces(drop, count);
        double theory = drop.height;
        for (std::size_t k = 0; k < count; ++k) {
            theory *= drop.restitution * drop.restitution;
            INFO(drop.dimensions, "D, spacing ", drop.spacing, ", e ", drop.restitution, ", scale ",
                 drop.time_step_scale, ", slope ", drop.slope, ": bounce ", k + 1, ": ", 1000 * heights[k],
                 " mm, theory ", 1000 * theory);
            CHECK(heights[k] == doctest::Approx(theory).epsilon(0.03));
        }
    }
}

TEST_CASE("a body without loss bounces as high as it fell from for many times") {
    const std::vector<double> heights = bounces({2, 0.05, 0.3, 1}, 12);
    for (const double height : heights) CHECK(height == doctest::Approx(0.3).epsilon(0.01));
}

TEST_CASE("two bodies that meet head on separate with e of their approach, and their centre goes on") {
    for (const double restitution : {0.0, 0.4, 1.0}) {
        Model model = weightless(2, 0.05, wood());
        model.materials[0].solid.restitution = restitution;
        Simulation sim(model, populate(model, {rigid("a", Box{{-0.413, 0, 0}, {-0.213, 0.2, 0}}, {2, 0, 0}),
                                               rigid("b", Box{{0.1, 0, 0}, {0.4, 0.2, 0}}, {-1, 0, 0})}));
        const double start = sim.rigid().bodies()[0].center.x, end = 0.3;
        const double b_start = sim.rigid().bodies()[1].center.x;
        while (sim.clock().time < end) sim.step(end);
        const RigidBody &a = sim.rigid().bodies()[0], &b = sim.rigid().bodies()[1];
        CAPTURE(restitution);
        CHECK(b.velocity.x - a.velocity.x == doctest::Approx(3 * restitution).epsilon(0.01).scale(1));
        const double meet = 0.313 / 3, mean = (a.mass * 2 - b.mass) / (a.mass + b.mass);
        const double va = mean - restitution * 3 * b.mass / (a.mass + b.mass),
                     vb = mean + restitution * 3 * a.mass / (a.mass + b.mass);
        CHECK(a.center.x == doctest::Approx(start + 2 * meet + va * (end - meet)).epsilon(0.002).scale(1));
        CHECK(b.center.x == doctest::Approx(b_start - meet + vb * (end - meet)).epsilon(0.002).scale(1));
    }
}
