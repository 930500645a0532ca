#include <doctest/doctest.h>

#include <optional>

#include "physics/heat.h"

using namespace thixo;

namespace {

constexpr double c = 2000, latent = 1e5, melting = 60, power = 1e7;

/// Wax that is heated evenly.
struct Bath {
    explicit Bath(double freezing) {
        const double spacing = 0.01;
        Material wax = conductor("wax", 1000, c);
        wax.heat.melting_point = melting;
        wax.heat.freezing_point = freezing;
        wax.heat.latent_heat = latent;
        Model model = weightless(2, spacing, wax);
        model.heaters = {{.name = "heater", .region = Box{{-1, -1, -1}, {1, 1, 1}}, .power = power}};
        Object block = at_temperature(Box{{0, 0, 0}, {0.08, 0.08, 0}}, "wax", 20, Phase::elastic);
        sim.emplace(model, populate(model, {block}));
        mass = gather_statistics(*sim).mass;
    }
    double mean_temperature_after(double seconds) {
        REQUIRE(sim->advance_frame(seconds, never));
        return gather_statistics(*sim).t_mean;
    }

    std::optional<Simulation> sim;
    double mass = 0;
};

}  // namespace

TEST_CASE("what melts stays at its melting point until it has taken up its latent heat") {
    Bath bath(melting);
    const double to_melting = bath.mass * c * (melting - 20) / power, plateau = bath.mass * latent / power;
    CHECK(bath.mean_temperature_after(0.99 * to_melting) ==
          doctest::Approx(20 + 0.99 * (melting - 20)).epsilon(1e-4));
    for (const double fraction : {0.01, 0.5, 0.99}) {
        CHECK(bath.mean_temperature_after(to_melting + fraction * plateau) ==
              doctest::Approx(melting).epsilon(1e-6));
        const double taken = bath.sim->particles().latent[0];
        CHECK(taken == doctest::Approx(fraction * latent).epsilon(1e-3));
    }
    const double beyond = 0.1 * plateau;
    CHECK(bath.mean_temperature_after(to_melting + plateau + beyond) ==
          doctest::Approx(melting + power * beyond / (bath.mass * c)).epsilon(1e-4));
}

TEST_CASE("between two points it takes it up in proportion") {
    Bath bath(50);
    const double warming = bath.mass * c * (50 - 20) / power, melts = bath.mass * (c * 10 + latent) / power;
    CHECK(bath.mean_temperature_after(warming + 0.3 * melts) == doctest::Approx(53).epsilon(1e-4));
    CHECK(bath.mean_temperature_after(warming + 0.8 * melts) == doctest::Approx(58).epsilon(1e-4));
}
