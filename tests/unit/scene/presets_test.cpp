#include <doctest/doctest.h>

#include <fmt/format.h>

#include "scene/json_reader.h"
#include "scene/presets.h"
#include "support.h"

using namespace thixo;
using namespace thixo::test;

namespace {

std::string one_object(const std::string& material, const std::string& rest = "",
                       const std::string& scene = "") {
    return fmt::format(
        R"({{ {} "particles": {{ "spacing": 0.1 }}, "objects": [ {{ "material": "{}", {} "shape": {{ "sphere": {{ "center": [0, 0, 0], "radius": 1 }} }} }} ] }})",
        scene, material, rest);
}

Scene parsed(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return parse_scene(text, "x.json", overrides);
}

}  // namespace

TEST_CASE("every preset is a material that needs no definition, with a phase and a temperature that fit") {
    CHECK(material_presets().size() >= 13);
    for (const MaterialPreset& preset : material_presets()) {
        const Scene scene = parsed(one_object(std::string(preset.name)));
        REQUIRE(scene.model.materials.size() == 1);
        const Material& material = scene.model.materials.front();
        const Object& object = scene.model.objects.front();
        CHECK(material.name == preset.name);
        CHECK(object.phase == preset.phase);
        // What is solid starts below its melting point, what is liquid above it.
        if (material.heat.melting_point) {
            CHECK((object.phase == Phase::liquid) == (object.temperature > *material.heat.melting_point));
            CHECK(preset.poured >= *material.heat.melting_point);
        }
        CHECK(!preset.sources.empty());
        // The resolved scene has constants alone, and reads back to the same.
        CHECK(to_json(parse_scene(to_json(scene), "x.json")) == to_json(scene));
    }
    CHECK(parsed(one_object("wax", R"("phase": "liquid",)")).model.objects[0].temperature == 80);
    CHECK(parsed(one_object("wax", R"("temperature": 30,)")).model.objects[0].temperature == 30);
}

TEST_CASE("each constant of a preset has a source, or is said to be chosen") {
    for (const MaterialPreset& preset : material_presets()) {
        const JsonValue settings = parse_json(preset.settings);
        // `model` and `cold` are choices of a method.
        const auto check = [&](const JsonValue& value, const auto& again) -> void {
            for (const JsonMember& member : *value.as<JsonValue::Object>()) {
                if (member.value.as<JsonValue::Object>())
                    again(member.value, again);
                else if (member.key != "model" && member.key != "cold")
                    CHECK_MESSAGE(preset.sources.find("`" + member.key + "`") != std::string_view::npos,
                                  preset.name, ": ", member.key);
            }
        };
        check(settings, check);
    }
}

TEST_CASE("a material like a preset differs where it says so") {
    const Scene scene = parsed(one_object(
        "candle", "",
        R"("materials": { "candle": { "like": "wax", "density": 850, "heat": { "melting_point": 50, "diffusivity": 1e-6 } } },)"));
    const Material& candle = scene.model.materials.front();
    CHECK(candle.density == 850);
    CHECK(candle.heat.melting_point == 50);
    CHECK(candle.heat.latent_heat == 2.1e5);
    CHECK(candle.heat.diffusivity == 1e-6);
    CHECK(candle.heat.conductivity == 0);  // the diffusivity replaces it
    CHECK(candle.solid.cold == ColdState::rigid);
    CHECK(scene.model.objects.front().phase == Phase::rigid);
    // One's own entry of the same name is one's own.
    const Scene own = parsed(one_object("ice", "", R"("materials": { "ice": { "density": 1 } },)"));
    CHECK(own.model.materials.front().heat.latent_heat == 0);
    CHECK(own.model.objects.front().phase == Phase::liquid);
    // On the command line a constant of the preset is changed.
    const Scene set = parsed(one_object("ice"), {"materials.ice.density=900"});
    CHECK(set.model.materials.front().density == 900);
    CHECK(set.model.materials.front().heat.latent_heat > 0);
}

TEST_CASE("names that are no preset are refused with the nearest one") {
    CHECK(parse_message(one_object("watr")).find("did you mean \"water\"?") != std::string::npos);
    CHECK(parse_message(one_object("a", "", R"("materials": { "a": { "like": "wxa" } },)"))
              .find("materials.a.like: there is no preset \"wxa\"; did you mean \"wax\"?") !=
          std::string::npos);
    CHECK(parse_message(one_object("a", "", R"("materials": { "a": { "like": 3 } },)"))
              .find("expected a string") != std::string::npos);
}

TEST_CASE("a scale multiplies constants once, and the resolved scene says that it did") {
    const std::string text = one_object("chocolate", "", R"("scale": { "heat": 100, "stiffness": 0.001 },
        "ambient": { "heat_transfer": 10 }, "heaters": [ { "region": { "plane": {} }, "temperature": 50, "response": 2 } ],
        "obstacles": [ { "shape": { "plane": {} }, "temperature": 40, "heat_transfer": 7 } ],)");
    const Scene plain = parsed(one_object("chocolate")), scaled = parsed(text);
    const Material &a = plain.model.materials.front(), &b = scaled.model.materials.front();
    CHECK(b.heat.conductivity == doctest::Approx(100 * a.heat.conductivity));
    CHECK(b.heat.latent_heat == a.heat.latent_heat);
    CHECK(b.solid.young_modulus == doctest::Approx(0.001 * a.solid.young_modulus));
    CHECK(b.solid.break_stress == doctest::Approx(0.001 * a.solid.break_stress));
    CHECK(scaled.model.ambient.heat_transfer == 1000);
    CHECK(*scaled.model.obstacles.front().heat_transfer == 700);
    CHECK(scaled.model.heaters.front().response == doctest::Approx(0.02));
    CHECK(scaled.scale.applied);
    CHECK_FALSE(plain.scale.applied);
    CHECK(to_json(parse_scene(to_json(scaled), "x.json")) == to_json(scaled));
    CHECK(to_json(check_scene(scaled)) == to_json(scaled));
    const Scene one = parsed(one_object(
        "a", "", R"("materials": { "a": { "scale": { "viscosity": 4 }, "liquid": { "viscosity": 2 } } },)"));
    CHECK(one.model.materials.front().liquid.viscosity == 8);
    CHECK(parse_message(one_object("glass", "", R"("scale": { "viscosity": 1e9 },)"))
              .find("materials.glass: with its scale") != std::string::npos);
}
