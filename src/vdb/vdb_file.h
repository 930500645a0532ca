#pragma once

#include <filesystem>

#include "surface/field.h"

namespace thixo {

/// Writes the field as a level set for OpenVDB: the grid `surface`, negative inside, with φ = 0 where the
/// field is `level` and no matter behind walls; nodes and blocks are those of the field. The file appears
/// whole or not at all: a full disk is a RunError.
void write_vdb(const std::filesystem::path& path, const SurfaceField& field, double level, double time);

}  // namespace thixo
