// Particles in PLY files: as they are, or built from elements and properties that the input chooses.

#include "particle_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string bytes(reinterpret_cast<const char*>(data), size);
    if (!bytes.starts_with("ply")) {
        FuzzedDataProvider draw(data, size);
        bytes = thixo::drawn_ply(draw);
    }
    thixo::read_all(thixo::parse_ply, std::move(bytes));
    return 0;
}
