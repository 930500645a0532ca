#include "render/texture.h"

#include <doctest/doctest.h>

#include "core/error.h"

using namespace thixo;

TEST_CASE("textures: v upwards, blended between the middles of pixels, repeated") {
    // Above red and green, below blue and white.
    const Texture texture({2, 2, {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255}});
    CHECK(texture.at(0.25f, 0.75f) == Rgb{1, 0, 0});
    CHECK(texture.at(0.75f, 0.75f) == Rgb{0, 1, 0});
    CHECK(texture.at(0.25f, 0.25f) == Rgb{0, 0, 1});
    CHECK(texture.at(0.75f, 0.25f) == Rgb{1, 1, 1});
    CHECK(norm(texture.at(0.5f, 0.75f) - Rgb{0.5f, 0.5f, 0}) < 1e-6f);
    CHECK(norm(texture.at(0.25f, 0.5f) - Rgb{0.5f, 0, 0.5f}) < 1e-6f);
    CHECK(texture.at(1.25f, -0.25f) == texture.at(0.25f, 0.75f));
    CHECK(norm(texture.at(0, 0.75f) - Rgb{0.5f, 0.5f, 0}) < 1e-6f);
}

TEST_CASE("pictures that are no PNG files, or damaged ones, are refused") {
    CHECK_THROWS_AS(parse_colour_image("no picture"), InputError);
    CHECK_THROWS_AS(parse_colour_image("\x89PNG\r\n\x1a\n"), InputError);
    CHECK_THROWS_AS(load_colour_image("/nowhere/skin.png"), InputError);
}
