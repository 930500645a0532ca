#include "render_colours.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "core/error.h"
#include "particles/table.h"
#include "scene/describe_choices.h"
#include "scene/wording.h"

namespace thixo {
namespace {

constexpr std::string_view by_look = "look";

/// What the colours show: as the options say, or else the scene; empty: neither does.
std::string chosen_colours(const RenderOptions& options, const Setting& setting) {
    if (options.colour_by == by_look && !setting.has_scene)
        throw InputError(
            fmt::format("--colour-by look: {} has no scene.json with materials", options.folder.string()));
    if (!options.colour_by.empty()) return options.colour_by;
    for (const auto& choice : choices(Tag<Colouring>{}))
        if (choice.value == setting.picture.colour_by) return std::string(choice.name);
    return "";
}

/// In 3D by default. Outlines of 2D runs have no looks, their particles do.
bool shows_looks(const std::string& colour_by, const RenderOptions& options, const Setting& setting) {
    if (!setting.has_scene) return false;
    if (setting.dimensions == 3) return colour_by.empty() || colour_by == by_look;
    return colour_by == by_look && (options.as.empty() || options.as == "spheres");
}

/// Default attribute: temperature if it varies by more than 1 °C, otherwise speed.
std::string chosen_attribute(const std::string& colour_by, const ParticleFrame& first,
                             const ParticleFrame& last) {
    if (!colour_by.empty() && colour_by != by_look) {
        attribute(first, colour_by);
        return colour_by;
    }
    const std::vector<std::string> names = attribute_names(first);
    const auto has = [&](const char* name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (has("temperature")) {
        ValueSurvey heat;
        heat.add(attribute(first, "temperature"));
        heat.add(attribute(last, "temperature"));
        if (heat.robust_range().max - heat.robust_range().min > 1) return "temperature";
    }
    return has("speed") ? "speed" : has("density") ? "density" : "y";
}

Range parsed_range(const std::string& text) {
    const auto colon = text.find(':');
    Range range{};
    const auto number = [](std::string_view part, double& value) {
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        return error == std::errc() && end == part.data() + part.size() && std::isfinite(value);
    };
    const std::string_view whole = text;
    if (colon == std::string::npos || !number(whole.substr(0, colon), range.min) ||
        !number(whole.substr(colon + 1), range.max) || !(range.max > range.min)) {
        throw InputError(
            fmt::format("--range \"{}\": expected min:max with min below max, for example 0:2.5", text));
    }
    return range;
}

Legend category_legend(const std::string& name, const ValueSurvey& survey, const Setting& setting) {
    Legend legend{name, "", {}, {}};
    const std::vector<std::string> phases(phase_names.begin(), phase_names.end());
    const auto& names = name == "phase" ? phases : name == "material" ? setting.materials : setting.objects;
    const bool named = name == "phase" || name == "material" || name == "object";
    for (const std::size_t number : survey.categories()) {
        legend.numbers.push_back(number);
        legend.names.push_back(named && number < names.size() ? names[number] : fmt::format("{}", number));
    }
    return legend;
}

/// How far apart two colours of categories are at least, in encoded sRGB, so that the eye tells them apart.
constexpr float distinct = 0.12f;

Vec3f encoded(const Rgb& c) { return {srgb_encode(c.x), srgb_encode(c.y), srgb_encode(c.z)}; }

/// Materials and objects have the colours of their looks, as long as these differ: water is blue in any
/// picture. Otherwise empty.
std::vector<Rgb> looks_of_categories(const std::string& name, const Setting& setting,
                                     const ParticleFrame& first, const ParticleFrame& last) {
    if ((name != "material" && name != "object") || setting.matter.empty()) return {};
    std::map<std::size_t, Rgb> colours;
    for (const ParticleFrame* frame : {&first, &last}) {
        const auto column = [&](const std::string& label) { return frame->attributes.find(label); };
        const auto category = column(name), material = column("material"), phase = column("phase");
        for (const auto& c : {category, material, phase})
            if (c == frame->attributes.end()) return {};
        for (std::size_t i = 0; i < frame->position.size(); ++i) {
            const auto m = static_cast<std::size_t>(material->second[i]);
            if (m >= setting.matter.size()) return {};
            const auto number = static_cast<std::size_t>(category->second[i]);
            if (!colours.contains(number))
                colours[number] = optics_of(look_of(setting.matter[m], phase->second[i] > 0, m), 1).colour;
        }
    }
    if (colours.empty() || colours.rbegin()->first >= ValueSurvey::most_categories) return {};
    std::vector<Rgb> list(colours.rbegin()->first + 1, Rgb{0.5f, 0.5f, 0.5f});
    for (auto a = colours.begin(); a != colours.end(); ++a) {
        list[a->first] = a->second;
        for (auto b = colours.begin(); b != a; ++b)
            if (norm(encoded(a->second) - encoded(b->second)) < distinct) return {};
    }
    return list;
}

}  // namespace

void choose_attribute(Look& look, const RenderOptions& options, const Setting& setting,
                      const ParticleFrame& first, const ParticleFrame& last) {
    const std::string colour_by = chosen_colours(options, setting);
    look.by_material = shows_looks(colour_by, options, setting);
    look.attribute = chosen_attribute(colour_by, first, last);
    look.category_colours = looks_of_categories(look.attribute, setting, first, last);
}

void choose_colours(Look& look, const RenderOptions& options, const ValueSurvey& survey,
                    const Setting& setting) {
    const AttributeStyle style = attribute_style(look.attribute);
    const std::string map = options.colour_map.empty() ? style.colour_map : options.colour_map;
    if (map.empty()) {
        look.colours.map = look.category_colours.empty() ? ColourMap::categories()
                                                         : ColourMap::categories(look.category_colours);
        look.legend = category_legend(look.attribute, survey, setting);
        return;
    }
    Range range = survey.robust_range();
    if (style.from_zero) range.min = 0;
    range = options.range.empty() ? nice_range(range.min, range.max) : parsed_range(options.range);
    if (options.range.empty() && options.colour_by.empty()) {
        range.min = setting.picture.min.value_or(range.min);
        range.max = setting.picture.max.value_or(range.max);
        if (!(range.max > range.min))
            (setting.picture.max ? range.min = range.max - 1 : range.max = range.min + 1);
    }
    look.colours = {ColourMap::named(map), static_cast<float>(range.min), static_cast<float>(range.max)};
    look.legend = {look.attribute, style.unit, {}, {}};
}

}  // namespace thixo
