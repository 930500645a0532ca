#pragma once

#include <filesystem>
#include <string>

namespace thixo {

/// The PNG file that a mesh file names as its texture: `map_Kd` of the first material that has one in the
/// `mtllib` of an OBJ file, `comment TextureFile` of a PLY file; relative to the mesh file. Empty where none
/// is named, or where it is not there or not a PNG file.
std::string texture_named_by(const std::filesystem::path& mesh_file);

}  // namespace thixo
