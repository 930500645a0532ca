#pragma once

#include "surface/reconstruct.h"

namespace thixo {

/// The outline of particles in the plane z = 0 as closed polylines (`SurfaceMesh::edges`), the inside to
/// their left. It is the surface of matter that goes on the same along z, cut at z = 0: the methods, walls
/// and attributes are those of space. Volumes are areas, m²; the report's `volume` is the area, m², its
/// `area` the length, m, its components are the polylines. Throws as `reconstruct`, and InputError for the
/// method `active`.
Surface reconstruct_outline(const Device& device, const SurfaceParticles& particles,
                            const std::vector<ParticleAttribute>& attributes, const SurfaceSettings& settings,
                            double radius, double memory, const std::vector<SurfaceObstacle>& obstacles = {});

/// Marching squares at z = 0: one vertex for each grid edge that the outline crosses, in the order of their
/// blocks.
Polygonisation polygonise_plane(const SurfaceField& field, float level);

/// Area inside (m²) as `volume`, length (m) as `area`.
Extents outline_extents(const SurfaceMesh& outline);

/// Every vertex must be the end of one edge and the beginning of one, and every edge have a length.
MeshReport examine_outline(const SurfaceMesh& outline);

}  // namespace thixo
