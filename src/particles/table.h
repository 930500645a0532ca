#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/launch.h"
#include "core/state.h"
#include "core/vec.h"
#include "core/view.h"
#include "particles/phase.h"

namespace thixo {

/// Particles of elastic bodies and of lattices have an index there that, unlike their row, does not change
/// when rows are sorted; all others have this one.
inline constexpr std::uint32_t no_index = 0xffffffff;

/// All particles, one column per attribute of fields.h. Rows are sorted by cell, so a row's number means
/// nothing beyond one step; `id` is what lasts.
struct ParticleTable {
#define THIXO_FIELD(type, name, unit, initial, meaning) std::vector<type> name;
#include "particles/fields.h"
#undef THIXO_FIELD

    Index size() const { return static_cast<Index>(id.size()); }

    /// Adds rows that hold each field's initial value.
    void resize(Index count);

    /// Row k becomes the former row order[k], in every column; rows that are not in the order vanish.
    void permute(const Device& device, View<const Index> order);

    /// Calls visit(column, name, unit) for every column, in the order of fields.h.
    template <class Visit>
    void for_each_field(Visit&& visit) {
#define THIXO_FIELD(type, name, unit, initial, meaning) \
    visit(name, std::string_view(#name), std::string_view(unit));
#include "particles/fields.h"
#undef THIXO_FIELD
    }
    template <class Visit>
    void for_each_field(Visit&& visit) const {
#define THIXO_FIELD(type, name, unit, initial, meaning) \
    visit(name, std::string_view(#name), std::string_view(unit));
#include "particles/fields.h"
#undef THIXO_FIELD
    }

    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        self.for_each_field([&](auto& column, std::string_view name, std::string_view) {
            visit(name, column, StateOrder::by_row);
        });
    }

    std::size_t bytes() const;
};

/// Bytes of one row over all columns.
std::size_t bytes_per_particle();

/// Hash of all columns; the same for any order of the rows.
std::uint64_t state_hash(const Device& device, const ParticleTable& particles);

}  // namespace thixo
