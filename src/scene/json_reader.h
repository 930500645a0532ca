#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "scene/json_value.h"

namespace thixo {

/// Text that is not JSON, or JSON beyond the limits below.
class JsonError : public std::runtime_error {
public:
    JsonError(Position where, std::string key_path, const std::string& message, bool is_syntax)
        : std::runtime_error(message), at(where), path(std::move(key_path)), syntax(is_syntax) {}

    Position at;
    std::string path;  ///< of the key concerned; may be empty
    bool syntax;       ///< not JSON at all, as opposed to a duplicate key or a number out of range
};

inline constexpr std::size_t largest_scene_bytes = 64u << 20;
inline constexpr std::size_t deepest_nesting = 64;
inline constexpr std::size_t most_values = 2'000'000;

/// Reads JSON with // and /* */ comments. Refuses duplicate keys, numbers beyond double, NUL bytes, text that
/// is not UTF-8, and what exceeds the limits above. `start` is the position of the first character; with line
/// 0 the text has no lines (an override) and every value gets `start` itself.
JsonValue parse_json(std::string_view text, Position start = {0, 1, 1});

}  // namespace thixo
