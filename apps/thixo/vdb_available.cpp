#include "vdb_available.h"

#include "vdb/vdb_file.h"

namespace thixo {

bool can_write_vdb() { return true; }

void write_field(const std::filesystem::path& path, const Surface& surface, double cell, double time) {
    const SurfaceField nothing{
        BlockGrid({1}, cell, {}), {}, static_cast<float>(3 * cell), static_cast<float>(-3 * cell)};
    write_vdb(path, surface.field ? *surface.field : nothing, surface.level, time);
}

}  // namespace thixo
