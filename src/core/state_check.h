#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"

namespace thixo {

/// A saved state that cannot have been written by this program: thrown as an InputError, which the caller
/// completes with the file's name.
template <class... Values>
[[noreturn]] void refuse_state(std::string_view section, fmt::format_string<Values...> what,
                               Values&&... values) {
    throw InputError(
        fmt::format("section `{}`: {}", section, fmt::format(what, std::forward<Values>(values)...)));
}

/// Refuses an array whose length is not what it must be.
inline void check_length(std::string_view section, std::size_t length, std::size_t expected) {
    if (length != expected) refuse_state(section, "it has {} entries, which must be {}", length, expected);
}

}  // namespace thixo
