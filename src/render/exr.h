#pragma once

#include <filesystem>

#include "render/film.h"

namespace thixo {

/// OpenEXR, 32-bit floats, not compressed: linear light R G B, `albedo.R` …, `normal.X` …, and the depth Z
/// (m). Notes become attributes of the header (title, software, comment), by their keywords in small letters.
void write_exr(const std::filesystem::path& destination, const Film& film, const ImageNotes& notes = {});

}  // namespace thixo
