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
    const double spacing = pick(0.025, 0.01), width = 0.8, block = 0.3, depth = 0.4;
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
    for (const Method& method : methods_of_solids()) {
        const Setting scene = tank(method);
        Simulation sim(scene.model, populate(scene.model, scene.objects));
        // It starts where it belongs and bobs; the mean over some swings counts.
        const double from = 0.4, end = pick(1.2, 5.0);
        double sum = 0;
        int count = 0;
        while (sim.clock().time < end) {
            sim.step(end);
            if (sim.clock().time < from) continue;
            sum += census(sim.particles(), 0).center.y;
            ++count;
        }
        const double sunk = sum / count - scene.depth;
        INFO(std::string(method.name), ": block's middle ", sunk / scene.height,
             " heights above the surface");
        CHECK(std::abs(sunk) < 0.05 * scene.height);
    }
}

TEST_CASE("a block and the drop that it hits keep their momentum together") {
    for (const Method& method : methods_of_solids()) {
        const double spacing = pick(0.05, 0.025);
        Model model = weightless(3, spacing, liquid(20, 0.5));
        method.choose(model.solver);
        model.solver.viscosity_error = 1e-6;  // what conjugate gradients leave is not symmetric
        model.materials.push_back(rubber(1e5, 700));
        Simulation sim(
            model, populate(model, {body("block", Box{{-0.15, 0.3, -0.15}, {0.15, 0.5, 0.15}}, {0.2, -3, 0}),
                                    filled(Sphere{{0, 0, 0}, 0.29})}));
        const Census block = census(sim.particles(), 0), drop = census(sim.particles(), 1);
        for (int k = 0; k < 200; ++k) sim.step(1e9);
        const Census hit = census(sim.particles(), 0), splash = census(sim.particles(), 1);
        INFO(std::string(method.name), ": block from ", block.momentum.y, " to ", hit.momentum.y, ", in all ",
             hit.motion + splash.motion);
        CHECK(norm(hit.momentum + splash.momentum - block.momentum - drop.momentum) <
              1e-6 * (hit.motion + splash.motion));
        CHECK(hit.momentum.y > 0.8 * block.momentum.y);
    }
}
