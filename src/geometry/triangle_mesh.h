#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/vec.h"
#include "geometry/bounds.h"

namespace thixo {

struct TriangleMesh {
    using Corners = std::array<std::uint32_t, 3>;
    using TextureCorners = std::array<std::array<float, 2>, 3>;

    std::vector<Vec3d> vertices;     ///< m
    std::vector<Corners> triangles;  ///< counter-clockwise when seen from outside
    /// (u, v) at the corners of each triangle; empty: the mesh has none. Corners, not vertices, so that a
    /// texture may have seams.
    std::vector<TextureCorners> texture = {};
};

/// Reads an OBJ, PLY, STL or glTF file and checks that it is a watertight surface (`closed_mesh`). Errors are
/// thrown as an InputError that names the file and the line, byte, face or edge.
TriangleMesh load_mesh(const std::filesystem::path& file);

/// The mesh as a surface that has an inside: equal vertices joined, triangles that thereby lost a corner
/// dropped, turned around where its normals pointed inwards. Throws InputError if the surface has holes, if
/// more than two triangles share an edge, if neighbours disagree about what is outside, or if it encloses
/// nothing.
TriangleMesh closed_mesh(TriangleMesh mesh);

/// Meshes with the same triangles as closed ones, which have the same triangles again: vertices are joined
/// where they are equal in all of them. Throws InputError as `closed_mesh` does.
std::vector<TriangleMesh> closed_meshes(std::vector<TriangleMesh> meshes);

/// Reads a mesh file as a surface that may have borders (`open_mesh`).
TriangleMesh load_surface(const std::filesystem::path& file);

/// Equal vertices joined, triangles that thereby lost a corner dropped. Throws InputError if nothing is left.
TriangleMesh open_mesh(TriangleMesh mesh);

/// m²
double area(const TriangleMesh& mesh, const TriangleMesh::Corners& triangle);

/// m³; positive when normals point outwards.
double volume(const TriangleMesh& mesh);

Bounds bounds(const TriangleMesh& mesh);

}  // namespace thixo
