#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace thixo {

/// All bytes of a file. Failures are thrown as an InputError that the caller completes with the
/// file's name.
std::string read_whole(const std::filesystem::path& path);

/// A file open for reading by lines; not good where there is none. Pipes and devices are refused with an
/// InputError that has the file's name: a pipe that no process writes to would be waited for, and /dev/zero
/// has no end.
std::ifstream open_input(const std::filesystem::path& path);

}  // namespace thixo
