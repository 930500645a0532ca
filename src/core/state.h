#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/view.h"

namespace thixo {

// One list of all state. A type that owns something that the next step depends on names it in one function,
//
//     template <class Self, class Visitor> static void list_state(Self& self, Visitor& visit)
//
// which calls visit(name, value, order) for each array and each single value of trivially copyable entries.
// Self is const when state is saved or hashed, and not when it is loaded: checkpoints are written and read,
// and the hash of the state is computed, by visitors of the same list.

/// What the place of an entry in an array means.
enum class StateOrder {
    by_row,  ///< nothing: there is one entry for each row of the particle table, and rows are sorted now and
             ///< then
    listed   ///< entry k belongs to number k, or comes after entry k − 1
};

/// An array, or a single value as an array of one.
template <class T>
View<const T> entries_of(const std::vector<T>& array) {
    return array;
}
template <class T>
requires std::is_trivially_copyable_v<T> View<const T> entries_of(const T& value) { return {&value, 1}; }

/// A part of the simulation that has state, or memory that grows with the number of particles.
template <class Part, class Visitor>
concept HasState = requires(Part& part, Visitor& visit) {
    std::remove_const_t<Part>::list_state(part, visit);
};
template <class Part>
concept HasMemory = requires(const Part& part) {
    part.bytes();
};

/// Calls visit(name, value, order) for all that a part lists.
template <class Part, class Visitor>
void visit_state(Part& part, Visitor&& visit) {
    std::remove_const_t<Part>::list_state(part, visit);
}

/// Bytes of arrays.
template <class... T>
std::size_t bytes_of(const std::vector<T>&... arrays) {
    return (std::size_t{0} + ... + (arrays.capacity() * sizeof(T)));
}

}  // namespace thixo
