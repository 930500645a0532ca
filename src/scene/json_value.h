#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace thixo {

/// Position in the input. Lines and columns count from 1, columns in code points.
struct Position {
    std::uint32_t source = 0;  ///< 0: the scene file; k: the k-th override of the command line
    std::uint32_t line = 0;
    std::uint32_t column = 0;

    friend auto operator<=>(const Position&, const Position&) = default;
};

/// A number as written: `1e3` and `1000` are both integers of value 1000.
struct JsonNumber {
    double value = 0;
    bool integer = false;  ///< magnitude and negative give the exact value
    bool negative = false;
    std::uint64_t magnitude = 0;
};

struct JsonMember;

/// A JSON value with its position in the input. Members keep the order of the file.
struct JsonValue {
    using Array = std::vector<JsonValue>;
    using Object = std::vector<JsonMember>;

    Position at;
    std::variant<std::monostate, bool, JsonNumber, std::string, Array, Object> data;

    template <class T>
    const T* as() const {
        return std::get_if<T>(&data);
    }
    template <class T>
    T* as() {
        return std::get_if<T>(&data);
    }
    const JsonMember* find(std::string_view key) const;
    JsonMember* find(std::string_view key);
};

struct JsonMember {
    std::string key;
    Position at;
    JsonValue value;
};

/// Description for messages: `the string "heavy"`, `the number 3`, `a list of 4`, `null`.
std::string describe_value(const JsonValue& value);

/// Appends one step to a path, quoting names with special characters: `materials."a.b"`.
std::string join_path(std::string_view path, std::string_view step);

}  // namespace thixo
