#include "core/atomic_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace thixo {

AtomicFile::AtomicFile(std::filesystem::path destination)
    : destination_(std::move(destination)), beside_(destination_.string() + ".part") {
    file_ = std::fopen(beside_.c_str(), "wb");
    if (!file_) fail("create");
    // One large buffer: exporters write a few bytes at a time.
    std::setvbuf(file_, nullptr, _IOFBF, std::size_t{1} << 18);
}

AtomicFile::~AtomicFile() {
    if (file_) std::fclose(file_);
    if (committed_) return;
    std::error_code ignored;
    std::filesystem::remove(beside_, ignored);
}

void AtomicFile::write(const void* bytes, std::size_t count) {
    if (count > 0 && std::fwrite(bytes, 1, count, file_) != count) fail("write");
}

void AtomicFile::commit() {
    // The data must reach the disk before the name does, or a power cut leaves an empty file.
    if (std::fflush(file_) != 0 || ::fsync(::fileno(file_)) != 0) fail("write");
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail("write");
    if (std::rename(beside_.c_str(), destination_.c_str()) != 0) fail("rename");
    committed_ = true;
}

void AtomicFile::fail(const char* action) const {
    throw RunError("cannot " + std::string(action) + " " + destination_.string() + ": " +
                   std::strerror(errno));
}

void create_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw RunError("cannot create " + folder.string() + ": " + error.message());
}

void write_whole(const std::filesystem::path& destination, std::string_view text) {
    AtomicFile file(destination);
    file.write(text);
    file.commit();
}

}  // namespace thixo
