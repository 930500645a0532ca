#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <unordered_set>
#include <vector>

#include "particles/emitter_layers.h"
#include "scene/finish.h"
#include "scene/named_lists.h"
#include "scene/solver_preset.h"
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

/// "object 3" for the third entry of the list; if another entry has that name, "object 3 (2)".
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

void complete(Emitter& emitter, int dimensions) {
    if (emitter.rate == 0) emitter.rate = area(emitter.opening, dimensions) * emitter.speed;
    if (norm(emitter.up) == 0 && norm(emitter.direction) > 0) emitter.up = upright(emitter.direction);
    if (dimensions == 2) emitter.position.z = 0;
}

void flatten_all(Scene& scene) {
    for (Object& object : scene.model.objects) {
        flatten(object.shape);
        for (HeldRegion& held : object.held) flatten(held.region);
    }
    for (Obstacle& obstacle : scene.model.obstacles) flatten(obstacle.shape);
    for (Sink& sink : scene.model.sinks) flatten(sink.shape);
    for (Heater& heater : scene.model.heaters) flatten(heater.region);
    for (Grab& grab : scene.model.grabs) flatten(grab.region);
    for (ForceField& field : scene.model.force_fields)
        if (field.region) flatten(*field.region);
}

/// The key of an entry as written in the file, or null.
const JsonMember* find(const JsonValue* entry, std::string_view key) {
    return entry ? entry->find(key) : nullptr;
}
const JsonValue* value_of(const JsonMember* member) { return member ? &member->value : nullptr; }

/// Defaults that depend on the model of the solid, for keys that are not given.
void complete_lattices(Scene& scene, const JsonValue& root) {
    const int d = scene.model.dimensions;
    const JsonValue* materials = value_of(root.find("materials"));
    for (Material& material : scene.model.materials) {
        if (material.solid.model != SolidModel::lattice) continue;
        const JsonValue* solid = value_of(find(value_of(find(materials, material.name)), "solid"));
        if (!find(solid, "poisson_ratio")) material.solid.poisson_ratio = 0;
        if (material.solid.reach == 0) material.solid.reach = d == 2 ? 1.5 : 1.3;
    }
    const JsonValue* objects = value_of(root.find("objects"));
    for (std::size_t k = 0; k < scene.model.objects.size(); ++k) {
        const JsonValue& entry = (*objects->as<JsonValue::Array>())[k];
        if (is_lattice_solid(scene, scene.model.objects[k]) && !entry.find("lattice"))
            scene.model.objects[k].lattice = Lattice::closest;
    }
}

}  // namespace

bool is_lattice_solid(const Scene& scene, const Object& object) {
    return object.phase == Phase::elastic &&
           std::any_of(
               scene.model.materials.begin(), scene.model.materials.end(), [&](const Material& material) {
                   return material.name == object.material && material.solid.model == SolidModel::lattice;
               });
}

void name_entries(Scene& scene, std::string_view file_name) {
    if (scene.name.empty()) scene.name = name_from_file(file_name);
    for_each_named_list(scene.model,
                        [](auto& list, const char* entry, const char*) { name_all(list, entry); });
    for (Emitter& emitter : scene.model.emitters) complete(emitter, scene.model.dimensions);
}

void complete(Scene& scene, const JsonValue& root, std::string_view file_name) {
    name_entries(scene, file_name);
    if (scene.model.dimensions == 2) flatten_all(scene);
    complete_lattices(scene, root);
    complete_solver(scene, root);
}

}  // namespace thixo
