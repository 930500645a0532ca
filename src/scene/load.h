#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"
#include "scene/json_value.h"
#include "scene/problems.h"
#include "scene/scene_file.h"

namespace thixo {

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

}  // namespace thixo
