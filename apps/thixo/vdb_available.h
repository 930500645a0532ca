#pragma once

#include <filesystem>

#include "surface/reconstruct.h"

namespace thixo {

/// Whether this program was built with OpenVDB.
bool can_write_vdb();
/// Writes the field of a surface; without matter it is empty.
void write_field(const std::filesystem::path& path, const Surface& surface, double cell, double time);

}  // namespace thixo
