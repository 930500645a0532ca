#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "physics/heat.h"

using namespace thixo;

namespace {

constexpr double diffusivity = 1e-4, cold = 20, hot = 100, melting = 50;
constexpr double length = 0.06, side = 0.012;  ///< m

/// A cold slab whose end at x = 0 is put to a hot wall. Without latent heat the front is the isotherm of the
/// melting point:
///
///     T = hot + (cold − hot) erf(x/√(4αt)) = T_m   ⇒   x = √(4αt) erf⁻¹((hot − T_m)/(hot − cold))
struct Slab {
    Slab(double spacing, ColdState state) {
        Material wax = conductor("wax", diffusivity * 1e6);
        wax.heat.melting_point = melting;
        wax.solid.cold = state;
        Model model = weightless(2, spacing, wax);
        model.obstacles = {{.name = "wall", .shape = Plane{{0, 0, 0}, {1, 0, 0}}, .temperature = hot},
                           {.name = "below", .shape = Plane{{0, 0, 0}, {0, 1, 0}}},
                           {.name = "above", .shape = Plane{{0, side, 0}, {0, -1, 0}}}};
        const Phase phase = state == ColdState::rigid ? Phase::rigid : Phase::elastic;
        sim.emplace(model,
                    populate(model, {at_temperature(Box{{0, 0, 0}, {length, side, 0}}, "wax", cold, phase)}));
    }
    /// m; all that is liquid, side by side
    double front() const {
        const ParticleTable& p = sim->particles();
        const auto liquid = std::count(p.phase.begin(), p.phase.end(), Phase::liquid);
        return length * static_cast<double>(liquid) / p.size();
    }
    std::optional<Simulation> sim;
};

double isotherm(double time) {
    // erf⁻¹(0.625), by bisection
    const double fraction = (hot - melting) / (hot - cold);
    double low = 0, high = 3;
    for (int k = 0; k < 60; ++k) (std::erf(0.5 * (low + high)) < fraction ? low : high) = 0.5 * (low + high);
    return low * std::sqrt(4 * diffusivity * time);
}

}  // namespace

TEST_CASE("the front of melting is the isotherm of the heat equation") {
    for (const ColdState state : {ColdState::elastic, ColdState::rigid}) {
        const double spacing = pick(0.0015, 0.00075);
        Slab slab(spacing, state);
        for (const double time : {0.2, 0.6, 1.2}) {
            REQUIRE(slab.sim->advance_frame(time, never));
            CAPTURE(time);
            CAPTURE(static_cast<int>(state));
            INFO("front at ", slab.front(), ", isotherm at ", isotherm(time));
            // Particles melt one layer at a time: half a spacing, and what conduction itself is wrong by, 1
            // %.
            CHECK(std::abs(slab.front() - isotherm(time)) < 0.5 * spacing + 0.01 * isotherm(time));
            // What melted is next to the wall, and nothing else.
            const ParticleTable& p = slab.sim->particles();
            float last_liquid = 0, first_solid = 1;
            for (Index i = 0; i < p.size(); ++i) {
                float& edge = p.phase[i] == Phase::liquid ? last_liquid : first_solid;
                edge = p.phase[i] == Phase::liquid ? std::max(edge, p.position[i].x)
                                                   : std::min(edge, p.position[i].x);
            }
            CHECK(last_liquid < first_solid);
        }
    }
}
