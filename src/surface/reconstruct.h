#pragma once

#include <vector>

#include "surface/attributes.h"
#include "surface/mesh_report.h"
#include "surface/obstacles.h"

namespace thixo {

struct Surface {
    SurfaceMesh mesh;
    MeshReport report;
    double volume = 0;  ///< m³, of the particles: Σ m/ρ₀
    double level = 0;   ///< m, how far the surface was moved outwards to enclose that
};

/// The surface of particles: field, iso-value, polygons, attributes, smoothing, checks. The same bits for any number of threads.
/// `radius` (m) is what the resolution refers to: the same for all frames of a run. Throws InputError for particles that have no place
/// or size, RunError if it does not fit into `memory` bytes.
Surface reconstruct(const Device& device, const SurfaceParticles& particles,
                    const std::vector<ParticleAttribute>& attributes, const SurfaceSettings& settings,
                    double radius, double memory, const std::vector<SurfaceObstacle>& obstacles = {});

/// Bytes of memory that are free now.
double free_memory();

}  // namespace thixo
