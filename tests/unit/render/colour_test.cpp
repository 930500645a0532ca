#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "core/error.h"
#include "render/colour_map.h"
#include "render/survey.h"

using namespace thixo;

namespace {

float luminance(const Rgb& c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }

}  // namespace

TEST_CASE("sequential colour maps grow lighter all the way") {
    for (const char* name : {"viridis", "inferno", "thermal", "water"}) {
        CAPTURE(name);
        const ColourMap map = ColourMap::named(name);
        float last = -1;
        for (int i = 0; i <= 100; ++i) {
            const float now = luminance(map(static_cast<float>(i) / 100));
            CHECK(now > last);
            last = now;
        }
    }
}

TEST_CASE("the diverging map is lightest in the middle") {
    const ColourMap map = ColourMap::named("coolwarm");
    CHECK(luminance(map(0.5f)) > 2 * luminance(map(0)));
    CHECK(luminance(map(0.5f)) > 2 * luminance(map(1)));
}

TEST_CASE("any value has a colour") {
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    ColourScale scale{ColourMap::named("viridis"), 2, 4};
    CHECK(scale(3) == scale.map(0.5f));
    CHECK(scale(-inf) == scale.map(0));
    CHECK(scale(inf) == scale.map(1));
    CHECK(is_finite(scale(nan)));
    scale.max = 2;
    CHECK(is_finite(scale(2)));
    const ColourScale categories{.map = ColourMap::categories()};
    CHECK(categories(1) == categories(31));
    CHECK(categories(1) != categories(2));
    CHECK(is_finite(categories(nan)));
    CHECK(is_finite(categories(-3)));
}

TEST_CASE("an unknown colour map is refused with the list of those that exist") {
    try {
        ColourMap::named("jet");
        FAIL("accepted");
    } catch (const InputError& error) {
        CHECK(std::string(error.what()).find("viridis, inferno") != std::string::npos);
    }
}

TEST_CASE("outliers decide neither the colour range nor the framing") {
    std::vector<float> values(1000), radius(1000, 0.1f);
    std::vector<Vec3f> position(1000);
    for (std::size_t i = 0; i < 1000; ++i) {
        values[i] = static_cast<float>(i % 100) / 100;
        position[i] = {values[i], 0.5f * values[i], static_cast<float>(i) / 1000};
    }
    values[7] = 1e9f;
    values[8] = std::numeric_limits<float>::quiet_NaN();
    position[7].y = -1e6f;
    ValueSurvey survey;
    survey.add(values);
    CHECK(survey.robust_range().max < 1.1);
    CHECK(subject_bounds(position, radius).min.y > -2);
    CHECK(subject_bounds(position, radius).max.x == doctest::Approx(1.09));
    position[7].y = -1;  // one drop is twice as far as all others reach
    CHECK(subject_bounds(position, radius).min.y > -0.3);
}

TEST_CASE("thirty categories have colours that the eye tells apart") {
    const ColourMap map = ColourMap::categories();
    const auto encoded = [](const Rgb& c) {
        return Vec3f{srgb_encode(c.x), srgb_encode(c.y), srgb_encode(c.z)};
    };
    for (std::size_t a = 0; a < ColourMap::category_count; ++a)
        for (std::size_t b = 0; b < a; ++b) {
            INFO(a, " ", b);
            CHECK(norm(encoded(map.category(a)) - encoded(map.category(b))) > 0.1f);
        }
}
