#include <fmt/format.h>

#include <string>
#include <vector>

#include "scene/json_reader.h"
#include "scene/presets.h"
#include "scene/wording.h"

namespace thixo {

namespace {

/// Keys that express the same thing in two ways: what the scene says replaces both.
constexpr std::pair<std::string_view, std::string_view> exclusive[] = {{"conductivity", "diffusivity"},
                                                                       {"viscosity", "viscosity_table"}};

bool is_replaced(const JsonValue& object, std::string_view key) {
    if (object.find(key)) return true;
    for (const auto& [a, b] : exclusive)
        if ((key == a && object.find(b)) || (key == b && object.find(a))) return true;
    return false;
}

/// Adds what `from` has and `to` does not say otherwise.
void merge(JsonValue& to, const JsonValue& from) {
    auto* members = to.as<JsonValue::Object>();
    const auto* given = from.as<JsonValue::Object>();
    if (!members || !given) return;
    for (const JsonMember& member : *given) {
        if (JsonMember* own = to.find(member.key))
            merge(own->value, member.value);
        else if (!is_replaced(to, member.key))
            members->push_back(member);
    }
}

JsonValue settings_of(const MaterialPreset& preset, const Position& at) {
    // Every value gets the position of the name that it comes from.
    JsonValue settings = parse_json(preset.settings, {at.source, 0, 0});
    const auto place = [&](const auto& self, JsonValue& value) -> void {
        value.at = at;
        if (auto* members = value.as<JsonValue::Object>())
            for (JsonMember& member : *members) {
                member.at = at;
                self(self, member.value);
            }
        if (auto* list = value.as<JsonValue::Array>())
            for (JsonValue& entry : *list) self(self, entry);
    };
    place(place, settings);
    return settings;
}

class Expansion {
public:
    Expansion(JsonValue& root, Problems& problems) : root_(root), problems_(problems) {}

    void expand() {
        if (!root_.as<JsonValue::Object>()) return;
        if (JsonMember* materials = root_.find("materials"))
            if (auto* entries = materials->value.as<JsonValue::Object>())
                for (JsonMember& entry : *entries) expand_entry(entry);
        expand_users("objects", true);
        expand_users("emitters", false);
    }

private:
    /// The preset that an entry of `materials` is like, if any.
    static const MaterialPreset* preset_of(const JsonMember& entry) {
        if (const JsonMember* like = entry.value.find("like")) {
            const auto* name = like->value.as<std::string>();
            return name ? find_preset(*name) : nullptr;
        }
        // `--set materials.ice.density=900` changes the preset; it does not define a material of one
        // constant.
        return entry.at.source > 0 && entry.value.as<JsonValue::Object>() ? find_preset(entry.key) : nullptr;
    }

    void expand_entry(JsonMember& entry) {
        const MaterialPreset* preset = preset_of(entry);
        const JsonMember* like = entry.value.find("like");
        if (preset) return merge(entry.value, settings_of(*preset, like ? like->value.at : entry.at));
        const auto* name = like ? like->value.as<std::string>() : nullptr;
        if (!name) return;
        std::vector<std::string_view> names;
        for (const MaterialPreset& known : material_presets()) names.push_back(known.name);
        problems_.add(like->value.at, join_path(join_path("materials", entry.key), "like"),
                      fmt::format("there is no preset {}{}", thixo::quoted(*name), suggestion(*name, names)));
    }

    const JsonMember* material(std::string_view name) const {
        const JsonMember* materials = root_.find("materials");
        return materials ? materials->value.find(name) : nullptr;
    }

    void define(const MaterialPreset& preset, const Position& at) {
        JsonMember* materials = root_.find("materials");
        if (!materials)
            materials = &root_.as<JsonValue::Object>()->emplace_back(
                JsonMember{"materials", at, {at, JsonValue::Object{}}});
        if (auto* entries = materials->value.as<JsonValue::Object>())
            entries->push_back({std::string(preset.name), at, settings_of(preset, at)});
    }

    void expand_users(std::string_view list, bool has_phase) {
        // Copies of positions and names: defining a material may move the members of the root.
        const JsonMember* member = root_.find(list);
        const auto* entries = member ? member->value.as<JsonValue::Array>() : nullptr;
        for (std::size_t k = 0; entries && k < entries->size(); ++k) {
            const JsonMember* name = (*entries)[k].find("material");
            const auto* text = name ? name->value.as<std::string>() : nullptr;
            if (!text) continue;
            const std::string of = *text;
            const Position at = name->value.at;
            const JsonMember* defined = material(of);
            const MaterialPreset* preset = defined ? preset_of(*defined) : find_preset(of);
            if (!preset) continue;
            if (!defined) define(*preset, at);
            JsonValue& user = (*root_.find(list)->value.as<JsonValue::Array>())[k];
            complete(user, *preset, at, has_phase);
            entries = root_.find(list)->value.as<JsonValue::Array>();
        }
    }

    static void complete(JsonValue& user, const MaterialPreset& preset, const Position& at, bool has_phase) {
        auto& members = *user.as<JsonValue::Object>();
        if (has_phase && !user.find("phase"))
            members.push_back(
                {"phase", at, {at, std::string(phase_names[static_cast<std::size_t>(preset.phase)])}});
        const JsonMember* phase = user.find("phase");
        const auto* name = phase ? phase->value.as<std::string>() : nullptr;
        const bool liquid = !has_phase || (name && *name == "liquid");
        if (!user.find("temperature"))
            members.push_back(
                {"temperature", at, {at, JsonNumber{.value = liquid ? preset.poured : preset.temperature}}});
    }

    JsonValue& root_;
    Problems& problems_;
};

}  // namespace

void expand_presets(JsonValue& root, Problems& problems) { Expansion(root, problems).expand(); }

}  // namespace thixo
