#pragma once

#include <functional>
#include <limits>
#include <string>
#include <string_view>

namespace thixo {

/// Names a type for overload resolution.
template <class T>
struct Tag {
    using type = T;
};

/// Properties of one key besides its name and type.
struct Rule {
    std::string_view unit = {};
    double above = -std::numeric_limits<double>::infinity();  ///< the value must be larger
    double min =
        -std::numeric_limits<double>::infinity();  ///< the value, or each component, must not be smaller
    double max = std::numeric_limits<double>::infinity();  ///< … nor larger
    bool required = false;
    bool not_empty = false;     ///< of a list, map or text
    bool unique = false;        ///< of a list: no element twice
    bool bounded = false;       ///< of a shape: it must be bounded, so that particles can fill it
    bool layer = false;         ///< of a shape: sheets and rods are allowed; of a kind: it is a sheet or rod
    std::size_t longest = 200;  ///< of a text, bytes; most file systems end at 255
    bool folder_name = false;   ///< of a text: usable as the name of a folder
    std::string_view fallback = {};  ///< text of the default, if it is not the member's initial value
    std::string_view help = {};

    bool allows(double value) const { return value > above && value >= min && value <= max; }
    bool limited() const;
    /// `above 0 kg/m³`, `0 to 1`, `at least 0 Pa s`.
    std::string range_text() const;
};

/// One name of an enumeration.
template <class E>
struct Choice {
    std::string_view name;
    E value;
    std::string_view help = {};
    std::string_view unavailable = {};  ///< why it is not available; empty if it is
};

/// A struct that may be written as one of its members.
template <class T>
inline constexpr bool has_shorthand = requires {
    shorthand(Tag<T>{});
};

/// A member of a member, to be used where a pointer to member is: within(&Scene::model, &Model::seed).
template <class Outer, class Inner>
constexpr auto within(Outer outer, Inner inner) {
    return [=](auto&& object) -> decltype(auto) { return std::invoke(inner, std::invoke(outer, object)); };
}

}  // namespace thixo
