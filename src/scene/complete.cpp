#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <unordered_set>
#include <vector>

#include "scene/finish.h"
#include "scene/wording.h"

namespace thixo {

namespace {

std::string name_from_file(std::string_view file_name) {
    const auto slash = file_name.find_last_of("/\\");
    if (slash != std::string_view::npos) file_name.remove_prefix(slash + 1);
    if (const auto dot = file_name.rfind('.'); dot != std::string_view::npos && dot > 0)
        file_name = file_name.substr(0, dot);
    std::string stem;
    for (std::size_t length; !file_name.empty() && stem.size() < 100;
         file_name.remove_prefix(std::max<std::size_t>(length, 1))) {
        length = utf8_length(file_name);
        const std::string_view character = file_name.substr(0, length);
        stem += length == 0 || printable(character) != character ? "_" : character;
    }
    return stem.empty() || stem == "." || stem == ".." ? "scene" : stem;
}

/// "object 3" for the third entry of the list; where another entry bears that name, "object 3 (2)".
template <class T>
void name_all(std::vector<T>& entries, std::string_view kind) {
    std::unordered_set<std::string> taken;
    for (const T& entry : entries) taken.insert(entry.name);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (!entries[i].name.empty()) continue;
        const std::string base = fmt::format("{} {}", kind, i + 1);
        entries[i].name = base;
        for (int copy = 2; !taken.insert(entries[i].name).second; ++copy)
            entries[i].name = fmt::format("{} ({})", base, copy);
    }
}

}  // namespace

void complete(Scene& scene, std::string_view file_name) {
    if (scene.name.empty()) scene.name = name_from_file(file_name);
    name_all(scene.objects, "object");
    name_all(scene.model.obstacles, "obstacle");
    if (scene.model.dimensions != 2) return;
    for (Object& object : scene.objects) flatten(object.shape);
    for (Obstacle& obstacle : scene.model.obstacles) flatten(obstacle.shape);
}

}  // namespace thixo
