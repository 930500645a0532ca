#include <fmt/format.h>

#include <string>

#include "scene/presets.h"
#include "scene/scene_file.h"
#include "scene/wording.h"

namespace thixo {

namespace {

constexpr std::string_view preset_introduction = R"(# Materials by name

<!-- Generated from src/scene/presets.cpp by THIXO_UPDATE_DOCS=1 unit_scene. Do not edit. -->

A scene may name these materials without defining them:

```jsonc
"objects": [ { "material": "ice", "shape": { "box": { "min": [0, 0, 0], "max": [0.03, 0.03, 0.03] } } } ]
```

or start from one and change what differs:

```jsonc
"materials": { "candle": { "like": "wax", "density": 880, "heat": { "melting_point": 55 } } }
```

An entry of `materials` with the same name replaces the preset. `--set materials.ice.density=900` changes one constant of it.
Objects and emitters without a phase or temperature get those of the table.

The constants are those of real matter, rounded. Real matter is often too slow or too stiff to watch: see
[choosing constants](choosing_constants.md) for `scale`. Numbers that say how a scene is computed (`sound_speed`, the elastic model,
`damping`) are not part of a preset, except where a material needs them. Surface tension is left out: it matters below a few
millimetres (water 0.073, oil 0.032 N/m). A material has one density for its liquid and its solid phase.

)";

std::string temperature_text(const HeatSettings& heat) {
    if (!heat.melting_point) return "—";
    if (heat.freezing_point && *heat.freezing_point < *heat.melting_point)
        return fmt::format("{:g} to {:g}", *heat.freezing_point, *heat.melting_point);
    return fmt::format("{:g}", *heat.melting_point);
}

std::string viscosity_text(const LiquidSettings& liquid, bool flows) {
    if (!flows) return "—";
    if (liquid.viscosity_table.empty()) return fmt::format("{:g}", liquid.viscosity);
    std::string text;
    for (const ViscosityPoint& point : liquid.viscosity_table)
        text +=
            fmt::format("{}{:g} at {:g} °C", text.empty() ? "" : ", ", point.viscosity, point.temperature);
    return text;
}

Material material_of(const MaterialPreset& preset) {
    const std::string scene = fmt::format(
        R"({{ "objects": [ {{ "material": "{}", "shape": {{ "sphere": {{ "center": [0, 0, 0], "radius": 1 }} }} }} ] }})",
        preset.name);
    return parse_scene(scene, "preset.json").model.materials.front();
}

}  // namespace

std::string materials_markdown() {
    std::string text(preset_introduction);
    text +=
        "| name | what | starts as | density kg/m³ | viscosity Pa s | Young's modulus Pa | Poisson's ratio "
        "|\n";
    text += "| --- | --- | --- | --- | --- | --- | --- |\n";
    for (const MaterialPreset& preset : material_presets()) {
        const Material material = material_of(preset);
        const bool flows = preset.phase == Phase::liquid || material.heat.melting_point.has_value();
        const bool solid = preset.phase != Phase::liquid || material.heat.melting_point.has_value();
        text += fmt::format(
            "| `{}` | {} | {} at {:g} °C{} | {:g} | {} | {} | {} |\n", preset.name, preset.what,
            phase_names[static_cast<std::size_t>(preset.phase)], preset.temperature,
            preset.phase != Phase::liquid && flows ? fmt::format("; poured at {:g} °C", preset.poured) : "",
            material.density, viscosity_text(material.liquid, flows),
            solid ? fmt::format("{:g}", material.solid.young_modulus) : "—",
            solid ? fmt::format("{:g}", material.solid.poisson_ratio) : "—");
    }
    text +=
        "\n| name | specific heat J/(kg K) | conductivity W/(m K) | latent heat J/kg | melts at °C | "
        "diffusivity m²/s | 1 cm in |\n";
    text += "| --- | --- | --- | --- | --- | --- | --- |\n";
    for (const MaterialPreset& preset : material_presets()) {
        const Material material = material_of(preset);
        const double diffusivity =
            material.heat.conductivity / (material.density * material.heat.specific_heat);
        text +=
            fmt::format("| `{}` | {:g} | {:g} | {} | {} | {:.2g} | {:.2g} s |\n", preset.name,
                        material.heat.specific_heat, material.heat.conductivity,
                        material.heat.latent_heat > 0 ? fmt::format("{:g}", material.heat.latent_heat) : "—",
                        temperature_text(material.heat), diffusivity, 1e-4 / diffusivity);
    }
    text +=
        "\n*1 cm in*: the time L²/diffusivity in which heat crosses a length L of one centimetre.\n\n## "
        "Sources\n\nFor each constant: where it is tabulated, with the value found there where it was "
        "rounded. *Order of magnitude*: no single source; matter of this kind differs by that much. "
        "*Chosen*: for the simulation, because it depends on the surface or on the method. ✓: compared with "
        "a published "
        "copy of the table; what has none is as it is commonly quoted from that source.\n\n";
    for (const MaterialPreset& preset : material_presets())
        text += fmt::format("- `{}`: {}.\n", preset.name, preset.sources);
    return text;
}

}  // namespace thixo
