#pragma once

#include <functional>
#include <string_view>
#include <type_traits>
#include <variant>

#include "scene/json_text.h"
#include "scene/rule.h"

namespace thixo {

// Visitors of the tables of describe*.h for whatever writes JSON: a Writer has key(name) and write(value).

/// Writes the members of a struct; an empty optional is left out.
template <class Writer, class T>
struct MemberWriter {
    Writer& writer;
    const T& value;

    template <class Access>
    void field(std::string_view name, Access access, const Rule&) {
        const auto& member = std::invoke(access, value);
        if constexpr (is_optional<std::remove_cvref_t<decltype(member)>>) {
            if (!member) return;
            writer.key(name);
            writer.write(*member);
        } else {
            writer.key(name);
            writer.write(member);
        }
    }
};

/// Writes the name of the alternative that a variant has, and its value.
template <class Writer, class Variant>
struct KindWriter {
    Writer& writer;
    const Variant& variant;

    template <class T>
    void alternative(std::string_view name, const Rule&, std::string_view) {
        if (const T* value = std::get_if<T>(&variant)) {
            writer.key(name);
            writer.write(*value);
        }
    }
};

}  // namespace thixo
