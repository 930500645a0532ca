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

namespace {

/// CIE L*a*b* of linear sRGB.
Vec3d lab(const Rgb& c) {
    const double x = 0.4124 * c.x + 0.3576 * c.y + 0.1805 * c.z,
                 y = 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z,
                 z = 0.0193 * c.x + 0.1192 * c.y + 0.9505 * c.z;
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    return {116 * f(y) - 16, 500 * (f(x / 0.9505) - f(y)), 200 * (f(y) - f(z / 1.089))};
}

/// A difference of colours that everybody sees: three of those that are just noticed.
constexpr double plain_to_see = 3 * 2.3;

void check_phases_differ(const Material& material, std::size_t number) {
    const Optics liquid = optics_of(look_of(material, false, number), 1),
                 solid = optics_of(look_of(material, true, number), 1);
    INFO(material.name, " ", number);
    const bool coloured = norm(lab(liquid.colour) - lab(solid.colour)) > plain_to_see;
    if (liquid.clear && solid.clear)  // One of the two is cloudy, or they are tinted otherwise.
        CHECK((std::abs(liquid.scattering - solid.scattering) > 0.5f || coloured));
    else if (liquid.clear == solid.clear && liquid.glow == 0)
        CHECK(coloured);
}

}  // namespace

TEST_CASE("solids and liquids of a material that melts never have the same colour") {
    Material material;
    material.heat.melting_point = 40;
    for (const char* name : {"water",  "ice",   "tea",    "wax",   "chocolate", "white chocolate",
                             "stuff",  "honey", "rubber", "clay",  "jelly",     "goo",
                             "butter", "duck",  "rock",   "paint", "glass",     "steel",
                             "gold",   "lava",  "oil",    "ivory", "wood",      "cork"})
        for (std::size_t number = 0; number < 10; ++number) {
            material.name = name;
            check_phases_differ(material, number);
        }
}

TEST_CASE("a colour that is given for both phases is that of the solid, and the liquid has another one") {
    Material material{.name = "stuff"};
    for (const LookPreset preset :
         {LookPreset::automatic, LookPreset::wax, LookPreset::chocolate, LookPreset::clay, LookPreset::rubber,
          LookPreset::stone, LookPreset::jelly, LookPreset::tea, LookPreset::water})
        for (int k = 0; k < 125; ++k) {
            const Vec3d colour{0.25 * (k % 5), 0.25 * (k / 5 % 5), 0.25 * (k / 25)};
            material.look.both = {.preset = preset, .colour = colour};
            material.heat.melting_point = 40;
            check_phases_differ(material, 0);
            if (preset == LookPreset::jelly || preset == LookPreset::tea || preset == LookPreset::water)
                continue;
            CHECK(*look_of(material, true, 0).colour == colour);
            // Of what never melts there is one phase, in the given colour.
            material.heat.melting_point = {};
            CHECK(*look_of(material, false, 0).colour == colour);
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

TEST_CASE("names count by whole words, in whatever way these are joined") {
    const auto preset = [](const char* name) { return look_of({.name = name}, true, 0).preset; };
    CHECK(preset("ice") == LookPreset::ice);
    CHECK(preset("crushed_ice") == LookPreset::ice);
    CHECK(preset("darkChocolate2") == LookPreset::chocolate);
    CHECK(preset("White-Chocolate") == LookPreset::wax);
    CHECK(preset("ducks") == LookPreset::rubber);
    // Parts of words: ice, tea, rock, oil, gold, iron, lead.
    for (const char* name :
         {"juice", "rice", "steam", "rocket", "soil", "marigolds", "environment", "leader", "jüteaö"})
        CHECK_MESSAGE(preset(name) == preset("stuff"), name);
}
