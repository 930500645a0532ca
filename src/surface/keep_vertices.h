#pragma once

#include <cstdint>
#include <vector>

#include "geometry/surface_mesh.h"
#include "surface/obstacles.h"

namespace thixo {

/// What is known of the vertices of a mesh beside their attributes.
struct VertexNotes {
    std::vector<float> neighbours;     ///< of the particles around
    std::vector<WallContact> contact;  ///< empty without obstacles
};

/// Drops the vertices of which keep(v) is false, with all that is known of them, and the triangles and edges
/// that have one.
template <class Keep>
void keep_vertices(SurfaceMesh& mesh, VertexNotes& notes, const Keep& keep) {
    constexpr std::uint32_t dropped = ~std::uint32_t{0};
    std::vector<std::uint32_t> number(mesh.vertices.size(), dropped);
    std::uint32_t kept = 0;
    for (std::uint32_t v = 0; v < number.size(); ++v)
        if (keep(v)) number[v] = kept++;
    if (kept == mesh.vertices.size()) return;
    const auto compact = [&](auto& column) {
        if (column.empty()) return;
        for (std::uint32_t v = 0; v < number.size(); ++v)
            if (number[v] != dropped) column[number[v]] = column[v];
        column.resize(kept);
    };
    std::erase_if(mesh.triangles, [&](const SurfaceMesh::Corners& t) {
        return number[t[0]] == dropped || number[t[1]] == dropped || number[t[2]] == dropped;
    });
    for (SurfaceMesh::Corners& t : mesh.triangles)
        for (std::uint32_t& v : t) v = number[v];
    std::erase_if(mesh.edges, [&](const SurfaceMesh::Ends& e) {
        return number[e[0]] == dropped || number[e[1]] == dropped;
    });
    for (SurfaceMesh::Ends& e : mesh.edges) e = {number[e[0]], number[e[1]]};
    compact(mesh.vertices);
    compact(mesh.normals);
    compact(notes.neighbours);
    compact(notes.contact);
    for (SurfaceMesh::Attribute& attribute : mesh.attributes) compact(attribute.values);
}

}  // namespace thixo
