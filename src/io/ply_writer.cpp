#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/atomic_file.h"
#include "core/byte_order.h"
#include "io/export_columns.h"
#include "io/particle_files.h"

namespace thixo {
namespace {

std::string ply_header(const std::vector<ExportColumn>& columns, Index count, const FrameInfo& frame) {
    std::string header = "ply\nformat binary_little_endian 1.0\n";
    header +=
        "comment Thixo particles: SI units, temperatures in degC, y is up, phase 0 liquid 1 elastic 2 "
        "rigid\n";
    header += fmt::format("comment time {}\ncomment frame {}\n", frame.time, frame.frame);
    for (const ExportColumn& column : columns)
        for (std::size_t c = 0; c < column.components && !column.unit.empty(); ++c)
            header += fmt::format("comment unit {} {}\n", column.scalar_name(c), column.unit);
    header += fmt::format("element vertex {}\n", count);
    for (const ExportColumn& column : columns)
        for (std::size_t c = 0; c < column.components; ++c)
            header += fmt::format("property {} {}\n", info(column.type).ply, column.scalar_name(c));
    return header + "end_header\n";
}

}  // namespace

double ply_bytes_per_particle() { return static_cast<double>(row_bytes(export_columns({}))); }

void write_ply(const std::filesystem::path& path, const ParticleTable& particles, const FrameInfo& frame) {
    const std::vector<ExportColumn> columns = export_columns(particles);
    const std::vector<Index> rows = rows_by_id(particles.id);
    const std::size_t stride = row_bytes(columns);

    AtomicFile file(path);
    file.write(ply_header(columns, particles.size(), frame));
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
