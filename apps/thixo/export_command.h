#pragma once

#include <filesystem>
#include <string>

#include "render_command.h"

namespace thixo {

/// `thixo export DIR --to usd|gltf|obj|vtp`: matter, obstacles, camera, lights and looks of a run for other
/// programs.
struct ExportOptions {
    RenderOptions view;  ///< folder, frames, camera, surfaces, what is hidden; `out`: where files go
    std::string to;
    bool surfaces = true;
    bool particles = true;
};

CLI::App* add_export_command(CLI::App& app, ExportOptions& options);

/// Returns 0; throws InputError for wrong options and RunError if a file cannot be written.
int export_command(const ExportOptions& options);

}  // namespace thixo
