#include <doctest/doctest.h>

#include <cmath>

#include "physics/heat.h"

using namespace thixo;

namespace {

constexpr double diffusivity = 1e-4, cold = 20, hot = 100, time = 0.5;
constexpr double length = 0.05;  ///< m; heat comes √(4αt) = 1.4 cm far

/// L2 error of the temperatures in a slab whose end at x = 0 is put to a hot wall, relative to hot − cold:
/// T = hot + (cold − hot) erf(x/√(4αt)).
double error_of_slab(int dimensions, double spacing, Phase phase, Lattice lattice) {
    Model model = weightless(dimensions, spacing, conductor("wax", diffusivity * 1e6));
    model.obstacles = {{.name = "wall", .shape = Plane{{0, 0, 0}, {1, 0, 0}}, .temperature = hot}};
    // Free on all other sides: heat must run along surfaces as it does inside.
    const double side = 6 * spacing;
    Object slab = at_temperature(Box{{0, 0, 0}, {length, side, side}}, "wax", cold, phase);
    slab.lattice = lattice;
    Simulation sim(model, populate(model, {slab}));
    REQUIRE(sim.advance_frame(time, never));
    const ParticleTable& p = sim.particles();
    double sum = 0;
    for (Index i = 0; i < p.size(); ++i) {
        const double x = p.position[i].x;
        const double theory = hot + (cold - hot) * std::erf(x / std::sqrt(4 * diffusivity * time));
        sum += (p.temperature[i] - theory) * (p.temperature[i] - theory);
    }
    return std::sqrt(sum / p.size()) / (hot - cold);
}

}  // namespace

TEST_CASE("heat enters a slab as the error function tells") {
    for (const Phase phase : {Phase::liquid, Phase::elastic}) {
        for (const int d : {2, 3}) {
            CAPTURE(d);
            CAPTURE(phase);
            const double spacing = pick(0.002, 0.001);
            const double coarse = error_of_slab(d, 2 * spacing, phase, Lattice::cubic),
                         fine = error_of_slab(d, spacing, phase, Lattice::cubic);
            INFO("error ", coarse, " and ", fine);
            CHECK(fine < 0.02);
            CHECK(fine < 0.6 * coarse);
        }
    }
}

TEST_CASE("in other lattices too") {
    for (const int d : {2, 3}) {
        const double error = error_of_slab(d, 0.002, Phase::elastic, Lattice::closest);
        CAPTURE(d);
        CHECK(error < 0.02);
    }
}
