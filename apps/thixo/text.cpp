#include "text.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/core.h>

namespace thixo {

std::string counted(std::uint64_t number, const std::string& noun) {
    return with_commas(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string human_bytes(double bytes) {
    constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    int unit = 0;
    for (; bytes >= 1000 && unit < 5; ++unit) bytes /= 1000;
    return fmt::format("{:.{}f} {}", bytes, bytes < 10 && unit > 0 ? 1 : 0, units[unit]);
}

std::string human_seconds(double seconds) {
    if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
    if (seconds < 59.5) return fmt::format("{:.0f} s", seconds);
    if (!(seconds < 1e9)) return fmt::format("{:.2g} years", seconds / 3.15576e7);
    const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
    if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
    return fmt::format("{}:{:02}:{:02} h", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string shell_word(const std::string& text) {
    const auto plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) ||
               std::string_view("_-./=,:+").find(c) != std::string::npos;
    };
    if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields(1);
    for (const char c : line)
        if (c == ',')
            fields.emplace_back();
        else if (c != '\r')
            fields.back() += c;
    return fields;
}

}  // namespace thixo
