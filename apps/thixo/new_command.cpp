#include "new_command.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "scene/wording.h"

namespace thixo {

namespace {

/// The first comment of a template.
std::string_view title(const SceneTemplate& of) {
    const std::string_view line = of.text.substr(0, of.text.find('\n'));
    return line.substr(std::min<std::size_t>(3, line.size()));
}

}  // namespace

std::string template_list() {
    std::string out;
    for (const SceneTemplate& entry : scene_templates())
        out += fmt::format("  {:<8} {}\n", entry.name, title(entry));
    return out;
}

int new_command(const std::string& name, std::filesystem::path file) {
    const auto found = std::find_if(scene_templates().begin(), scene_templates().end(),
                                    [&](const SceneTemplate& entry) { return entry.name == name; });
    if (found == scene_templates().end()) {
        std::vector<std::string_view> names;
        for (const SceneTemplate& entry : scene_templates()) names.push_back(entry.name);
        throw InputError(
            fmt::format("there is no template {}{}", thixo::quoted(name), suggestion(name, names)));
    }
    if (file.empty()) file = name + ".json";
    std::error_code error;
    if (std::filesystem::exists(std::filesystem::symlink_status(file, error)))
        throw InputError(file.string() + ": exists already; give another name: thixo new " + name + " FILE");
    write_whole(file, found->text);
    const std::string scene = file.string(), out = "out/" + file.stem().string();
    const std::pair<std::string, std::string> steps[] = {
        {"preview " + scene, "how it starts, as a picture"},
        {"check " + scene, "what it will cost"},
        {"run " + scene, "simulate it, into " + out},
        {"render " + out, "pictures, into " + out + "/pictures"}};
    std::size_t width = 0;
    for (const auto& [command, what] : steps) width = std::max(width, command.size());
    fmt::print("{}: {}\n\n", scene, title(*found));
    for (const auto& [command, what] : steps) fmt::print("  thixo {:<{}}  {}\n", command, width, what);
    return 0;
}

}  // namespace thixo
