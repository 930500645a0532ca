#include <doctest/doctest.h>

#include <cmath>

#include "phase/phase_chance.h"

using namespace thixo;

namespace {

Material ice(int neighbours = 0, double speed = 0) {
    Material out{.name = "ice"};
    out.heat.melting_point = 10;
    out.heat.freezing_point = 0;
    out.heat.transition = PhaseTransition::stochastic;
    out.heat.melting_rate = 2;
    out.heat.freezing_rate = 0.5;
    out.heat.freezing_neighbours = neighbours;
    out.heat.freezing_speed = speed;
    return out;
}

}  // namespace

TEST_CASE("the rate of melting grows with the temperature beyond the melting point") {
    const PhaseChance chance(ice());
    CHECK(chance.acts);
    CHECK(chance.rate_of_melting(9) == 0);
    CHECK(chance.rate_of_melting(13) == 6);
    CHECK(!PhaseChance(Material{}).acts);
}

TEST_CASE("the rate of freezing grows with cold and solid neighbours, and falls with the speed past them") {
    const PhaseChance alone(ice());
    CHECK(alone.rate_of_freezing(1, {5, 0}) == 0);
    CHECK(alone.rate_of_freezing(-4, {0, 0}) == 2);
    CHECK(alone.rate_of_freezing(-4, {1, 0}) == 2);
    CHECK(alone.rate_of_freezing(-4, {3, 7}) == 6);
    const PhaseChance crowd(ice(2, 0.1));
    CHECK(crowd.rate_of_freezing(-4, {0, 0}) == 0);
    CHECK(crowd.rate_of_freezing(-4, {2, 0}) == 0);
    CHECK(crowd.rate_of_freezing(-4, {5, 0}) == 6);
    CHECK(crowd.rate_of_freezing(-4, {5, 0.1f}) == 3);
    // Warm and lonely is no reason to freeze: both factors below zero have a product above it.
    CHECK(crowd.rate_of_freezing(4, {0, 0}) == 0);
}

TEST_CASE("how many survive does not depend on the time step") {
    constexpr int particles = 4000;
    const auto rate = [](double t) { return 1 + t; };  // 1/s
    for (const double dt : {0.02, 0.1}) {
        int left = 0;
        double integral = 0;
        const auto steps = static_cast<std::uint64_t>(std::lround(1 / dt));
        for (std::uint64_t k = 0; k < steps; ++k) integral += rate((static_cast<double>(k) + 0.5) * dt) * dt;
        for (std::uint32_t id = 0; id < particles; ++id) {
            bool gone = false;
            for (std::uint64_t k = 0; k < steps && !gone; ++k)
                gone = changes_phase(static_cast<float>(rate((static_cast<double>(k) + 0.5) * dt)), dt, 7, id,
                                     k);
            left += !gone;
        }
        const double expected = particles * std::exp(-integral);
        CHECK(integral == doctest::Approx(1.5));
        // Four standard deviations of a binomial distribution.
        CHECK(std::abs(left - expected) < 4 * std::sqrt(expected * (1 - std::exp(-integral))));
    }
}
