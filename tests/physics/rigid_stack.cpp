#include <doctest/doctest.h>

#include <cmath>

#include "physics/methods.h"
#include "physics/rigid.h"

using namespace thixo;

namespace {

constexpr double spacing = 0.05;

/// Five blocks on top of each other, none exactly above the one below; the last one is let fall from half a
/// spacing.
Simulation stack(int dimensions, const Method& method) {
    Model model = weightless(dimensions, spacing, wood());
    model.gravity = {0, -9.81, 0};
    method.choose(model.solver);
    model.obstacles = {{.name = "floor", .shape = Plane{}, .friction = 0.5}};
    std::vector<Object> blocks;
    const double shift[] = {0, 0.02, -0.01, 0.013, 0};
    for (int k = 0; k < 5; ++k) {
        const double y = 0.2 * k + (k == 4 ? 0.5 * spacing : 0), x = shift[k], z = dimensions == 2 ? 0 : 0.15;
        blocks.push_back(
            rigid("block " + std::to_string(k), Box{{x - 0.15, y, -z - x}, {x + 0.15, y + 0.2, z - x}}));
    }
    return {model, populate(model, blocks)};
}

}  // namespace

TEST_CASE("a stack of five blocks stands, and is still") {
    for (const int dimensions : {2, 3}) {
        for (const Method& method : methods_of_solids()) {
            Simulation sim = stack(dimensions, method);
            const double end = pick(3.0, 10.0);
            std::vector<Census> start;
            for (int k = 0; k < 5; ++k) start.push_back(census(sim.particles(), k));
            double late = 0;
            while (sim.clock().time < end) {
                sim.step(end);
                if (sim.clock().time < 2) continue;
                for (int k = 0; k < 5; ++k) late = std::max(late, top_speed(sim.particles(), k));
            }
            INFO(std::string(method.name), " in ", dimensions, "D: fastest particle ", late, " m/s");
            CHECK(late < 1e-3 * method.leeway());
            for (int k = 0; k < 5; ++k) {
                const Census now = census(sim.particles(), k);
                CAPTURE(k);
                CHECK(std::abs(now.center.x - start[k].center.x) < 0.02 * spacing * method.leeway());
                CHECK(std::abs(now.center.z - start[k].center.z) < 0.02 * spacing * method.leeway());
                // Nothing sinks in: each interface may overlap by the slop of contacts, 0.005 spacings.
                CHECK(std::abs(now.center.y - (0.2 * k + 0.1)) < 0.01 * spacing * (k + 1) * method.leeway());
            }
        }
    }
}

TEST_CASE("fast bodies stop at what is in their way, thin as it is") {
    Model model = weightless(3, spacing, wood());
    model.materials.push_back(rubber(1e5));
    Object plate = rigid("plate", Box{{-0.4, 0, -0.4}, {0.4, spacing, 0.4}});
    plate.held = {{.region = Box{{-1, -1, -1}, {1, 1, 1}}}};
    for (const double speed : {5.0, 80.0}) {
        const std::vector<Object> objects{
            plate, rigid("bullet", Box{{-0.3, 0.3, -0.1}, {-0.1, 0.5, 0.1}}, {0.1 * speed, -speed, 0}),
            body("ball", Sphere{{0.2, 0.5, 0}, 0.15}, {0, -0.2 * speed, 0}),
            rigid("pin", Box{{0, 0.8, 0.2}, {spacing, 0.8 + spacing, 0.2 + spacing}}, {0, -speed, 0})};
        model.objects = objects;
        Simulation sim(model, populate(model, objects));
        const double end = 0.8 / (0.2 * speed);
        while (sim.clock().time < end) sim.step(end);
        CAPTURE(speed);
        for (const int object : {1, 2, 3}) {
            CAPTURE(object);
            CHECK(census(sim.particles(), object).low.y > 1.2 * spacing);
        }
        CHECK(norm(census(sim.particles(), 0).momentum) == 0);
    }
}

TEST_CASE("bodies that collide in free space keep their momentum and angular momentum together") {
    Model model = weightless(3, spacing, wood(600, 0.4));
    model.materials[0].solid.restitution = 0.5;
    model.materials.push_back(rubber(1e5));
    Simulation sim(model, populate(model, {rigid("a", Box{{-0.2, -0.1, -0.1}, {0.2, 0.1, 0.1}}, {1, 0, 0}),
                                           rigid("b", Box{{0.4, -0.05, -0.1}, {0.6, 0.2, 0.1}}, {-2, 0, 0}),
                                           body("c", Box{{-0.6, 0, -0.1}, {-0.4, 0.2, 0.1}}, {3, 0, 0})}));
    struct Sum {
        Vec3d p, l;
        double energy = 0;
    };
    const auto total = [&] {
        Sum sum;
        const ParticleTable& t = sim.particles();
        for (Index i = 0; i < t.size(); ++i) {
            const Vec3d p = double{t.mass[i]} * to_double(t.velocity[i]);
            sum.p += p;
            sum.l += cross(to_double(t.position[i]), p);
            sum.energy += 0.5 * norm2(p) / double{t.mass[i]};
        }
        return sum;
    };
    const Sum before = total();
    const double end = 0.5;
    while (sim.clock().time < end) sim.step(end);
    const Sum after = total();
    CHECK(norm(sim.rigid().bodies()[0].angular_velocity()) > 0.5);  // they did meet
    CHECK(norm(after.p - before.p) < 1e-5 * std::sqrt(before.energy * 30));
    // Velocities of the elastic one are half a step behind its positions.
    CHECK(norm(after.l - before.l) < 1e-3 * norm(before.l) + 1e-3);
    CHECK(after.energy < before.energy);
}
