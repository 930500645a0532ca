#include <doctest/doctest.h>

#include <string>

#include "scene/load.h"
#include "unit/scene/support.h"

using namespace thixo;

namespace {

std::string scene_with(const std::string& look) {
    return R"({ "materials": { "stuff": { "look": )" + look +
           R"( } }, "objects": [ { "material": "stuff", "shape": { "box": { "min": [0, 0, 0], "max": [1, 1, 1] } } } ] })";
}

}  // namespace

TEST_CASE("a look is a name, an object, or one for each phase") {
    CHECK(parse_scene(scene_with(R"("water")"), "x.json").model.materials[0].look.both.preset ==
          LookPreset::water);
    const MaterialLook look =
        parse_scene(
            scene_with(
                R"({ "liquid": { "preset": "tea", "colour": [0.5, 0.2, 0], "depth": 0.1 }, "solid": "ice" })"),
            "x.json")
            .model.materials[0]
            .look;
    REQUIRE((look.liquid && look.solid));
    CHECK(look.liquid->preset == LookPreset::tea);
    CHECK(*look.liquid->colour == Vec3d{0.5, 0.2, 0});
    CHECK(*look.liquid->depth == 0.1);
    CHECK(look.solid->preset == LookPreset::ice);
    CHECK(look.both.preset == LookPreset::automatic);
}

TEST_CASE("a look is written as it was read") {
    const Scene scene =
        parse_scene(scene_with(R"({ "preset": "wax", "roughness": 0.2, "liquid": "water" })"), "x.json");
    const MaterialLook again = parse_scene(to_json(scene), "y.json").model.materials[0].look;
    CHECK(again.both.preset == LookPreset::wax);
    CHECK(*again.both.roughness == 0.2);
    REQUIRE(again.liquid);
    CHECK(again.liquid->preset == LookPreset::water);
    CHECK_FALSE(again.solid);
}

TEST_CASE("wrong looks are refused where they stand") {
    const auto message = [](const std::string& look) {
        return test::message_of([&] { parse_scene(scene_with(look), "x.json"); });
    };
    CHECK(message(R"("watr")").find(R"(did you mean "water"?)") != std::string::npos);
    CHECK(message(R"({ "preset": "wax", "color": [1, 0, 0] })").find(R"(did you mean "colour"?)") !=
          std::string::npos);
    CHECK(message(R"({ "colour": [2, 0, 0] })").find("materials.stuff.look.colour") != std::string::npos);
    CHECK(message("3").find("a name or an object") != std::string::npos);
}
