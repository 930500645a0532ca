#include "skin/hand_over.h"

#include <algorithm>

#include "surface/smooth.h"

namespace thixo {

namespace {

/// Spacings; less than the radius of a single particle, whose surface would turn inside out.
constexpr float lowered = 0.4f;

}  // namespace

void lower_ungrown(const Device& device, SurfaceMesh& mesh, double spacing) {
    const auto column =
        std::find_if(mesh.attributes.begin(), mesh.attributes.end(),
                     [](const SurfaceMesh::Attribute& a) { return a.name == grown_attribute; });
    if (column == mesh.attributes.end()) return;
    const float depth = lowered * static_cast<float>(spacing);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        mesh.vertices[v] =
            mesh.vertices[v] - (depth * (1 - std::clamp(column->values[v], 0.f, 1.f))) * mesh.normals[v];
    mesh.attributes.erase(column);
    set_mesh_normals(device, mesh);
}

}  // namespace thixo
