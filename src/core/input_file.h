#pragma once

#include <filesystem>
#include <string>

namespace thixo {

/// All bytes of a file. Failures are thrown as an InputError that the caller completes with the
/// file's name.
std::string read_whole(const std::filesystem::path& path);

}  // namespace thixo
