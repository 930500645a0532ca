#include "core/words.h"

#include <algorithm>
#include <charconv>

namespace thixo {

std::vector<std::string_view> words(std::string_view line) {
    std::vector<std::string_view> result;
    constexpr std::string_view blank = " \t\r";
    for (std::size_t begin = line.find_first_not_of(blank); begin != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(blank, begin), line.size());
        result.push_back(line.substr(begin, end - begin));
        begin = line.find_first_not_of(blank, end);
    }
    return result;
}

std::string shown(std::string_view word) {
    std::string text(word.substr(0, 40));
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return text;
}

std::optional<double> number(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);  // from_chars does not accept a plus sign
    double value = 0;
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

}  // namespace thixo
