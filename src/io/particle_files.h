#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "particles/table.h"

namespace thixo {

/// What a particle file says about itself besides its particles.
struct FrameInfo {
    int frame = 0;
    double time = 0;                ///< s
    std::string_view program = {};  ///< that wrote it: "thixo 0.1.0, commit a8f7011c0f2d"
    std::string_view scene = {};    ///< name of the scene it comes from
};

/// A line for each of program and scene that is known: "comment program thixo 0.1.0, commit a8f7011c0f2d\n"
/// with the prefix "comment ".
std::string provenance_lines(const FrameInfo& frame, std::string_view prefix);

/// The same within an XML comment, where two hyphens in a row must not stand: " program: …. scene: ….", or
/// nothing.
std::string provenance_in_xml(const FrameInfo& frame);

// Every writer stores the attributes of export_columns.h, ordered by id, and replaces the file in one go:
// a full disk or a folder that cannot be written is a RunError and leaves the former file untouched.

struct ParticleColumns;

// The same of any columns (export_columns.h).
void write_ply(const std::filesystem::path& path, const ParticleColumns& particles, const FrameInfo& frame);
void write_vtu(const std::filesystem::path& path, const ParticleColumns& particles, const FrameInfo& frame);
void write_bgeo(const std::filesystem::path& path, const ParticleColumns& particles, const FrameInfo& frame);

/// PLY, binary little endian: the compact one, and what `thixo render` and `thixo surface` read.
void write_ply(const std::filesystem::path& path, const ParticleTable& particles,
               const FrameInfo& frame = {});

/// VTK unstructured grid of vertices, base64 inline.
void write_vtu(const std::filesystem::path& path, const ParticleTable& particles,
               const FrameInfo& frame = {});

/// Houdini's classic binary geometry, version 5.
void write_bgeo(const std::filesystem::path& path, const ParticleTable& particles,
                const FrameInfo& frame = {});

/// What a frame adds to the size of a file for each of its particles.
double ply_bytes_per_particle();
double vtu_bytes_per_particle();
double bgeo_bytes_per_particle();

/// One frame of a time series.
struct SeriesEntry {
    double time = 0;   ///< s
    std::string file;  ///< relative to the folder of the file that lists it, with forward slashes
};

/// ParaView's collection that makes one time series of many .vtu files; written whole, so that a resumed run
/// only has to list what exists.
void write_pvd(const std::filesystem::path& path, std::span<const SeriesEntry> entries);

}  // namespace thixo
