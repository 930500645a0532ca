#pragma once

#include <optional>
#include <vector>

#include "surface/active.h"
#include "surface/attributes.h"
#include "surface/mesh_report.h"
#include "surface/obstacles.h"

namespace thixo {

struct Surface {
    SurfaceMesh mesh;
    MeshReport report;
    double volume = 0;                  ///< m³, of the particles: Σ m/ρ₀
    double level = 0;                   ///< m, how far the surface was moved outwards to enclose that
    std::optional<ActiveState> active;  ///< of the method `active`: what the next frame needs
    std::optional<SurfaceField>
        field;  ///< if requested: its surface φ = level is the mesh before it is smoothed; empty without particles
};

/// The surface of particles: field, iso-value, polygons, attributes, smoothing, checks. The same bits for any
/// number of threads. `radius` (m) is what the resolution refers to: the same for all frames of a run. Throws
/// InputError for particles that have no place or size, RunError if it does not fit into `memory` bytes.
/// `last`: of the frame before, for the method `active`.
Surface reconstruct(const Device& device, const SurfaceParticles& particles,
                    const std::vector<ParticleAttribute>& attributes, const SurfaceSettings& settings,
                    double radius, double memory, const std::vector<SurfaceObstacle>& obstacles = {},
                    const std::optional<ActiveState>& last = std::nullopt);

/// Bytes of memory that are free now.
double free_memory();

}  // namespace thixo
