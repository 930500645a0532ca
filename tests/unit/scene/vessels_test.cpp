#include <doctest/doctest.h>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "geometry/extent.h"
#include "scene/carving_warnings.h"
#include "scene/fill.h"
#include "support.h"

using namespace thixo;
using namespace thixo::test;

namespace {

/// A cup of the inner radius 0.1 and the height 0.2 on a bottom 0.02 thick, with walls of 0.02.
constexpr const char* cup = R"({ "difference": { "shapes": [
    { "cylinder": { "from": [0, 0, 0], "to": [0, 0.22, 0], "radius": 0.12 } },
    { "cylinder": { "from": [0, 0.02, 0], "to": [0, 1, 0], "radius": 0.1 } } ] } })";

std::string filled(const std::string& vessel, double level, const std::string& more = "") {
    return fmt::format(R"({{ "particles": {{ "spacing": 0.01 }},
        "objects": [ {{ "name": "tea", "material": "water", "shape": {{ "fill": {{ "inside": "cup", "level": {} }} }} }} ],
        "obstacles": [ {{ "name": "cup", "shape": {} {} }} ] }})",
                       level, vessel, more);
}

double volume_of(const std::string& text) {
    const Scene scene = parse_scene(text, "x.json");
    const ParticleTable particles = fill(scene, {}).particles;
    double mass = 0;
    for (const float m : particles.mass) mass += m;
    return mass / scene.model.materials.front().density;
}

}  // namespace

TEST_CASE("a liquid fills a cup to its level, and nothing of it is beside the cup") {
    const Scene scene = parse_scene(filled(cup, 0.12), "x.json");
    const Filling filling = fill(scene, {});
    const double expected = std::numbers::pi * 0.01 * 0.1;
    CHECK(extent(scene.model.objects[0].shape, 3).volume == doctest::Approx(expected).epsilon(0.03));
    CHECK(volume_of(filled(cup, 0.12)) == doctest::Approx(expected).epsilon(0.02));
    for (const Vec3f& x : filling.particles.position) {
        CHECK(std::hypot(x.x, x.z) < 0.1f);
        CHECK(x.y > 0.02f);
        CHECK(x.y < 0.12f);
    }
    CHECK(carving_warnings(scene, filling) == "");
}

TEST_CASE("vessels of any kind: a box with `inside`, a moved cup, a valley, a closed tank, 2D") {
    CHECK(volume_of(filled(R"({ "box": { "min": [0, 0, 0], "max": [0.2, 0.3, 0.2] } })", 0.1,
                           R"(, "inside": true)")) == doctest::Approx(0.004).epsilon(0.01));
    // Twice as far away at the start; the level is in the world.
    CHECK(volume_of(filled(cup, 0.62,
                           R"(, "motion": { "keyframes": [ { "time": 0, "translate": [3, 0.5, 0] } ] })")) ==
          doctest::Approx(std::numbers::pi * 0.001).epsilon(0.02));
    // A bowl y = 10 r² up to the level 0.1: π/2 · r² · h with r² = 0.01.
    CHECK(
        volume_of(filled(
            R"({ "height_field": { "formula": "10*x*x+10*z*z", "min": [-0.2, 0, -0.2], "max": [0.2, 0.3, 0.2] } })",
            0.1)) == doctest::Approx(std::numbers::pi / 2 * 0.01 * 0.1).epsilon(0.03));
    const Scene flat = parse_scene(R"({ "dimensions": 2, "particles": { "spacing": 0.01 },
        "objects": [ { "material": "water", "shape": { "fill": { "inside": "u", "level": 0.1 } } } ],
        "obstacles": [ { "name": "u", "shape": { "difference": { "shapes": [
            { "box": { "min": [-0.12, -0.02], "max": [0.12, 0.2] } }, { "box": { "min": [-0.1, 0], "max": [0.1, 1] } } ] } } } ] })",
                                   "x.json");
    double area = 0;
    for (const float m : fill(flat, {}).particles.mass) area += m / 998;
    CHECK(area == doctest::Approx(0.02).epsilon(0.01));
}

TEST_CASE("what does not hold a liquid is refused with the level it would hold") {
    CHECK(parse_message(filled(cup, 0.3))
              .find("objects.0.shape.fill: a liquid of level 0.3 m runs out of `cup`; it holds up to about "
                    "0.2") != std::string::npos);
    CHECK(parse_message(filled(cup, 0.01)).find("`cup` holds nothing below 0.01 m") != std::string::npos);
    CHECK(parse_message(filled(R"({ "plane": {} })", 0.1)).find("is unbounded and holds nothing") !=
          std::string::npos);
    CHECK(parse_message(filled(R"({ "sphere": { "center": [0, 0, 0], "radius": 1 } })", 0.1))
              .find("is no vessel") != std::string::npos);
    std::string misspelt = filled(cup, 0.1);
    misspelt.replace(misspelt.find("\"inside\": \"cup\""), 15, "\"inside\": \"cpu\"");
    CHECK(parse_message(misspelt).find("there is no obstacle \"cpu\"; did you mean \"cup\"?") !=
          std::string::npos);
    CHECK(parse_message(filled(R"({ "fill": { "inside": "cup", "level": 1 } })", 0.1))
              .find("an obstacle cannot be a fill") != std::string::npos);
}

