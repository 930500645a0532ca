#include "core/input_file.h"

#include <fstream>

#include "core/error.h"

namespace thixo {

std::string read_whole(const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) throw InputError("no such file");
    if (std::filesystem::is_directory(status)) throw InputError("is a folder, not a file");
    std::ifstream stream(path, std::ios::binary);
    const auto size = std::filesystem::file_size(path, error);
    if (!stream || error) throw InputError("cannot be read");
    std::string bytes(size, '\0');
    stream.read(bytes.data(), static_cast<std::streamsize>(size));
    bytes.resize(static_cast<std::size_t>(stream.gcount()));
    return bytes;
}

}  // namespace thixo
