#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "core/scalar_type.h"
#include "particles/table.h"

namespace thixo {

/// An attribute of the particle table that every particle file carries.
struct ExportedAttribute {
    std::string_view field;                     ///< its name in fields.h, and of the array in VTU files
    std::array<std::string_view, 3> scalars{};  ///< PLY properties of a vector's components
    std::string_view houdini{};                 ///< what Houdini calls it, where that differs
};

/// What is exported, in file order. Type and unit come from fields.h, so this line is all that a further
/// attribute needs in any format.
inline constexpr std::array exported_attributes{
    ExportedAttribute{"position", {"x", "y", "z"}, "P"},
    ExportedAttribute{"velocity", {"vx", "vy", "vz"}, "v"},
    ExportedAttribute{"id"},
    ExportedAttribute{"radius"},
    ExportedAttribute{"density"},
    ExportedAttribute{"temperature"},
    ExportedAttribute{"phase"},
    ExportedAttribute{"material"},
    ExportedAttribute{"object"},
    ExportedAttribute{"body"},
    ExportedAttribute{"rim"},
    ExportedAttribute{"mass"},
    ExportedAttribute{"pressure"},
};

/// A column of the table without its C++ type, as the writers copy it.
struct ExportColumn {
    ExportedAttribute attribute;
    std::string_view unit;
    ScalarType type = ScalarType::float32;
    std::size_t components = 1;
    const char* data = nullptr;

    std::size_t bytes() const { return components * info(type).size; }
    std::string_view scalar_name(std::size_t c) const {
        return components == 1 ? attribute.field : attribute.scalars[c];
    }
    std::string_view houdini_name() const {
        return attribute.houdini.empty() ? attribute.field : attribute.houdini;
    }
};

std::vector<ExportColumn> export_columns(const ParticleTable& particles);

/// What the writers of particle files write. Columns must have `position` and `radius`.
struct ParticleColumns {
    std::vector<ExportColumn> columns;
    std::vector<Index> rows;  ///< of the columns, in the order of the file
    std::string_view title;   ///< what it is
    std::string_view legend;  ///< what numbers of a column mean
};

/// All attributes of a table that files carry, by id.
ParticleColumns particle_columns(const ParticleTable& particles);

/// What one particle takes when its columns are stored without gaps.
std::size_t row_bytes(std::span<const ExportColumn> columns);

/// Row numbers by ascending id: rows move between frames, files keep one order. O(n) where ids are dense.
std::vector<Index> rows_by_id(View<const std::uint32_t> id);

/// Copies the given rows of the columns into `target`, packed without gaps.
void pack_rows(std::span<const ExportColumn> columns, View<const Index> rows, char* target);

}  // namespace thixo
