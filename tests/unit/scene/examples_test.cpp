#include <doctest/doctest.h>

#include <fmt/format.h>

#include <fstream>

#include "scene/reference.h"
#include "support.h"

using namespace thixo;
using namespace thixo::test;

namespace {

/// Members of a scene that examples may refer to.
const std::vector<std::pair<std::string, std::string>> around{
    {"particles", R"({ "spacing": 0.02 })"},
    {"materials", R"({ "wood": { "density": 600 } })"},
    {"objects", R"([
        { "name": "die", "material": "wood", "phase": "rigid", "shape": { "box": { "min": [-0.15, 0.2, -0.05], "max": [-0.05, 0.3, 0.05] } } },
        { "name": "gel", "material": "jelly", "shape": { "box": { "min": [0.05, 0.25, -0.05], "max": [0.15, 0.35, 0.05] } } },
        { "name": "pool", "material": "water", "shape": { "box": { "min": [-0.4, 0, -0.4], "max": [0.4, 0.15, 0.4] } } } ])"},
    {"obstacles",
     R"([ { "name": "tank", "inside": true, "shape": { "box": { "min": [-0.5, 0, -0.5], "max": [0.5, 1, 0.5] } } } ])"}};

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// The members, and of those around them the ones that they lack; of lists both.
std::string scene_with(std::string_view members) {
    std::string text = fmt::format("{{ {}", members);
    for (const auto& [key, value] : around) {
        const std::string name = fmt::format("\"{}\": ", key);
        const std::size_t at = members.starts_with(name) ? 0 : members.find("\n" + name);
        if (at == std::string_view::npos) {
            text += fmt::format(",\n{}{}", name, value);
        } else if (key != "particles") {
            // Entries of the scene go in front of those of the example.
            const std::size_t open = text.find(value.front(), text.find(name));
            text.insert(open + 1, value.substr(1, value.size() - 2) + ",");
        }
    }
    return text + " }";
}

/// A folder with the meshes that examples name.
class Meshes {
public:
    Meshes() {
        for (int k = 1; k <= 3; ++k)
            std::ofstream(folder_.path / fmt::format("wing_{:04}.obj", k)) << fmt::format(
                "v 0 0.5 0\nv 0.3 0.5 0\nv 0 0.8 {}\nv 0 0.5 0.3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
                0.05 * k);
    }
    std::string complaint(const std::string& text) const {
        return message_of([&] { parse_scene(text, (folder_.path / "x.json").string(), {}); });
    }

private:
    TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("every section of the reference of scene files has an example") {
    std::size_t found = 0;
    for (const ReferencePage& page : scene_reference_pages()) {
        if (page.file == "scene.md") continue;
        for (std::size_t at = page.text.find("\n## "); at != std::string::npos;
             at = page.text.find("\n## ", at + 1)) {
            const std::string section = page.text.substr(at, page.text.find("\n## ", at + 1) - at);
            const std::string title = section.substr(4, section.find('\n', 1) - 4);
            if (title == "Openings") continue;
            CHECK_MESSAGE(contains(section, "```jsonc\n"), page.file, ": ", title);
            ++found;
        }
    }
    CHECK(found == scene_examples().size() + shape_examples().size() + opening_examples().size());
}

TEST_CASE("examples of the reference are accepted as they are written") {
    const Meshes meshes;
    for (const ReferenceExample& example : scene_examples())
        CHECK_MESSAGE(meshes.complaint(scene_with(example.text)) == "", example.section, "\n", example.text);
    for (const ReferenceExample& example : shape_examples()) {
        const bool unbounded = example.section == "plane" || example.section == "height_field";
        const std::string members =
            unbounded ? fmt::format(R"("obstacles": [ {{ "shape": {} }} ])", example.text)
                      : fmt::format(R"("objects": [ {{ "material": "{}", "shape": {} }} ])",
                                    example.section == "fill" ? "water" : "rubber", example.text);
        CHECK_MESSAGE(meshes.complaint(scene_with(members)) == "", example.section);
    }
    for (const ReferenceExample& example : opening_examples())
        CHECK_MESSAGE(
            meshes.complaint(scene_with(fmt::format(
                R"("emitters": [ {{ "material": "water", "position": [0, 0.5, 0], "direction": [0, -1, 0], "speed": 1,
                   "opening": {} }} ])",
                example.text))) == "",
            example.section);
}
