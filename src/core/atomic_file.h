#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <string_view>

namespace thixo {

/// A file that appears whole or not at all: written beside its destination, renamed by `commit`.
/// Without a commit the destructor removes what was written. Every failure (full disk, read-only
/// folder) is a RunError that names the file and the reason.
class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path destination);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(const void* bytes, std::size_t count);
    void write(std::string_view text) { write(text.data(), text.size()); }
    void commit();

private:
    [[noreturn]] void fail(const char* action) const;

    std::filesystem::path destination_;
    std::filesystem::path beside_;
    std::FILE* file_ = nullptr;
    bool committed_ = false;
};

/// Makes a folder and those above it, where they are missing; a failure is a RunError.
void create_folder(const std::filesystem::path& folder);

/// The whole of a small file at once.
void write_whole(const std::filesystem::path& destination, std::string_view text);

}  // namespace thixo
