#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "core/atomic_file.h"
#include "core/byte_order.h"
#include "core/error.h"
#include "io/export_columns.h"
#include "io/particle_files.h"

namespace thixo {
namespace {

// Houdini's classic format, version 5 (GPD.txt of the Houdini distribution): big endian, every value 32 bits.
// header | point attribute dictionary | points: x y z w, then the attributes | detail dictionary and values
// | end marker.

enum HoudiniType : std::int32_t { houdini_float = 0, houdini_int = 1, houdini_index = 4, houdini_vector = 5 };

HoudiniType houdini_type(const ExportColumn& column) {
    if (column.type != ScalarType::float32) return houdini_int;
    return column.components == 3 ? houdini_vector : houdini_float;
}

void append_definition(std::string& bytes, std::string_view name, std::size_t components, HoudiniType type) {
    append_big_endian(bytes, static_cast<std::uint16_t>(name.size()));
    bytes += name;
    append_big_endian(bytes, static_cast<std::uint16_t>(components));
    append_big_endian(bytes, static_cast<std::int32_t>(type));
    for (std::size_t c = 0; c < components; ++c) append_big_endian(bytes, std::int32_t{0});
}

/// A string: an index into the list of strings that its definition holds.
void append_string_definition(std::string& bytes, std::string_view name, std::string_view only_value) {
    only_value = only_value.substr(0, std::numeric_limits<std::uint16_t>::max());
    append_big_endian(bytes, static_cast<std::uint16_t>(name.size()));
    bytes += name;
    append_big_endian(bytes, std::uint16_t{1});
    append_big_endian(bytes, static_cast<std::int32_t>(houdini_index));
    append_big_endian(bytes, std::int32_t{1});
    append_big_endian(bytes, static_cast<std::uint16_t>(only_value.size()));
    bytes += only_value;
}

std::string header(Index points, std::size_t attributes) {
    std::string bytes = "BgeoV";
    constexpr std::int32_t version = 5, detail_attributes = 4, none = 0;
    for (const std::int32_t value : {version, static_cast<std::int32_t>(points), none, none, none,
                                     static_cast<std::int32_t>(attributes), none, none, detail_attributes})
        append_big_endian(bytes, value);
    return bytes;
}

/// Point attributes in file order: the position comes first without a definition, and the radius comes a
/// second time under the name by which Houdini sizes points.
std::vector<ExportColumn> point_columns(std::vector<ExportColumn> columns) {
    const auto named = [&](std::string_view field) {
        return std::find_if(columns.begin(), columns.end(),
                            [&](const ExportColumn& column) { return column.attribute.field == field; });
    };
    std::rotate(columns.begin(), named("position"), std::next(named("position")));
    ExportColumn pscale = *named("radius");
    pscale.attribute.houdini = "pscale";
    columns.push_back(pscale);
    return columns;
}

template <class T>
void pack_column(const ExportColumn& column, View<const Index> rows, char* target, std::size_t stride) {
    using Wide = std::conditional_t<std::is_same_v<T, float>, float, std::uint32_t>;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const char* from = column.data + rows[i] * column.bytes();
        for (std::size_t c = 0; c < column.components; ++c)
            store_big_endian(target + i * stride + c * 4,
                             static_cast<Wide>(load<T>(from + c * sizeof(T), false)));
    }
}

void pack_points(const std::vector<ExportColumn>& columns, View<const Index> rows, char* target,
                 std::size_t stride) {
    for (const ExportColumn& column : columns) {
        with_scalar_type(column.type,
                         [&](auto zero) { pack_column<decltype(zero)>(column, rows, target, stride); });
        target += column.components * 4;
        if (column.attribute.houdini != "P") continue;
        for (std::size_t i = 0; i < rows.size(); ++i) store_big_endian(target + i * stride, 1.0f);  // w
        target += 4;
    }
}

/// Bytes of a point: w beside the columns, each value in 32 bits.
std::size_t point_bytes(const std::vector<ExportColumn>& columns) {
    std::size_t values = 1;
    for (const ExportColumn& column : columns) values += column.components;
    return 4 * values;
}

std::string detail_section(const FrameInfo& frame) {
    std::string bytes;
    append_definition(bytes, "time", 1, houdini_float);
    append_definition(bytes, "frame", 1, houdini_int);
    append_string_definition(bytes, "program", frame.program);
    append_string_definition(bytes, "scene", frame.scene);
    append_big_endian(bytes, static_cast<float>(frame.time));
    append_big_endian(bytes, static_cast<std::int32_t>(frame.frame));
    append_big_endian(bytes, std::int32_t{0});  // the first and only program, the same for the scene
    append_big_endian(bytes, std::int32_t{0});
    bytes += '\0';
    bytes += '\xff';
    return bytes;
}

}  // namespace

double bgeo_bytes_per_particle() {
    return static_cast<double>(point_bytes(point_columns(export_columns({}))));
}

void write_bgeo(const std::filesystem::path& path, const ParticleTable& particles, const FrameInfo& frame) {
    write_bgeo(path, particle_columns(particles), frame);
}

void write_bgeo(const std::filesystem::path& path, const ParticleColumns& particles, const FrameInfo& frame) {
    const std::vector<Index>& rows = particles.rows;
    if (rows.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw RunError(fmt::format("cannot write {}: .bgeo holds 2147483647 points at most", path.string()));
    const std::vector<ExportColumn> columns = point_columns(particles.columns);

    AtomicFile file(path);
    std::string start = header(static_cast<Index>(rows.size()), columns.size() - 1);
    const std::size_t stride = point_bytes(columns);
    for (const ExportColumn& column : columns) {
        if (column.attribute.houdini != "P")
            append_definition(start, column.houdini_name(), column.components, houdini_type(column));
    }
    file.write(start);
    constexpr std::size_t block = 4096;
    std::string packed(block * stride, '\0');
    for (std::size_t begin = 0; begin < rows.size(); begin += block) {
        const std::size_t count = std::min(block, rows.size() - begin);
        pack_points(columns, {rows.data() + begin, count}, packed.data(), stride);
        file.write(packed.data(), count * stride);
    }
    file.write(detail_section(frame));
    file.commit();
}

}  // namespace thixo
