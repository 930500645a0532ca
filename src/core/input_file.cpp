#include "core/input_file.h"

#include "core/error.h"

namespace thixo {

std::string read_whole(const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) throw InputError("no such file");
    if (error) throw InputError("cannot be read: " + error.message());
    if (std::filesystem::is_directory(status)) throw InputError("is a folder, not a file");
    // Opening a pipe that no process writes to would wait forever; a device has no size.
    if (!std::filesystem::is_regular_file(status)) throw InputError("is a pipe or a device, not a file");
    std::ifstream stream(path, std::ios::binary);
    const auto size = std::filesystem::file_size(path, error);
    if (!stream || error) throw InputError("cannot be read");
    std::string bytes(size, '\0');
    stream.read(bytes.data(), static_cast<std::streamsize>(size));
    bytes.resize(static_cast<std::size_t>(stream.gcount()));
    return bytes;
}

std::ifstream open_input(const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
        !std::filesystem::is_directory(status))
        throw InputError(path.string() + ": is a pipe or a device, not a file");
    return std::ifstream(path, std::ios::binary);
}

}  // namespace thixo
