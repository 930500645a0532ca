#pragma once

#include <limits>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace thixo {

/// CLI::Range of real numbers, which takes NaN for a number within any limits and writes its limits with six
/// digits after the point.
inline CLI::Validator within(double least, double most) {
    const auto check = [least, most](std::string& text) -> std::string {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= least && value <= most) return {};
        return fmt::format("{} is out of range; allowed: {:g} to {:g}", text, least, most);
    };
    return {check, fmt::format("FLOAT in [{:g} - {:g}]", least, most)};
}

/// Of lengths in m, speeds and the like.
inline CLI::Validator above_zero(const char* unit) {
    const auto check = [unit](std::string& text) -> std::string {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && value > 0 && value <= 1e6) return {};
        return fmt::format("{} is out of range; expected a number above 0 {}, at most 1000000", text, unit);
    };
    return {check, "POSITIVE"};
}

}  // namespace thixo
