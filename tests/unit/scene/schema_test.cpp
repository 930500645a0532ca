#include <doctest/doctest.h>

#include <cstdlib>

#include "scene/presets.h"
#include "scene/reference.h"
#include "schema_check.h"
#include "support.h"

using namespace thixo;
using namespace thixo::test;

namespace {
JsonValue schema() { return parse_json(json_schema()); }

const JsonValue& at(const JsonValue& value, const std::string& key) {
    const JsonMember* member = value.find(key);
    REQUIRE_MESSAGE(member, key);
    return member->value;
}
}  // namespace

TEST_CASE("the schema says what the table says") {
    const JsonValue root = schema();
    CHECK(*at(root, "$schema").as<std::string>() == "http://json-schema.org/draft-07/schema#");
    CHECK(*at(root, "additionalProperties").as<bool>() == false);
    const JsonValue& material = at(at(at(root, "properties"), "materials"), "additionalProperties");
    const JsonValue& density = at(at(material, "properties"), "density");
    CHECK(*at(density, "type").as<std::string>() == "number");
    CHECK(*at(density, "description").as<std::string>() == "density at rest [kg/m³]");
    CHECK(at(density, "default").as<JsonNumber>()->value == 1000);
    CHECK(at(density, "minimum").as<JsonNumber>()->value == 0.001);
    const JsonValue& object = at(at(at(root, "properties"), "objects"), "items");
    CHECK(at(object, "required").as<JsonValue::Array>()->size() == 2);
    CHECK(at(at(at(object, "properties"), "phase"), "enum").as<JsonValue::Array>()->size() == 3);
    const JsonValue& shapes = at(root, "definitions");
    const auto kinds = [&](const JsonValue& entry) -> const JsonValue& {
        const std::string name = *at(at(at(entry, "properties"), "shape"), "$ref").as<std::string>();
        return at(at(shapes, name.substr(name.rfind('/') + 1)), "properties");
    };
    CHECK_FALSE(kinds(object).find("plane"));
    CHECK(kinds(object).find("rotate"));
    const JsonValue& obstacle = at(at(at(root, "properties"), "obstacles"), "items");
    CHECK(kinds(obstacle).find("plane"));
    CHECK(at(at(at(root, "properties"), "duration"), "exclusiveMinimum").as<JsonNumber>()->value == 0);
}

TEST_CASE("the schema accepts good scenes and refuses what it can of the broken ones") {
    const JsonValue root = schema();
    CHECK(schema_violation(root, parse_json(full_scene)) == "");
    CHECK(schema_violation(root, parse_json(to_json(parse_scene(full_scene, "x.json")))) == "");
    for (const char* broken :
         {"unknown_key", "negative_density", "wrong_type", "wrong_type_vector", "two_shapes", "plane_object",
          "missing_material", "kernel_misspelt", "phase_misspelt", "dimensions_fraction", "no_materials",
          "format_twice", "name_with_slash"}) {
        const auto file = repository() / "tests/golden/scenes/bad" / (std::string(broken) + ".json");
        CHECK_MESSAGE(schema_violation(root, parse_json(read_text(file))) != "", broken);
    }
}

TEST_CASE("every scene that ships is accepted, by the schema too") {
    const JsonValue root = schema();
    for (const char* folder : {"scenes", "tests/golden/scenes/good"}) {
        if (!std::filesystem::is_directory(repository() / folder)) continue;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(repository() / folder)) {
            if (entry.path().extension() != ".json") continue;
            CHECK(message_of([&] { load_scene(entry.path()); }) == "");
            CHECK_MESSAGE(schema_violation(root, parse_json(read_text(entry.path()))) == "",
                          entry.path().string());
        }
    }
}

TEST_CASE("what is generated from the table of the format is current") {
    std::vector<std::pair<std::string, std::string>> generated{{"schema/scene.json", json_schema()},
                                                               {"docs/materials.md", materials_markdown()}};
    for (const ReferencePage& page : scene_reference_pages())
        generated.emplace_back("docs/" + page.file, page.text);
    for (const auto& [name, text] : generated) {
        const auto file = repository() / name;
        if (std::getenv("THIXO_UPDATE_DOCS")) {
            std::filesystem::create_directories(file.parent_path());
            write_text(file, text);
        }
        CHECK_MESSAGE(read_text(file) == text, name, ": run THIXO_UPDATE_DOCS=1 unit_scene");
    }
}
