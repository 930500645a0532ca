// The first line of the input that starts with "--set " is an override; the rest is a scene file.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "scene/load.h"

namespace {

/// What holds for every input: it is refused in printable lines, or understood and written so that it reads
/// back.
void check(std::string_view text, const std::vector<std::string>& overrides) {
    std::string resolved;
    try {
        resolved = thixo::to_json(thixo::parse_scene(text, "fuzz.json", overrides));
    } catch (const thixo::InputError& error) {
        const std::string_view message = error.what();
        if (message.empty() || message.size() > 20000) std::abort();
        for (const char c : message)
            if (static_cast<unsigned char>(c) < 0x20 && c != '\n') std::abort();
        return;
    }
    if (thixo::to_json(thixo::parse_scene(resolved, "other.json")) != resolved) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    std::vector<std::string> overrides;
    constexpr std::string_view mark = "--set ";
    if (text.starts_with(mark)) {
        const std::string_view line = text.substr(0, text.find('\n'));
        overrides.emplace_back(line.substr(mark.size()));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    check(text, overrides);
    return 0;
}
