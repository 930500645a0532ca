#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/vec.h"
#include "particles/table.h"

namespace thixo {

/// The particles of one file, as `thixo render`, `thixo surface` and `thixo info` use them.
struct ParticleFrame {
    std::vector<Vec3f> position;
    std::vector<float> radius;
    /// Every scalar property by name, x y z included. Ids above 2^24 are rounded: float holds no more.
    std::map<std::string, std::vector<float>> attributes;
    double time = 0;  ///< s; 0 where the file does not say
};

/// Particles of a PLY file: those that Thixo writes, and any other with x, y and z (ascii, little or big
/// endian, properties of any type in any order). Thixo's .vtu and .bgeo files are read too, under the same
/// names. A file without the property `radius` is refused unless a default is passed, and so is one with a
/// position or radius that no sphere can have. Throws InputError with the file's name and what is wrong.
ParticleFrame read_particles(const std::filesystem::path& path,
                             std::optional<float> default_radius = std::nullopt);

/// The same of a table: what would be read from the file that is written of it, to the last bit.
ParticleFrame frame_of(const ParticleTable& particles, double time);

}  // namespace thixo
