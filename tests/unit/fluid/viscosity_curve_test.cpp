#include <doctest/doctest.h>

#include <cmath>

#include "fluid/implicit_viscosity.h"
#include "unit/fluid/tank.h"

using namespace thixo;

TEST_CASE("viscosities are interpolated by their logarithm") {
    const ViscosityCurve curve({{800, 1000}, {1200, 10}}, 1);
    CHECK(curve.at(700) == doctest::Approx(1000));
    CHECK(curve.at(800) == doctest::Approx(1000));
    CHECK(curve.at(1000) == doctest::Approx(100));
    CHECK(curve.at(1100) == doctest::Approx(std::sqrt(1000.)));
    CHECK(curve.at(1300) == doctest::Approx(10));
}

TEST_CASE("lava at a temperature flows as a liquid of that viscosity, with every method but `artificial`") {
    for (const ViscosityMethod method : {ViscosityMethod::laplacian, ViscosityMethod::implicit}) {
        Material lava = water(7);
        lava.liquid.viscosity_table = {{0, 10}, {200, 1000}};
        const auto run = [&](const Material& material, TimeStepLimit& limit) {
            Tank tank(2, KernelName::cubic_spline, {material}, {.viscosity = method});
            Stream random(1);
            tank.fill(8, 0.1, 0.02, random);
            tank.particles.temperature.assign(tank.particles.size(), 100);
            tank.evaluate();
            ImplicitViscosity solver(1e-6, tank.discretisation());
            if (method == ViscosityMethod::implicit)
                solver.solve({1}, tank.state(), tank.fluid.friction(tank.particles),
                             tank.fluid.wall_friction(), 0.01);
            tank.fluid.limit_time_step(limit);
            return std::pair{tank.acceleration, tank.particles.velocity};
        };
        TimeStepLimit by_table, by_number;
        const auto [a, v] = run(lava, by_table);
        const auto [b, w] = run(water(100), by_number);
        for (std::size_t i = 0; i < a.size(); ++i) {
            CHECK(norm(a[i] - b[i]) <= 1e-4f * norm(b[i]));
            CHECK(norm(v[i] - w[i]) <= 1e-4f * (norm(w[i]) + 1));
        }
        CHECK(by_table.seconds == doctest::Approx(by_number.seconds).epsilon(1e-4));
    }
}
