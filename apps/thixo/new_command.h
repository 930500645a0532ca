#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace thixo {

/// A small scene to begin with (templates/*.json).
struct SceneTemplate {
    std::string_view name, text;
};

std::span<const SceneTemplate> scene_templates();

/// Their names and first comments, a line each.
std::string template_list();

/// Writes a template to a file that must not exist yet, and prints what to do with it. No file: NAME.json.
int new_command(const std::string& name, std::filesystem::path file);

}  // namespace thixo
