#pragma once

#include <span>
#include <string>
#include <string_view>

#include "particles/phase.h"
#include "scene/json_value.h"
#include "scene/problems.h"

namespace thixo {

/// A material that scenes may name without defining it.
struct MaterialPreset {
    std::string_view name;
    std::string_view what;      ///< "soda-lime glass"
    Phase phase;                ///< of objects that name none
    double temperature;         ///< °C, of such objects
    double poured;              ///< °C, of liquid objects and emitters
    std::string_view settings;  ///< as an entry of `materials`
    std::string_view sources;
};

std::span<const MaterialPreset> material_presets();

/// Null if there is none of this name.
const MaterialPreset* find_preset(std::string_view name);

/// Writes out what a scene takes from presets: materials that objects and emitters name and the scene does
/// not define, what `"like": "wax"` stands for, and the phase and temperature of objects that name none. Runs
/// before the scene is read, so that everything behind it has constants only.
void expand_presets(JsonValue& root, Problems& problems);

/// The text of docs/materials.md.
std::string materials_markdown();

}  // namespace thixo
