#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "thixo/core/export.h"
#include "thixo/scene/scene.h"

namespace thixo {

/// Reads a scene file (docs/scene.md). `overrides` are texts such as `particles.spacing=0.02`, applied in
/// order before anything is checked. Problems are thrown as one InputError with a line each:
/// `scenes/x.json:12:7: materials.water.densty: unknown key; did you mean "density"? (allowed: …)`.
THIXO_API Scene load_scene(const std::filesystem::path& file, std::span<const std::string> overrides = {});

/// The same from text; `file_name` appears in messages and gives the scene its name if it has none.
THIXO_API Scene parse_scene(std::string_view text, const std::string& file_name,
                            std::span<const std::string> overrides = {});

/// A scene that was put together in code, as `load_scene` would have understood it: named where names are
/// missing, with the files of its shapes loaded, and checked the same way. What is wrong is an InputError
/// with the key's path and no line: `objects.0.material: there is no material "watr"; …`. Paths of files
/// start at the current folder.
THIXO_API Scene check_scene(const Scene& scene);

/// The resolved scene, with all defaults filled in. parse_scene reads it back to the same bits.
THIXO_API std::string to_json(const Scene& scene);

/// JSON Schema (draft-07) of the format.
THIXO_API std::string json_schema();

/// The reference of the format: the text of docs/scene.md.
THIXO_API std::string scene_reference_markdown();

}  // namespace thixo
