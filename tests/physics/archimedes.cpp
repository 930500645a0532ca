#include <doctest/doctest.h>

#include <cmath>

#include "physics/methods.h"
#include "physics/rigid.h"
#include "physics/water_level.h"

using namespace thixo;

namespace {

/// A block twice as wide as high, so that it floats upright, in a 2D tank.
struct Tank {
    Model model;
    std::vector<Object> objects;
    double width = 0.8, depth = 0.4, length = 0.4, height = 0.2;

    Tank(const Method& method, double density, double spacing, double immersed)
        : model(weightless(2, spacing, liquid(20, 2))) {
        model.gravity = {0, -9.81, 0};
        method.choose(model.solver);
        model.materials.push_back(wood(density));
        model.materials[1].liquid.viscosity = 2;
        model.obstacles = {
            {.name = "tank", .shape = Box{{-width / 2, 0, 0}, {width / 2, 2, 0}}, .inside = true}};
        const double low = depth - immersed * height;
        objects = {rigid("block", Box{{-length / 2, low, 0}, {length / 2, low + height, 0}}),
                   filled(Box{{-width / 2, 0, 0}, {width / 2, depth, 0}})};
    }
};

}  // namespace

TEST_CASE("rigid blocks float with as much of them under water as they weigh") {
    for (const double spacing : {0.025, pick(0.02, 0.0125)}) {
        for (const Method& method : methods_of_solids()) {
            for (const double fraction : {0.25, 0.5, 0.75}) {
                // Every method at one density, those that cover all choices at the others; the finer spacing
                // at one.
                if (!full_size() &&
                    !(spacing == 0.025 ? fraction == 0.5 || method.covers : fraction == 0.5 && method.covers))
                    continue;
                // It starts a tenth too high and has to find its depth.
                const Tank tank(method, 1000 * fraction, spacing, fraction - 0.1);
                Simulation sim(tank.model, populate(tank.model, tank.objects));
                // It bobs with about 2π √(draught/g), up to 0.8 s: the mean over two periods. Those over one
                // scatter by half a percent if the start is a tenth of a spacing higher or lower.
                const double from = pick(1.4, 3.0), end = pick(3.0, 5.0);
                double sum = 0;
                int count = 0;
                while (sim.clock().time < end) {
                    sim.step(end);
                    if (sim.clock().time < from) continue;
                    const double low = sim.rigid().bodies()[0].center.y - 0.5 * tank.height;
                    const double level = water_level(sim.particles(), tank.model, census(sim.particles(), 0),
                                                     0.5 * tank.width, 0.5 * tank.depth);
                    sum += (level - low) / tank.height;
                    ++count;
                }
                INFO(std::string(method.name), ", spacing ", spacing, ", density ", 1000 * fraction, ": ",
                     100 * sum / count, " % under water");
                CHECK(std::abs(sum / count - fraction) < 0.03 * fraction * method.leeway());
            }
        }
    }
}

TEST_CASE("a rigid block that is heavier than water sinks") {
    std::vector<Method> tried = covering_methods();
    tried.push_back(fast_preset);
    for (const Method& method : tried) {
        const Tank tank(method, 2000, 0.025, 0.5);
        Simulation sim(tank.model, populate(tank.model, tank.objects));
        const double end = 1.5;
        while (sim.clock().time < end) sim.step(end);
        // A layer of water stays caught beneath it for a while.
        INFO(std::string(method.name));
        CHECK(census(sim.particles(), 0).low.y < 2 * 0.025);
    }
}
