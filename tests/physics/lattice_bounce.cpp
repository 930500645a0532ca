#include <doctest/doctest.h>

#include <algorithm>

#include "physics/lattice.h"
#include "sim/statistics.h"

using namespace thixo;

namespace {

/// An undamped block that hits a floor, with so much of its wave speed.
struct Impact {
    int dimensions;
    double speed;       ///< in √(E/ρ)
    double turned = 0;  ///< degrees, about z
    double spacing = 0.05;
    PressureMethod pressure = PressureMethod::state_equation;
};

}  // namespace

TEST_CASE(
    "a lattice solid that bounces has no more energy than before, during the impact and in the flight after "
    "it") {
    const double modulus = 1e6, density = 1000, wave = std::sqrt(modulus / density);
    for (const Impact& impact :
         {Impact{2, 0.06}, Impact{2, 0.25}, Impact{2, 0.5}, Impact{3, 0.1}, Impact{3, 0.25}, Impact{3, 0.45},
          Impact{2, 0.25, 20}, Impact{2, 0.1, 45}, Impact{2, 0.1, 50}, Impact{2, 0.25, 45},
          Impact{2, 0.1, 45, 0.05, PressureMethod::dfsph}, Impact{2, 0.25, 0, 0.035, PressureMethod::tait},
          Impact{2, 0.25, 7, 0.05, PressureMethod::dfsph}}) {
        Model model = weightless(impact.dimensions, impact.spacing, clay(modulus, 0, density));
        model.solver.pressure = impact.pressure;
        model.obstacles = {{.name = "floor", .shape = Plane{}, .friction = 0}};
        const double half = impact.dimensions == 2 ? 0.25 : 0.15, z = impact.dimensions == 2 ? 0 : half;
        Shape box = Box{{-half, -half, -z}, {half, half, z}};
        box.placement.rotate = Rotation({0, 0, impact.turned});
        box.placement.translate = {0, 1.5 * half, 0};
        Object object = lattice_solid(box);
        object.velocity = {0, -impact.speed * wave, 0};
        Simulation sim(model, populate(model, {object}));
        const Statistics start = gather_statistics(sim);
        double most = 0, least = start.kinetic;
        const double end = pick(10, 40) * half / (impact.speed * wave);
        for (int k = 0; sim.clock().time < end; ++k) {
            sim.step(end);
            if (k % 5 != 0) continue;
            const Statistics now = gather_statistics(sim);
            most = std::max(most, now.kinetic + now.elastic_energy);
            least = std::min(least, now.kinetic);
        }
        INFO(impact.dimensions, "D at ", impact.speed, " of the wave speed, turned by ", impact.turned,
             ": energy ", most / start.kinetic, " of that before, kinetic ", least / start.kinetic);
        CHECK(most < 1.01 * start.kinetic);
        CHECK(least < 0.6 * start.kinetic);  // it did meet the floor
        CHECK(gather_statistics(sim).momentum.y > 0);
    }
}
