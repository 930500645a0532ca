#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/vec.h"
#include "scene/describe.h"

namespace thixo {

/// JSON of one value: the shortest text that reads back to the same bits.
std::string json_text(double value);
std::string json_text(const std::string& value);
std::string json_text(const Vec3d& value);
inline std::string json_text(const Rotation& value) { return json_text(value.degrees()); }
inline std::string json_text(int value) { return std::to_string(value); }
inline std::string json_text(std::uint64_t value) { return std::to_string(value); }
inline std::string json_text(bool value) { return value ? "true" : "false"; }

template <class T>
requires std::is_enum_v<T> std::string json_text(T value) {
    for (const auto& choice : choices(Tag<T>{}))
        if (choice.value == value) return json_text(std::string(choice.name));
    return "null";
}

template <class T>
requires std::is_enum_v<T> std::string json_text(const std::vector<T>& list) {
    std::string text = "[";
    for (const T value : list) text += (text.size() > 1 ? ", " : "") + json_text(value);
    return text + "]";
}

template <class T>
inline constexpr bool is_json_scalar =
    std::is_arithmetic_v<T> || std::is_enum_v<T> || std::same_as<T, std::string> || std::same_as<T, Vec3d> ||
    std::same_as<T, Rotation>;

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
inline constexpr bool is_list_of_names = false;
template <class T>
inline constexpr bool is_list_of_names<std::vector<T>> = std::is_enum_v<T>;

}  // namespace thixo
