#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"
#include "scene/json_value.h"
#include "scene/problems.h"
#include "scene/scene.h"

namespace thixo {

/// Reads a scene file (docs/scene.md). `overrides` are texts such as `particles.spacing=0.02`, applied in
/// order before anything is checked. Problems are thrown as one InputError with a line each:
/// `scenes/x.json:12:7: materials.water.densty: unknown key; did you mean "density"? (allowed: …)`.
Scene load_scene(const std::filesystem::path& file, std::span<const std::string> overrides = {});

/// The same from text; `file_name` appears in messages and gives the scene its name if it has none.
Scene parse_scene(std::string_view text, const std::string& file_name,
                  std::span<const std::string> overrides = {});

/// A scene with the positions of its keys, for errors that are found after loading.
struct SceneWithSource {
    Scene scene;
    JsonValue root;
    Sources sources;

    /// An error about a key such as `objects.0.shape`, with its position or that of the nearest enclosing key
    /// in the file.
    InputError error(std::string_view path, std::string_view message) const;
};
SceneWithSource load_scene_with_source(const std::filesystem::path& file,
                                       std::span<const std::string> overrides = {});
SceneWithSource parse_scene_with_source(std::string_view text, const std::string& file_name,
                                        std::span<const std::string> overrides = {});

/// The resolved scene, with all defaults filled in. parse_scene reads it back to the same bits.
std::string to_json(const Scene& scene);

/// JSON Schema (draft-07) of the format.
std::string json_schema();

/// The reference of the format: the text of docs/scene.md.
std::string scene_reference_markdown();

}  // namespace thixo
