#pragma once

#include "core/vec.h"
#include "core/view.h"

namespace thixo {

enum class SurfaceMethod {
    density,      ///< iso-surface of the summed kernels
    zhu_bridson,  ///< distance to the weighted mean of the centres [Zhu & Bridson 2005]
    solenthaler,  ///< the same, without false surfaces between particles [SSP07, eq. 22–26]
    anisotropic,  ///< kernels stretched along the surface [Yu & Turk 2013]
};

struct SurfaceSettings {
    SurfaceMethod method = SurfaceMethod::anisotropic;
    double resolution = 1;     ///< edge of a grid cell, in radii of the smallest particles
    int smooth = 0;            ///< steps of smoothing
    bool match_volume = true;  ///< shift the iso-value until the mesh encloses the volume of the particles
    double specks = 0;         ///< components of less volume are dropped, in volumes of the smallest particle
};

/// What a surface is made from: columns of equal length, in an order that does not depend on the run (by id).
struct SurfaceParticles {
    View<const Vec3f> position;
    View<const float> radius;  ///< m, half the spacing of the particle's size
    View<const float> volume;  ///< m³, m/ρ₀; empty: (2 radius)³
};

}  // namespace thixo
