#include "geometry/surface_mesh.h"

#include <algorithm>

namespace thixo {

namespace {

void give_parts(SurfaceMesh& mesh) {
    mesh.part.resize(mesh.triangles.size(), SurfacePart::liquid);
    mesh.texture.resize(mesh.triangles.size());
    mesh.texture_number.resize(mesh.triangles.size(), SurfaceMesh::no_texture);
}

/// The number of a texture in the list, to which it is added if it is new and there is room.
std::uint8_t number_of(std::vector<std::string>& textures, const std::string& file) {
    const auto found = std::find(textures.begin(), textures.end(), file);
    if (found != textures.end()) return static_cast<std::uint8_t>(found - textures.begin());
    if (textures.size() >= SurfaceMesh::no_texture) return SurfaceMesh::no_texture;
    textures.push_back(file);
    return static_cast<std::uint8_t>(textures.size() - 1);
}

void append_parts(SurfaceMesh& mesh, SurfaceMesh other) {
    give_parts(mesh);
    give_parts(other);
    mesh.part.insert(mesh.part.end(), other.part.begin(), other.part.end());
    mesh.texture.insert(mesh.texture.end(), other.texture.begin(), other.texture.end());
    for (const std::uint8_t number : other.texture_number)
        mesh.texture_number.push_back(number < other.textures.size()
                                          ? number_of(mesh.textures, other.textures[number])
                                          : SurfaceMesh::no_texture);
}

}  // namespace

void append(SurfaceMesh& mesh, const SurfaceMesh& other) {
    if (mesh.vertices.empty()) {
        mesh = other;
        return;
    }
    if (mesh.has_parts() || other.has_parts()) append_parts(mesh, other);
    const auto offset = static_cast<std::uint32_t>(mesh.vertices.size());
    std::erase_if(mesh.attributes, [&](SurfaceMesh::Attribute& attribute) {
        for (const SurfaceMesh::Attribute& more : other.attributes) {
            if (more.name != attribute.name) continue;
            attribute.values.insert(attribute.values.end(), more.values.begin(), more.values.end());
            return false;
        }
        return !other.vertices.empty();
    });
    mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
    mesh.normals.insert(mesh.normals.end(), other.normals.begin(), other.normals.end());
    for (const SurfaceMesh::Ends& edge : other.edges)
        mesh.edges.push_back({edge[0] + offset, edge[1] + offset});
    for (SurfaceMesh::Corners triangle : other.triangles) {
        for (std::uint32_t& corner : triangle) corner += offset;
        mesh.triangles.push_back(triangle);
    }
}

}  // namespace thixo
