#pragma once

#include <span>
#include <string>
#include <string_view>

namespace thixo {

struct JsonNumber;

/// Text from the input made safe for one line of a message: control characters (also the Unicode ones that
/// reorder or break lines) are written as \u00XX, and what is longer than `limit` characters is cut with "…".
/// Bytes that are not UTF-8 become "?".
std::string printable(std::string_view text, std::size_t limit = 60);

/// printable, in double quotes.
std::string quoted(std::string_view text, std::size_t limit = 60);

std::string number_text(const JsonNumber& number);

/// `740`, `1.5 million`, `10 billion`.
std::string count_text(double count);

/// Edits (insert, delete, replace, swap neighbours) between two words, ignoring case: optimal string
/// alignment, the restricted Damerau-Levenshtein distance.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known word closest to a misspelt one, or empty if none is close.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

/// `; did you mean "density"? (allowed: density, liquid, heat)`, without the question if no word is close.
std::string suggestion(std::string_view word, std::span<const std::string_view> known);

/// Length of the UTF-8 sequence at the start of `text`, 0 if it is not valid.
std::size_t utf8_length(std::string_view text);

}  // namespace thixo
