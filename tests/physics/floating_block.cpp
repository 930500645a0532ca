#include <doctest/doctest.h>

#include <cmath>

#include "physics/bodies.h"
#include "physics/methods.h"

using namespace thixo;

namespace {

struct Setting {
    Model model;
    std::vector<Object> objects;
    double height, depth;  ///< of the block, and of the water it is in
};

/// A block half as heavy as water, in a 2D tank.
Setting tank(const Method& method) {
    const double spacing = pick(0.02, 0.01), width = 0.8, block = 0.3, depth = 0.4;
    Setting out{weightless(2, spacing, liquid(20, 2)), {}, block, depth};
    out.model.gravity = {0, -9.81, 0};
    method.choose(out.model.solver);
    out.model.materials.push_back(rubber(1e5, 500));
    out.model.materials[1].liquid.viscosity = 2;
    out.model.obstacles = {
        {.name = "tank", .shape = Box{{-width / 2, 0, 0}, {width / 2, 2, 0}}, .inside = true}};
    const double low = depth - block / 2;
    out.objects = {body("block", Box{{-block / 2, low, 0}, {block / 2, low + block, 0}}),
                   filled(Box{{-width / 2, 0, 0}, {width / 2, depth, 0}})};
    return out;
}

}  // namespace

TEST_CASE("a block floats at the depth of Archimedes") {
    for (const Method& method : methods) {
        const Setting scene = tank(method);
        Simulation sim(scene.model, populate(scene.model, scene.objects));
        // It starts where it belongs and bobs; the mean over some swings counts.
        const double from = 1, end = pick(3.0, 5.0);
        double sum = 0, water = 0;
        int count = 0;
        while (sim.clock().time < end) {
            sim.step(end);
            if (sim.clock().time < from) continue;
            sum += census(sim.particles(), 0).center.y;
            ++count;
        }
        // The surface beside the block: particles far from it.
        for (Index i = 0; i < sim.particles().size(); ++i) {
            if (sim.particles().object[i] == 1)
                water = std::max(water, double{sim.particles().position[i].y});
        }
        const double sunk = sum / count - scene.depth;
        MESSAGE(method.name, ": block's middle ", sunk / scene.height,
                " heights above the surface; highest water ", water, " steps ", sim.clock().step);
        CHECK(std::abs(sunk) < 0.05 * scene.height);
    }
}
