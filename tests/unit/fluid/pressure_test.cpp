#include <doctest/doctest.h>

#include <cmath>

#include "unit/core/near.h"
#include "unit/fluid/tank.h"

using namespace thixo;

namespace {

/// Pressure of water (ρ₀ = 1000 kg/m³, c = 20 m/s) at a compression.
double pressure_at(double s, PressureMethod law, bool tension = false) {
    Tank tank(3, KernelName::wendland_c2, {water()}, {.pressure = law, .tension = tension, .dfsph = {}});
    tank.add({});
    tank.particles.density[0] = static_cast<float>(1000 * s);
    tank.fluid.compute_pressure({1}, tank.particles);
    return tank.particles.pressure[0];
}

constexpr double stiffness = 1000 * 20 * 20;  ///< ρ₀c², Pa
constexpr double rounding = 2e-7 * stiffness;
constexpr PressureMethod laws[] = {PressureMethod::state_equation, PressureMethod::tait};

}  // namespace

TEST_CASE("pressure grows from nothing at rest with the square of the speed of sound") {
    for (const PressureMethod law : laws) {
        CHECK(pressure_at(1, law) == 0);
        const double step = 0.01, rise = pressure_at(1 + step, law, true) - pressure_at(1 - step, law, true);
        // Central differences err by step²/6 of the third derivative, which is 30 ρ₀c² for Tait.
        CHECK(rise / (2 * step * 1000) == near(400, 5 * step * step + 2e-5));
    }
}

TEST_CASE("both laws of pressure agree to first order, and are what they are called") {
    CHECK(rc::check([] {
        const double strain = any_real(-0.3, 0.3), s = static_cast<float>(1000 * (1 + strain)) / 1000.0;
        const double linear = pressure_at(s, PressureMethod::state_equation, true);
        const double tait = pressure_at(s, PressureMethod::tait, true);
        RC_ASSERT(std::abs(linear - stiffness * (s - 1)) <= rounding);
        // Seven factors, each rounded, of up to 1.3⁷ in all.
        RC_ASSERT(std::abs(tait - stiffness * (std::pow(s, 7) - 1) / 7) <= 7 * rounding);
        // (s⁷ − 1)/7 − (s − 1) = 3 (s − 1)² + 5 (s − 1)³ + …
        if (std::abs(s - 1) < 0.05)
            RC_ASSERT(std::abs(tait - linear) <= 3.5 * stiffness * (s - 1) * (s - 1) + 8 * rounding);
    }));
}

TEST_CASE("fluid does not pull, unless tension is allowed") {
    for (const PressureMethod law : laws) {
        for (const double s : {0.3, 0.9, 0.999}) {
            CHECK(pressure_at(s, law) == 0);
            CHECK(pressure_at(s, law, true) < 0);
        }
        for (const double s : {1.0, 1.001, 1.2}) CHECK(pressure_at(s, law) == pressure_at(s, law, true));
    }
}
