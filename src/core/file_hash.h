#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace thixo {

/// Hashes of the contents of files, by path.
using FileHashes = std::map<std::string, std::uint64_t>;

/// Throws an InputError without the file's name, as `read_whole`.
std::uint64_t hash_of_file(const std::string& path);

}  // namespace thixo
