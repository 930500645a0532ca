#pragma once

#include "core/launch.h"
#include "geometry/surface_mesh.h"

namespace thixo {

/// The attribute of particles and vertices that says how far the surface of particles has grown where a skin
/// leaves (`SkinMemory::grown`).
inline constexpr const char* grown_attribute = "grown";

/// Draws the surface of `particles` back by up to 0.4 spacings where it has not grown yet, so that it comes
/// up slowly below a skin that leaves, and stays below it where the two overlap. It goes towards the
/// particles beside it and stops short of them: along normals, thin matter and rims at walls would be turned
/// inside out. The attribute is dropped.
void lower_ungrown(const Device& device, SurfaceMesh& mesh, View<const Vec3f> particles, double spacing);

}  // namespace thixo
