#pragma once

#include "surface/field.h"
#include "surface/obstacles.h"
#include "surface/polygonise.h"

namespace thixo {

/// The field of particles, and nothing of it behind obstacles.
struct ParticleField {
    SurfaceField field;
    FieldParticles particles;     ///< of the band; `order`: rows of the particles before they were mirrored
    std::vector<BlockBits> band;  ///< nodes that were summed

    /// How far its surface may be moved to match a volume, m: by a radius at most, so that spray that holds
    /// too much or too little is not made up for by the sea below it. Beyond the value of the outside there
    /// is no surface.
    double most_shift(double radius) const;
};

/// In space, or at z = 0 alone.
enum class FieldPart { space, plane };

/// Throws RunError if it does not fit into `memory` bytes.
ParticleField make_particle_field(const Device& device, const MirroredParticles& matter, SurfaceMethod method,
                                  double cell, double memory, const std::vector<SurfaceObstacle>& obstacles,
                                  FieldPart part = FieldPart::space);

/// A surface of a field, with normals.
struct LevelSurface {
    Polygonisation surface;
    double level = 0;  ///< m
};

/// At the level that encloses `volume` (m³), at most `limit` (m) away from 0.
LevelSurface matched_surface(const Device& device, const SurfaceField& field, double volume, double limit);

/// Throws InputError for particles that have no place or size.
void check_usable(const Device& device, const SurfaceParticles& particles);

/// Σ m/ρ₀, m³.
double volume_of(const Device& device, const SurfaceParticles& particles);

}  // namespace thixo
