// Stands in for .vdb files where OpenVDB was not found.
#include "vdb_available.h"

#include "core/error.h"

namespace thixo {

bool can_write_vdb() { return false; }

void write_field(const std::filesystem::path&, const Surface&, double, double) {
    throw InputError("this program was built without OpenVDB");
}

}  // namespace thixo
