#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "core/atomic_file.h"
#include "core/base64.h"
#include "core/byte_order.h"
#include "io/export_columns.h"
#include "io/particle_files.h"

namespace thixo {
namespace {

/// One array, base64 inline: its length in bytes as UInt64, then the bytes, encoded as one stream without
/// white space. Raw appended data would be smaller but is not XML, and splashsurf refuses it; the UInt64
/// length is the one it expects.
void write_array(AtomicFile& file, ScalarType type, std::string_view name, std::size_t components,
                 std::string bytes) {
    const auto length = std::bit_cast<std::array<char, 8>>(static_cast<std::uint64_t>(bytes.size()));
    bytes.insert(0, length.data(), length.size());
    file.write(
        fmt::format(R"(        <DataArray type="{}" Name="{}" NumberOfComponents="{}" format="binary">)",
                    info(type).vtk, name, components));
    file.write(base64_encode(bytes));
    file.write("</DataArray>\n");
}

void write_column(AtomicFile& file, const ExportColumn& column, View<const Index> rows) {
    std::string bytes(rows.size() * column.bytes(), '\0');
    pack_rows({&column, 1}, rows, bytes.data());
    write_array(file, column.type, column.attribute.field, column.components, std::move(bytes));
}

/// n cells of one vertex each: connectivity 0 … n-1, offsets (where each cell ends) 1 … n.
void write_cells(AtomicFile& file, Index count) {
    constexpr char vtk_vertex = 1;
    std::vector<std::int64_t> numbers(count);
    const auto bytes = [&] {
        return std::string(reinterpret_cast<const char*>(numbers.data()),
                           numbers.size() * sizeof(numbers[0]));
    };
    std::iota(numbers.begin(), numbers.end(), 0);
    write_array(file, ScalarType::int64, "connectivity", 1, bytes());
    std::iota(numbers.begin(), numbers.end(), 1);
    write_array(file, ScalarType::int64, "offsets", 1, bytes());
    write_array(file, ScalarType::uint8, "types", 1, std::string(count, vtk_vertex));
}

std::string opening(const ParticleColumns& particles, const FrameInfo& frame) {
    std::string text = "<?xml version=\"1.0\"?>\n";
    text += fmt::format("<!-- Thixo {}. time: {} s, frame: {}, y is up, {}.{} Units:", particles.title,
                        frame.time, frame.frame, particles.legend, provenance_in_xml(frame));
    for (const ExportColumn& column : particles.columns)
        if (!column.unit.empty()) text += fmt::format(" {} {},", column.attribute.field, column.unit);
    text.back() = '.';
    text += " -->\n";
    text +=
        R"(<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64">)";
    text += "\n  <UnstructuredGrid>\n";
    // ParaView takes a lone file's time from this array.
    text += fmt::format(
        "    <FieldData>\n      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
        "format=\"ascii\">{}</DataArray>\n    </FieldData>\n",
        frame.time);
    text += fmt::format("    <Piece NumberOfPoints=\"{0}\" NumberOfCells=\"{0}\">\n", particles.rows.size());
    return text;
}

}  // namespace

double vtu_bytes_per_particle() {
    // base64 writes four characters for three bytes.
    constexpr std::size_t cell = 2 * sizeof(std::int64_t) + 1;
    return 4.0 / 3.0 * static_cast<double>(row_bytes(export_columns({})) + cell);
}

void write_vtu(const std::filesystem::path& path, const ParticleTable& particles, const FrameInfo& frame) {
    write_vtu(path, particle_columns(particles), frame);
}

void write_vtu(const std::filesystem::path& path, const ParticleColumns& particles, const FrameInfo& frame) {
    const std::vector<ExportColumn>& columns = particles.columns;
    const std::vector<Index>& rows = particles.rows;
    const auto is_position = [](const ExportColumn& column) { return column.attribute.field == "position"; };

    AtomicFile file(path);
    file.write(opening(particles, frame));
    file.write("      <Points>\n");
    write_column(file, *std::find_if(columns.begin(), columns.end(), is_position), rows);
    file.write("      </Points>\n      <Cells>\n");
    write_cells(file, static_cast<Index>(rows.size()));
    const bool has_temperature = std::any_of(columns.begin(), columns.end(), [](const ExportColumn& column) {
        return column.attribute.field == "temperature";
    });
    file.write(fmt::format("      </Cells>\n      <PointData{} Vectors=\"velocity\">\n",
                           has_temperature ? " Scalars=\"temperature\"" : ""));
    for (const ExportColumn& column : columns)
        if (!is_position(column)) write_column(file, column, rows);
    file.write("      </PointData>\n    </Piece>\n  </UnstructuredGrid>\n</VTKFile>\n");
    file.commit();
}

}  // namespace thixo
