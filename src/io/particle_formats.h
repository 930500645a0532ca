#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <string_view>

#include "io/particle_file.h"
#include "io/particle_files.h"
#include "io/particle_format.h"

namespace thixo {

/// What has to be known about a format of particle files: scene files, the run folder, `check`, `info` and
/// `render` take it from here. A further format is a line of `particle_formats` and the functions it names.
struct ParticleFormatInfo {
    ParticleFormat format;
    std::string_view name;  ///< in scene files; with a dot in front the extension of the files
    std::string_view help;  ///< for the reference of scene files
    /// Whether a file that begins with these bytes is of this format.
    bool (*matches)(std::string_view bytes);
    ParticleFile (*parse)(std::string bytes);
    void (*write)(const std::filesystem::path& path, const ParticleTable& particles, const FrameInfo& frame);
    void (*write_columns)(const std::filesystem::path& path, const ParticleColumns& particles,
                          const FrameInfo& frame);
    double (*bytes_per_particle)();
    /// The file that joins the frames of a run into a time series, and what writes it; none for most formats.
    std::string_view series_file{};
    void (*write_series)(const std::filesystem::path& path, std::span<const SeriesEntry> frames) = nullptr;
};

/// The formats in the order in which `render` looks for files.
inline constexpr std::array particle_formats{
    ParticleFormatInfo{ParticleFormat::ply, "ply", "binary PLY",
                       [](std::string_view bytes) { return bytes.starts_with("ply"); }, parse_ply, write_ply,
                       write_ply, ply_bytes_per_particle},
    ParticleFormatInfo{
        ParticleFormat::vtu, "vtu", "for ParaView",
        [](std::string_view bytes) { return bytes.starts_with("<?xml") || bytes.starts_with("<VTKFile"); },
        parse_vtu, write_vtu, write_vtu, vtu_bytes_per_particle, "particles.pvd", write_pvd},
    ParticleFormatInfo{ParticleFormat::bgeo, "bgeo", "for Houdini",
                       [](std::string_view bytes) { return bytes.starts_with("Bgeo"); }, parse_bgeo,
                       write_bgeo, write_bgeo, bgeo_bytes_per_particle},
};

constexpr const ParticleFormatInfo& info(ParticleFormat format) {
    return particle_formats[static_cast<std::size_t>(format)];
}

/// Whether files of this extension, which begins with a dot, hold particles.
constexpr bool is_particle_extension(std::string_view extension) {
    for (const ParticleFormatInfo& format : particle_formats)
        if (extension.size() == format.name.size() + 1 && extension.ends_with(format.name)) return true;
    return false;
}

}  // namespace thixo
