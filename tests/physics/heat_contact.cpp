#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "physics/heat.h"

using namespace thixo;

namespace {

constexpr double hot = 100, cold = 0;

/// Two blocks of different conductivity and heat capacity are put together at x = 0. While neither feels its
/// far end, the temperature where they meet is (e₁T₁ + e₂T₂)/(e₁ + e₂) with the effusivities e = √(k ρ c),
/// and errors of T on either side are those of the error function.
void touch(int dimensions, Phase phase) {
    const double spacing = pick(0.001, 0.0005), time = 0.4, length = 0.03;
    const Material left = conductor("left", 100), right = conductor("right", 10, 500);
    Model model = weightless(dimensions, spacing, left);
    model.materials.push_back(right);
    const double side = 5 * spacing;
    Simulation sim(
        model, populate(model, {at_temperature(Box{{-length, 0, 0}, {0, side, side}}, "left", hot, phase),
                                at_temperature(Box{{0, 0, 0}, {length, side, side}}, "right", cold, phase)}));
    REQUIRE(sim.advance_frame(time, never));

    const auto effusivity = [](const Material& m) {
        return std::sqrt(m.heat.conductivity * m.density * m.heat.specific_heat);
    };
    const double e1 = effusivity(left), e2 = effusivity(right), met = (e1 * hot + e2 * cold) / (e1 + e2);
    const ParticleTable& p = sim.particles();
    double sum = 0, at_face[2] = {0, 0}, count[2] = {0, 0};
    for (Index i = 0; i < p.size(); ++i) {
        const int k = p.material[i];
        const Material& m = model.materials[static_cast<std::size_t>(k)];
        const double alpha = m.heat.conductivity / (m.density * m.heat.specific_heat), x = p.position[i].x;
        const double far = k == 0 ? hot : cold;
        const double theory = met + (far - met) * std::erf(std::abs(x) / std::sqrt(4 * alpha * time));
        sum += (p.temperature[i] - theory) * (p.temperature[i] - theory);
        if (std::abs(x) < spacing) {
            // The slope on its own side, from where it is to where they meet.
            const double slope = (far - met) / std::sqrt(std::numbers::pi * alpha * time);
            at_face[k] += p.temperature[i] - slope * std::abs(x);
            ++count[k];
        }
    }
    const double error = std::sqrt(sum / p.size()) / (hot - cold);
    INFO("error ", error, ", at the face ", at_face[0] / count[0], " and ", at_face[1] / count[1],
         ", theory ", met);
    CHECK(error < 0.02);
    for (const int k : {0, 1}) CHECK(std::abs(at_face[k] / count[k] - met) < 0.02 * (hot - cold));
}

}  // namespace

TEST_CASE("two materials in contact take the right temperature where they meet") {
    for (const int d : {2, 3}) {
        for (const Phase phase : {Phase::liquid, Phase::elastic}) touch(d, phase);
    }
}
