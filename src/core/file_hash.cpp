#include "core/file_hash.h"

#include "core/hash.h"
#include "core/input_file.h"

namespace thixo {

std::uint64_t hash_of_file(const std::string& path) {
    const std::string bytes = read_whole(path);
    return hash_bytes(bytes.data(), bytes.size());
}

}  // namespace thixo
