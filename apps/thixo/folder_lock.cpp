#include "folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include <fmt/core.h>

#include "core/error.h"

namespace thixo {

namespace {

/// "process 4711 on cluster7", as the other process wrote it.
std::string holder(int descriptor) {
    char text[300];
    const ssize_t count = ::pread(descriptor, text, sizeof text, 0);
    std::string line(text, count > 0 ? static_cast<std::size_t>(count) : 0);
    line = line.substr(0, line.find('\n'));
    for (const char c : line)
        if (static_cast<unsigned char>(c) < 0x20) return "another process";
    return line.empty() ? "another process" : line;
}

void introduce(int descriptor) {
    char host[256] = "this machine";
    ::gethostname(host, sizeof host - 1);
    const std::string line = fmt::format("process {} on {}\n", ::getpid(), host);
    // The lock holds without it; a full disk is met again by what the run writes.
    if (::ftruncate(descriptor, 0) != 0 ||
        ::pwrite(descriptor, line.data(), line.size(), 0) != static_cast<ssize_t>(line.size()))
        return;
}

/// Whether the name still leads to this file: its former owner may have removed it before we got the lock.
bool is_at(int descriptor, const std::filesystem::path& file) {
    struct stat ours, named;
    return ::fstat(descriptor, &ours) == 0 && ::stat(file.c_str(), &named) == 0 &&
           ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : file_(folder / "lock") {
    for (;;) {
        const int descriptor = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (descriptor < 0)
            throw RunError(fmt::format("cannot create {}: {}", file_.string(), std::strerror(errno)));
        if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            const int reason = errno;
            const std::string other = holder(descriptor);
            ::close(descriptor);
            if (reason == EWOULDBLOCK)
                throw InputError(
                    fmt::format("{} is in use by {}; wait until it ends, or choose another folder",
                                folder.string(), other));
            throw RunError(fmt::format("cannot lock {}: {}", file_.string(), std::strerror(reason)));
        }
        if (is_at(descriptor, file_)) {
            descriptor_ = descriptor;
            introduce(descriptor);
            return;
        }
        ::close(descriptor);
    }
}

FolderLock::~FolderLock() {
    if (descriptor_ < 0) return;
    ::unlink(file_.c_str());  // before the lock goes: nobody else's file can be at the name
    ::close(descriptor_);
}

}  // namespace thixo
