#pragma once

#include <cstdint>
#include <vector>

#include "core/launch.h"
#include "geometry/triangle_mesh.h"

namespace thixo {

/// `count` points on a mesh, spread so that each has about the same part A of its area around it: most
/// neighbours are 0.9 to 1.2 √A apart, those at a border about ½ √A from it. The same points for the same
/// seed, whatever the number of threads.
///
/// Darts that keep their distance make a start without clumps and holes, the distance being lowered until all
/// found room [McCool & Fiume 1992, Hierarchical Poisson disk sampling distributions]. Then each point goes
/// to the centroid of the part of the surface that it is nearest to, again and again [Du, Faber & Gunzburger
/// 1999, Centroidal Voronoi tessellations].
std::vector<Vec3d> scatter(TriangleMesh mesh, std::size_t count, std::uint64_t seed,
                           const Device& device = {});

}  // namespace thixo
