#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/atomic_file.h"
#include "core/byte_order.h"
#include "io/export_columns.h"
#include "io/particle_files.h"

namespace thixo {
namespace {

std::string ply_header(const ParticleColumns& particles, const FrameInfo& frame) {
    const std::vector<ExportColumn>& columns = particles.columns;
    std::string header = "ply\nformat binary_little_endian 1.0\n";
    header += fmt::format("comment Thixo {}: SI units, temperatures in degC, y is up, {}\n", particles.title,
                          particles.legend);
    header += fmt::format("comment time {}\ncomment frame {}\n", frame.time, frame.frame);
    header += provenance_lines(frame, "comment ");
    for (const ExportColumn& column : columns)
        for (std::size_t c = 0; c < column.components && !column.unit.empty(); ++c)
            header += fmt::format("comment unit {} {}\n", column.scalar_name(c), column.unit);
    header += fmt::format("element vertex {}\n", particles.rows.size());
    for (const ExportColumn& column : columns)
        for (std::size_t c = 0; c < column.components; ++c)
            header += fmt::format("property {} {}\n", info(column.type).ply, column.scalar_name(c));
    return header + "end_header\n";
}

}  // namespace

double ply_bytes_per_particle() { return static_cast<double>(row_bytes(export_columns({}))); }

void write_ply(const std::filesystem::path& path, const ParticleTable& particles, const FrameInfo& frame) {
    write_ply(path, particle_columns(particles), frame);
}

void write_ply(const std::filesystem::path& path, const ParticleColumns& particles, const FrameInfo& frame) {
    const std::vector<ExportColumn>& columns = particles.columns;
    const std::vector<Index>& rows = particles.rows;
    const std::size_t stride = row_bytes(columns);

    AtomicFile file(path);
    file.write(ply_header(particles, frame));
    // Blocks that stay in the cache while column after column is copied into them.
    constexpr std::size_t block = 4096;
    std::string packed(block * stride, '\0');
    for (std::size_t begin = 0; begin < rows.size(); begin += block) {
        const std::size_t count = std::min(block, rows.size() - begin);
        pack_rows(columns, {rows.data() + begin, count}, packed.data());
        file.write(packed.data(), count * stride);
    }
    file.commit();
}

}  // namespace thixo
