#include "io/export_columns.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "io/particle_frame.h"

namespace thixo {
namespace {

template <class T>
struct Stored {
    static constexpr std::size_t components = 1;
    using Scalar = T;
};
template <>
struct Stored<Phase> {
    static constexpr std::size_t components = 1;
    using Scalar = std::underlying_type_t<Phase>;
};
template <>
struct Stored<Vec3f> {
    static constexpr std::size_t components = 3;
    using Scalar = float;
};

template <class T>
constexpr ScalarType scalar_type_of() {
    if constexpr (std::is_same_v<T, float>) return ScalarType::float32;
    if constexpr (std::is_same_v<T, std::uint8_t>) return ScalarType::uint8;
    if constexpr (std::is_same_v<T, std::uint16_t>) return ScalarType::uint16;
    if constexpr (std::is_same_v<T, std::uint32_t>) return ScalarType::uint32;
}

/// `bytes` may be a constant of the type: a copy of known size is one instruction, another one a call.
template <class Bytes>
void copy_strided(Bytes bytes, const char* from, View<const Index> rows, char* to, std::size_t stride) {
    for (const Index row : rows) {
        std::memcpy(to, from + row * std::size_t{bytes}, bytes);
        to += stride;
    }
}

template <std::size_t... known>
void copy_column(const ExportColumn& column, View<const Index> rows, char* to, std::size_t stride,
                 std::index_sequence<known...>) {
    const auto copy = [&](auto bytes) { copy_strided(bytes, column.data, rows, to, stride); };
    const bool copied =
        ((column.bytes() == known && (copy(std::integral_constant<std::size_t, known>()), true)) || ...);
    if (!copied) copy(column.bytes());
}

constexpr std::uint32_t no_row = 0xffffffffu;

/// The row of each id between the smallest and the largest; empty where two rows have one id.
std::vector<Index> rows_by_dense_id(View<const std::uint32_t> id, std::uint32_t smallest, std::size_t range) {
    std::vector<Index> row_of(range, no_row);
    for (Index row = 0; row < id.size(); ++row) {
        Index& of_id = row_of[id[row] - smallest];
        if (of_id != no_row) return {};
        of_id = row;
    }
    std::erase(row_of, no_row);
    return row_of;
}

}  // namespace

std::vector<ExportColumn> export_columns(const ParticleTable& particles) {
    std::vector<ExportColumn> columns;
    for (const ExportedAttribute& attribute : exported_attributes)
        particles.for_each_field([&](const auto& column, std::string_view name, std::string_view unit) {
            using T = typename std::remove_cvref_t<decltype(column)>::value_type;
            if (name == attribute.field)
                columns.push_back({attribute, unit, scalar_type_of<typename Stored<T>::Scalar>(),
                                   Stored<T>::components, reinterpret_cast<const char*>(column.data())});
        });
    return columns;
}

ParticleColumns particle_columns(const ParticleTable& particles) {
    return {export_columns(particles), rows_by_id(particles.id), "particles",
            "phase 0 liquid 1 elastic 2 rigid"};
}

std::size_t row_bytes(std::span<const ExportColumn> columns) {
    std::size_t bytes = 0;
    for (const ExportColumn& column : columns) bytes += column.bytes();
    return bytes;
}

std::vector<Index> rows_by_id(View<const std::uint32_t> id) {
    if (id.empty()) return {};
    const auto [smallest, largest] = std::minmax_element(id.begin(), id.end());
    const std::size_t range = std::size_t{*largest} - *smallest + 1;
    if (range / 4 <= id.size()) {
        std::vector<Index> rows = rows_by_dense_id(id, *smallest, range);
        if (!rows.empty()) return rows;
    }
    // Id and row in one word: the row decides between equal ids.
    std::vector<std::uint64_t> keys(id.size());
    for (Index row = 0; row < id.size(); ++row) keys[row] = std::uint64_t{id[row]} << 32 | row;
    std::sort(keys.begin(), keys.end());
    std::vector<Index> rows(id.size());
    std::transform(keys.begin(), keys.end(), rows.begin(),
                   [](std::uint64_t key) { return static_cast<Index>(key); });
    return rows;
}

void pack_rows(std::span<const ExportColumn> columns, View<const Index> rows, char* target) {
    const std::size_t stride = row_bytes(columns);
    for (const ExportColumn& column : columns) {
        copy_column(column, rows, target, stride, std::index_sequence<1, 2, 4, 12>());
        target += column.bytes();
    }
}

ParticleFrame frame_of(const ParticleTable& particles, double time) {
    const std::vector<Index> rows = rows_by_id(particles.id);
    ParticleFrame frame;
    frame.time = time;
    for (const ExportColumn& column : export_columns(particles)) {
        for (std::size_t c = 0; c < column.components; ++c) {
            std::vector<float>& values = frame.attributes[std::string(column.scalar_name(c))];
            values.reserve(rows.size());
            with_scalar_type(column.type, [&](auto zero) {
                const auto* data = reinterpret_cast<const decltype(zero)*>(column.data);
                for (const Index row : rows)
                    values.push_back(static_cast<float>(data[column.components * row + c]));
            });
        }
    }
    frame.position.reserve(rows.size());
    frame.radius.reserve(rows.size());
    for (const Index row : rows) {
        frame.position.push_back(particles.position[row]);
        frame.radius.push_back(particles.radius[row]);
    }
    return frame;
}

}  // namespace thixo
