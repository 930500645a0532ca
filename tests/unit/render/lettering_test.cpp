#include <doctest/doctest.h>

#include <algorithm>

#include "render/contact_sheet.h"
#include "render/font.h"
#include "render/legend.h"

using namespace thixo;

namespace {

struct Extent {
    int left = 1 << 20, right = -1, top = 1 << 20, bottom = -1;
};

Image blank(int width, int height) {
    Image image(width, height);
    image.fill({1, 1, 1});
    return image;
}

Extent painted(const Image& image) {
    Extent extent;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            if (image.at(x, y)[0] > 200) continue;
            extent = {std::min(extent.left, x), std::max(extent.right, x), std::min(extent.top, y),
                      std::max(extent.bottom, y)};
        }
    }
    return extent;
}

}  // namespace

TEST_CASE("text stands on its baseline and is as wide as it says") {
    Image image = blank(400, 60);
    draw_text(image, 20, 40, "Hx0 m", {.height = 20});
    const Extent e = painted(image);
    CHECK(e.left == doctest::Approx(19).epsilon(0.06));
    CHECK(e.right == doctest::Approx(20 + text_width("Hx0 m", 20)).epsilon(0.02));
    CHECK(e.top == doctest::Approx(19).epsilon(0.1));
    CHECK(e.bottom == doctest::Approx(42).epsilon(0.06));
}

TEST_CASE("every printable letter leaves a different mark") {
    std::vector<std::vector<std::uint8_t>> seen;
    for (char c = '!'; c <= '~'; ++c) {
        if (c == '`' || c == '^' || c == '{' || c == '}' || c == '~' || c == '$' || c == '@') continue;
        CAPTURE(c);
        Image image = blank(40, 40);
        draw_text(image, 8, 30, std::string(1, c), {.height = 20});
        CHECK(painted(image).right > 0);
        CHECK(std::find(seen.begin(), seen.end(), image.pixels) == seen.end());
        seen.push_back(image.pixels);
    }
}

TEST_CASE("broken UTF-8 and letters outside the picture do no harm") {
    Image image = blank(30, 20);
    draw_text(image, -50, 200, "outside", {.height = 10, .halo = 0.5f});
    draw_text(image, 5, 15, "\xc2", {.height = 10});
    draw_text(image, 5, 15, "\xff\xff\xf0", {.height = 10});
    CHECK(text_width("", 10) == 0);
}

TEST_CASE("the legend stays inside the picture and inside its width") {
    ColourScale colours{.min = -0.5f, .max = 1234.5f};
    const Legend legend{"temperature", "°C", {}, {}};
    for (const int height : {90, 360, 720}) {
        Image image = blank(16 * height / 9, height);
        const float letter = lettering_height(height);
        draw_legend(image, legend, colours, letter);
        const Extent e = painted(image);
        CHECK(e.left >= static_cast<float>(image.width) - legend_width(legend, colours, letter));
        CHECK(e.right < image.width - 2);
        CHECK(e.top > 0);
        CHECK(e.bottom < height - 2);
    }
    colours.map = ColourMap::categories();
    Image image = blank(640, 360);
    draw_legend(image, {"phase", "", {"liquid", "rigid"}, {0, 2}}, colours, lettering_height(360));
    CHECK(painted(image).right < 638);
}

TEST_CASE("ticks are round numbers inside the range") {
    CHECK(tick_labels(nice_ticks(0, 3.5)) == std::vector<std::string>{"0", "1", "2", "3"});
    CHECK(tick_labels(nice_ticks(-0.11, 0.12)) ==
          std::vector<std::string>{"-0.10", "-0.05", "0.00", "0.05", "0.10"});
    CHECK(nice_ticks(990, 1010).front() == doctest::Approx(990));
    CHECK(tick_labels(nice_ticks(5, 5)) == std::vector<std::string>{"5"});
    CHECK(tick_labels(nice_ticks(0, 3e7)).back() == "3e+07");
    const Range range = nice_range(0.013, 2.87);
    CHECK(range.min == doctest::Approx(0));
    CHECK(range.max == doctest::Approx(3));
    CHECK(nice_range(20, 20).min < 20);
    CHECK(nice_range(0, 0).max > 0);
}

TEST_CASE("a contact sheet shows evenly chosen frames") {
    CHECK(evenly_chosen(10, 4) == std::vector<std::size_t>{0, 3, 6, 9});
    CHECK(evenly_chosen(3, 12) == std::vector<std::size_t>{0, 1, 2});
    CHECK(evenly_chosen(5, 1) == std::vector<std::size_t>{0});
    CHECK(evenly_chosen(0, 3).empty());
    std::vector<ContactSheetEntry> entries(5, {blank(64, 36), "t = 0.00 s"});
    const Image page = contact_sheet(entries, "title", {"speed", "m/s", {}, {}}, {});
    CHECK(page.width > 3 * 64);
    CHECK(page.height > 2 * 36);
}
