#include "render/optics.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace thixo;

TEST_CASE(
    "looks follow from names: water is clear and blue, ice freezes from it, chocolate is brown, lava glows") {
    const Material water{.name = "salt water"};
    const Optics liquid = optics_of(look_of(water, false, 0), 1),
                 frozen = optics_of(look_of(water, true, 0), 1);
    CHECK(liquid.clear);
    CHECK(liquid.absorption.x > 2 * liquid.absorption.y);  // red goes first; green must stay below blue
    CHECK(liquid.absorption.y > liquid.absorption.z);
    CHECK(frozen.clear);
    CHECK(frozen.scattering > 0);
    const Optics chocolate = optics_of(look_of({.name = "brown chocolate"}, true, 0), 1);
    CHECK_FALSE(chocolate.clear);
    CHECK(chocolate.colour.x > 2 * chocolate.colour.z);
    const Optics white = optics_of(look_of({.name = "white chocolate"}, true, 0), 1);
    CHECK(white.colour.z > 0.3f);
    CHECK(optics_of(look_of({.name = "basalt"}, true, 0), 1).glow > 0);
}

TEST_CASE("solids and liquids of a material never look the same") {
    for (const char* name : {"water", "ice", "wax", "chocolate", "stuff", "honey", "rubber", "clay"})
        for (const std::size_t number : {0u, 1u, 9u}) {
            Material material{.name = name};
            material.heat.melting_point = 40;
            const Optics a = optics_of(look_of(material, false, number), 1),
                         b = optics_of(look_of(material, true, number), 1);
            INFO(name);
            const bool differs = a.clear != b.clear || norm(a.colour - b.colour) > 0.01f ||
                                 a.scattering != b.scattering || a.roughness != b.roughness;
            CHECK(differs);
        }
}

TEST_CASE("what a scene says overrides the preset, and the phase may choose") {
    Material material{.name = "stuff"};
    material.look.both.preset = LookPreset::wax;
    material.look.both.colour = Vec3d{1, 0, 0};
    material.look.liquid = LookSettings{.preset = LookPreset::tea, .depth = 0.5};
    CHECK(optics_of(look_of(material, true, 0), 1).colour == Rgb{1, 0, 0});
    const Optics tea = optics_of(look_of(material, false, 0), 1);
    CHECK(tea.clear);
    // The colour is what is left of white light behind the given depth.
    CHECK(std::exp(-tea.absorption.x * 0.5f) == doctest::Approx(srgb_decode(0xb5 / 255.0f)).epsilon(1e-3));
}

TEST_CASE("black bodies: Planck's ratio of two temperatures, red before yellow, dark when cold") {
    CHECK(black_body(20) == Rgb{});
    const double c2 = 1.4388e7, a = 1100 + 273.15, b = 900 + 273.15;
    const double wanted = std::expm1(c2 / (610 * b)) / std::expm1(c2 / (610 * a));
    CHECK(black_body(1100).x / black_body(900).x == doctest::Approx(wanted).epsilon(1e-4));
    CHECK(black_body(1000).x > 3 * black_body(1000).y);
    CHECK(black_body(2000).y / black_body(2000).x > black_body(1000).y / black_body(1000).x);
}
