#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "geometry/triangle_mesh.h"

namespace thixo {

// The faces of a file as they are written, polygons cut into triangles; closed_mesh does the rest.
TriangleMesh parse_obj_mesh(std::string_view text);
TriangleMesh parse_ply_mesh(std::string_view bytes);
TriangleMesh parse_stl_mesh(std::string_view bytes);

/// ".obj" of "Duck.OBJ"
std::string small_extension(const std::filesystem::path& file);

/// Coordinates beyond this would overflow where they are squared and multiplied.
inline constexpr double largest_coordinate = 1e9;  // m

/// Throws InputError unless the vertex is of use; `where` is such as "line 7".
void check_vertex(const Vec3d& x, const std::string& where);

inline constexpr std::size_t most_corners = 1000;

/// Cuts a polygon into triangles by clipping ears, so that concave ones come out right too.
/// [Meisters 1975, Polygons have ears]
/// `texture` has the (u, v) of each corner; then every face of the mesh must have some.
void append_polygon(TriangleMesh& mesh, std::span<const std::uint32_t> corners,
                    std::span<const std::array<float, 2>> texture = {});

}  // namespace thixo
