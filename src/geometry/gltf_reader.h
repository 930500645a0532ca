#pragma once

#include "geometry/gltf_data.h"
#include "geometry/gltf_scene.h"

namespace thixo {

// What the lists of a glTF file say; each throws InputError where it contradicts itself.

std::vector<GltfNode> read_nodes(const GltfData& data);
std::vector<GltfMesh> read_meshes(const GltfData& data);
std::vector<GltfSkin> read_skins(const GltfData& data);
std::vector<GltfClip> read_clips(const GltfData& data, const std::vector<GltfNode>& nodes,
                                 const std::vector<GltfMesh>& meshes);

}  // namespace thixo
