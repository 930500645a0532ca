#include "provenance.h"

#include <fmt/core.h>

#include <ctime>

#include "text.h"
#include "thixo/version.h"

namespace thixo {

std::string version_line() {
    const BuildInfo& info = build_info();
    return fmt::format("thixo {} (commit {}, {} for {})", info.version, info.commit, info.compiler,
                       info.processor);
}

const std::string& program_name() {
    static const std::string name = build_info().name();
    return name;
}

std::string command_line(int argc, const char* const* argv) {
    std::string line;
    for (int k = 0; k < argc; ++k) line += fmt::format("{}{}", k > 0 ? " " : "", shell_word(argv[k]));
    return line;
}

Provenance provenance_now(const std::string& command) {
    const BuildInfo& info = build_info();
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    ::gmtime_r(&now, &utc);
    char date[32];
    std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    // Scene files hold printable text of limited length only, and scene.json is one.
    return {.program = fmt::format("thixo {}", info.version),
            .commit = std::string(info.commit),
            .compiler = fmt::format("{} for {}", info.compiler, info.processor),
            .command = printable(command, 1000),
            .date = date};
}

}  // namespace thixo
