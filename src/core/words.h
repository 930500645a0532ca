#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thixo {

/// The words of a line of a text file, without the white space between them.
std::vector<std::string_view> words(std::string_view line);

/// A word of a file as it may be shown on a terminal.
std::string shown(std::string_view word);

/// The number that the whole word is, if it is one: as in C, with or without a plus sign.
std::optional<double> number(std::string_view word);

}  // namespace thixo
