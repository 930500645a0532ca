#include "render/image.h"

#include <doctest/doctest.h>

#include <algorithm>

#include <cmath>

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

using namespace thixo;

TEST_CASE("a PNG decodes to the same pixels") {
    Image image(37, 19);
    for (std::size_t i = 0; i < image.pixels.size(); ++i)
        image.pixels[i] = static_cast<std::uint8_t>(i * 7 % 251);
    const auto bytes = encode_png(image);
    int width = 0, height = 0, channels = 0;
    stbi_uc* decoded =
        stbi_load_from_memory(bytes.data(), static_cast<int>(bytes.size()), &width, &height, &channels, 3);
    REQUIRE(decoded != nullptr);
    CHECK(width == 37);
    CHECK(height == 19);
    CHECK(channels == 3);
    CHECK(std::equal(image.pixels.begin(), image.pixels.end(), decoded));
    stbi_image_free(decoded);
}

TEST_CASE("notes in a PNG do not change its pixels") {
    Image image(5, 4);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<std::uint8_t>(4 * i);
    const auto bytes = encode_png(image, {{"Title", "melt"}, {"Comment", "thixo render 'out/Käse'"}});
    int width = 0, height = 0, channels = 0;
    stbi_uc* decoded =
        stbi_load_from_memory(bytes.data(), static_cast<int>(bytes.size()), &width, &height, &channels, 3);
    REQUIRE(decoded != nullptr);
    CHECK(std::equal(image.pixels.begin(), image.pixels.end(), decoded));
    stbi_image_free(decoded);
    const std::string text(bytes.begin(), bytes.end());
    CHECK(text.find(std::string("tEXtTitle\0melt", 14)) == 37);  // behind the length that follows the header
    CHECK(text.find(std::string("iTXtComment\0\0\0\0\0thixo", 21)) != std::string::npos);
}

TEST_CASE("sRGB goes there and back") {
    for (int i = 0; i <= 255; ++i) {
        const float encoded = static_cast<float>(i) / 255;
        CHECK(srgb_encode(srgb_decode(encoded)) == doctest::Approx(encoded).epsilon(1e-4));
    }
    CHECK(srgb_encode(-1) == 0);
}

TEST_CASE("resizing keeps the mean light") {
    Image checker(40, 20);
    for (int y = 0; y < 20; ++y) {
        for (int x = 0; x < 40; ++x) {
            for (int c = 0; c < 3; ++c) checker.at(x, y)[c] = (x + y) % 2 ? 255 : 0;
        }
    }
    const Image grey = resized(checker, 20, 10);
    CHECK(grey.at(7, 3)[1] == std::lround(255 * srgb_encode(0.5f)));
    const Image odd = resized(checker, 7, 3);
    CHECK(std::abs(odd.at(3, 1)[1] - std::lround(255 * srgb_encode(0.5f))) < 6);
}

TEST_CASE("pasting is clipped at the edges") {
    Image page(10, 10), stamp(6, 6);
    stamp.fill({1, 1, 1});
    page.paste(stamp, -3, -3);
    page.paste(stamp, 8, 8);
    page.paste(stamp, 50, 50);
    page.paste(stamp, -50, 2);
    CHECK(page.at(2, 2)[0] == 255);
    CHECK(page.at(3, 3)[0] == 0);
    CHECK(page.at(9, 9)[0] == 255);
    page.cover(-1, 3, {1, 1, 1}, 1);
    page.cover(3, 10, {1, 1, 1}, 1);
}
