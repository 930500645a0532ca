#include <doctest/doctest.h>

#include <cmath>

#include "unit/heat/tray.h"

using namespace thixo;

namespace {

HeatConstants any_constants() {
    const double freezing = any_real(-50, 50), width = *rc::gen::arbitrary<bool>() ? 0 : any_real(0.1, 20);
    return HeatConstants(melting_wax(1, freezing, freezing + width, any_real(0, 3e5)));
}

}  // namespace

TEST_CASE("temperature and latent heat follow from the heat content") {
    CHECK(rc::check([] {
        const HeatConstants m = any_constants();
        const double h = any_real(-3e5, 6e5);
        const HeatContent content = m.split(h);
        RC_ASSERT(std::abs(m.c * content.temperature + content.latent - h) < 1e-9 * 1e6);
        RC_ASSERT(content.latent >= 0 && content.latent <= m.latent);
        if (content.temperature < m.freezing) RC_ASSERT(content.latent == 0);
        if (content.temperature > m.melting) RC_ASSERT(content.latent == m.latent);
        // More heat, higher or equal temperature, as `warming` says.
        const double more = 1e-3, rise = m.split(h + more).temperature - content.temperature;
        RC_ASSERT(rise >= -1e-9);
        if (m.warming(h) == m.warming(h + more)) RC_ASSERT(std::abs(rise - more * m.warming(h)) < 1e-9);
    }));
}

TEST_CASE("matter is made with the latent heat of its temperature") {
    const HeatConstants mush(melting_wax(1, 50, 60, 1000)), sharp(melting_wax(1, 60, 60, 1000));
    CHECK(mush.latent_at(49, Phase::liquid) == 0);
    CHECK(mush.latent_at(52, Phase::elastic) == doctest::Approx(200));
    CHECK(mush.latent_at(61, Phase::elastic) == 1000);
    CHECK(sharp.latent_at(60, Phase::elastic) == 0);
    CHECK(sharp.latent_at(60, Phase::liquid) == 1000);
    CHECK(HeatConstants(wax()).latent_at(500, Phase::liquid) == 0);
    // Without a freezing point it is the melting point.
    Material plain = wax();
    plain.heat.melting_point = 40;
    CHECK(HeatConstants(plain).freezing == 40);
}

TEST_CASE("a diffusivity stands for a conductivity") {
    Material material = wax(0);
    material.heat.diffusivity = 1e-7;
    CHECK(HeatConstants(material).k == doctest::Approx(1e-7 * 1000 * 2000));
}

TEST_CASE("columns keep small portions of heat") {
    Tray tray(3, {melting_wax(1, 60, 60, 1e5)});
    tray.add({0, 0, 0}, 900);
    const std::vector<HeatConstants> constants{HeatConstants(tray.materials[0])};
    ParticleTable& p = tray.particles;
    const HeatColumns heat{constants, p.material, p.temperature, p.latent, p.heat_low};
    const double before = heat[0], portion = 1e-4;  // J/kg; the temperature's last digit is 0.12 J/kg
    for (int k = 0; k < 10000; ++k) heat.set(0, heat[0] + portion);
    CHECK(std::abs(heat[0] - before - 10000 * portion) < 1e-3);
}
