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
/// order before anything is checked. What is wrong is thrown as an InputError with a line per problem:
/// `scenes/x.json:12:7: materials.water.densty: unknown key; did you mean "density"? (allowed: …)`.
Scene load_scene(const std::filesystem::path& file, std::span<const std::string> overrides = {});

/// The same from text; `file_name` appears in messages and gives the scene its name if it has none.
Scene parse_scene(std::string_view text, const std::string& file_name,
                  std::span<const std::string> overrides = {});

/// A scene that remembers where its keys were written, for failures that are found later.
struct SceneWithSource {
    Scene scene;
    JsonValue root;
    Sources sources;

    /// An error about a key such as `objects.0.shape`, at its position or that of the nearest key that was
    /// written.
    InputError error(std::string_view path, std::string_view message) const;
};
SceneWithSource load_scene_with_source(const std::filesystem::path& file,
                                       std::span<const std::string> overrides = {});
SceneWithSource parse_scene_with_source(std::string_view text, const std::string& file_name,
                                        std::span<const std::string> overrides = {});

/// The scene as understood, with every default filled in. parse_scene gives the same scene back, bit by bit.
std::string to_json(const Scene& scene);

/// JSON Schema (draft-07) of the format.
std::string json_schema();

/// The reference of the format: the text of docs/scene.md.
std::string scene_reference_markdown();

}  // namespace thixo
