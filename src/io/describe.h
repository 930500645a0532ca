#pragma once

#include <filesystem>
#include <string>

namespace thixo {

/// What a particle file (.ply, .vtu, .bgeo) holds, for people: format, count, time, bounding box, and each
/// attribute with its smallest, mean and largest value. Throws InputError for a file that cannot be read.
std::string describe_file(const std::filesystem::path& path);

}  // namespace thixo
