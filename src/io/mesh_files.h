#pragma once

#include <filesystem>
#include <string_view>

#include "geometry/surface_mesh.h"
#include "geometry/surface_settings.h"
#include "io/particle_files.h"

namespace thixo {

/// ply, obj, vtp, vdb: the ending of a format's files.
std::string_view file_ending(MeshFormat format);

// Each replaces its file in one go: a full disk is a RunError and leaves the former file untouched.

/// Writes a mesh with its normals and attributes; OBJ has no place for attributes. Fields (vdb) are not
/// meshes.
void write_mesh(const std::filesystem::path& path, const SurfaceMesh& mesh, MeshFormat format,
                const FrameInfo& frame = {});

void write_mesh_ply(const std::filesystem::path& path, const SurfaceMesh& mesh, const FrameInfo& frame);
void write_mesh_obj(const std::filesystem::path& path, const SurfaceMesh& mesh, const FrameInfo& frame);
void write_mesh_vtp(const std::filesystem::path& path, const SurfaceMesh& mesh, const FrameInfo& frame);

/// A mesh of a PLY, OBJ or VTP file as it is, open or not; of PLY and VTP files with normals and attributes
/// where they have them. Throws InputError with the file's name.
SurfaceMesh read_mesh(const std::filesystem::path& path);
SurfaceMesh parse_vtp_mesh(std::string_view bytes);

/// Whether a file holds a mesh: OBJ, VTP, or PLY with faces.
bool holds_mesh(const std::filesystem::path& path);

}  // namespace thixo