TEST_CASE("an intersection needs one bounded part to be filled") {
    const auto scene = [](const char* shapes) {
        return fmt::format(
            R"({{ "particles": {{ "spacing": 0.05 }}, "objects": [ {{ "material": "water", "shape": {{ "intersection": {{ "shapes": [ {} ] }} }} }} ] }})",
            shapes);
    };
    const Scene half = parse_scene(
        scene(R"({ "sphere": { "center": [0, 0, 0], "radius": 1 } }, { "plane": {} })"), "x.json");
    CHECK(extent(half.model.objects[0].shape, 3).volume ==
          doctest::Approx(2 * std::numbers::pi / 3).epsilon(0.02));
    CHECK(parse_message(scene(R"({ "plane": {} }, { "plane": { "normal": [1, 0, 0] } })"))
              .find("none of its parts is bounded") != std::string::npos);
}

TEST_CASE("carving that takes more than a tenth, or cuts an object in two, is warned of") {
    const auto warnings = [](const char* wall, const char* shape) {
        const Scene scene =
            parse_scene(fmt::format(R"({{ "particles": {{ "spacing": 0.02 }}, "materials": {{ "m": {{}} }},
            "objects": [ {{ "name": "bar", "material": "m", "phase": "elastic", "shape": {} }} ],
            "obstacles": [ {{ "name": "wall", "shape": {{ "box": {} }} }} ] }})",
                                    shape, wall),
                        "x.json");
        return carving_warnings(scene, fill(scene, {}));
    };
    constexpr const char* bar = R"({ "box": { "min": [0, 0, 0], "max": [1, 0.1, 0.1] } })";
    CHECK(warnings(R"({ "min": [0.98, -1, -1], "max": [2, 1, 1] })", bar) == "");
    const std::string cut = warnings(R"({ "min": [0.49, -1, -1], "max": [0.51, 1, 1] })", bar);
    CHECK(cut.find("cuts `bar` into 2 pieces") != std::string::npos);
    CHECK(cut.find("loses") == std::string::npos);
    CHECK(warnings(R"({ "min": [0.8, -1, -1], "max": [2, 1, 1] })", bar)
              .find("`bar` loses 20 % of its particles") != std::string::npos);
    // Two balls are two pieces without any cut.
    CHECK(
        warnings(
            R"({ "min": [-1, -1, -1], "max": [2, 0.02, 2] })",
            R"({ "union": { "shapes": [ { "box": { "min": [0, 0, 0], "max": [0.2, 0.4, 0.2] } }, { "box": { "min": [0.6, 0, 0], "max": [0.8, 0.4, 0.2] } } ] } })") ==
        "");
}

TEST_CASE("a light rigid body that is flush on a dry floor is warned of, since a flood does not lift it") {
    const auto warnings = [](const char* phase, double density, const char* pool) {
        const Scene scene = parse_scene(fmt::format(R"({{ "dimensions": 2, "particles": {{ "spacing": 0.02 }},
            "materials": {{ "crate": {{ "density": {} }}, "sea": {{ "density": 1000 }} }},
            "objects": [ {{ "name": "crate", "material": "crate", "phase": "{}", "shape": {{ "box": {{ "min": [0.2, 0], "max": [0.4, 0.2] }} }} }},
                         {{ "name": "sea", "material": "sea", "shape": {{ "box": {} }} }} ],
            "obstacles": [ {{ "name": "tank", "inside": true, "shape": {{ "box": {{ "min": [0, 0], "max": [1, 1] }} }} }} ] }})",
                                                    density, phase, pool),
                                        "x.json");
        return carving_warnings(scene, fill(scene, {})).find("`crate` lies flush") != std::string::npos;
    };
    constexpr const char* beside = R"({ "min": [0.6, 0], "max": [1, 0.5] })";
    CHECK(warnings("rigid", 600, beside));
    CHECK_FALSE(warnings("rigid", 1500, beside));
    CHECK_FALSE(warnings("elastic", 600, beside));
    // In the water it starts with room below it.
    CHECK_FALSE(warnings("rigid", 600, R"({ "min": [0, 0], "max": [1, 0.5] })"));
}
