#include "core/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace thixo {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// The number behind a word at the beginning of a line.
std::optional<double> number_after(const std::filesystem::path& file, const std::string& word) {
    std::ifstream in(file);
    for (std::string key; in >> key;) {
        double value = 0;
        if (key == word && in >> value) return value;
        in.clear();
        in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return std::nullopt;
}

std::optional<double> only_number(const std::filesystem::path& file) {
    std::ifstream in(file);
    double value = 0;
    if (in >> value) return value;
    return std::nullopt;  // "max", or no such file
}

double free_on_machine() {
    const auto kilobytes = number_after("/proc/meminfo", "MemAvailable:");
    return kilobytes ? *kilobytes * 1024 : unlimited;
}

double left_of_limit(decltype(RLIMIT_AS) kind, const char* used_word) {
    rlimit limit{};
    if (::getrlimit(kind, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
    const double used = 1024 * number_after("/proc/self/status", used_word).value_or(0);
    return std::max(0.0, static_cast<double>(limit.rlim_cur) - used);
}

/// Of this process's control group (version 2) and those around it. What caches files can be taken back.
double left_of_control_groups() {
    std::ifstream in("/proc/self/cgroup");
    std::string line, own = "/";
    while (std::getline(in, line))
        if (line.starts_with("0::/")) own = line.substr(3);
    double left = unlimited;
    const std::filesystem::path root = "/sys/fs/cgroup";
    for (std::filesystem::path group = own;; group = group.parent_path()) {
        const std::filesystem::path folder = root / group.relative_path();
        const auto most = only_number(folder / "memory.max"), used = only_number(folder / "memory.current");
        if (most && used)
            left = std::min(
                left,
                std::max(0.0, *most - *used + number_after(folder / "memory.stat", "file").value_or(0)));
        if (group == group.parent_path() || group.empty()) return left;
    }
}

}  // namespace

double available_memory() {
    return std::min({free_on_machine(), left_of_control_groups(), left_of_limit(RLIMIT_AS, "VmSize:"),
                     left_of_limit(RLIMIT_DATA, "VmData:")});
}

}  // namespace thixo
