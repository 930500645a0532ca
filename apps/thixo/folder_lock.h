#pragma once

#include <filesystem>
#include <utility>

namespace thixo {

/// Keeps a folder for this process: while it lives, no other process gets one for the same folder. The kernel
/// releases the lock (flock) when the process ends, however it ends, so that what a killed process leaves
/// does not block other processes. The file `lock` in the folder says which process it is; it is removed with
/// the lock.
class FolderLock {
public:
    /// The folder must exist. An InputError that names the other process if the folder is in use, a RunError
    /// if nothing can be written there.
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(FolderLock&& other) noexcept
        : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
    FolderLock& operator=(FolderLock&&) = delete;

private:
    std::filesystem::path file_;
    int descriptor_ = -1;
};

}  // namespace thixo
