#pragma once

#include "surface/field.h"
#include "surface/obstacles.h"

namespace thixo {

/// The surface of particles as a field: nothing is polygonised. It is where φ is `level`, and nothing is
/// behind obstacles.
struct FieldSurface {
    SurfaceField field;
    FieldParticles particles;  ///< of the band; `order`: rows of the particles that were passed
    double level = 0;          ///< m
};

/// The same field and level that `reconstruct` makes a mesh of; the method must not be `active`.
FieldSurface make_field_surface(const Device& device, const SurfaceParticles& particles,
                                const SurfaceSettings& settings, double radius, double memory,
                                const std::vector<SurfaceObstacle>& obstacles);

}  // namespace thixo
