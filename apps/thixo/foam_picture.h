#pragma once

#include "foam/diffuse.h"
#include "render/colour_map.h"
#include "render/traced_scene.h"

namespace thixo {

/// What diffuse particles are coloured with.
inline constexpr Rgb foam_colour{0.95f, 0.96f, 0.97f};

/// Diffuse particles as small white balls, one surface for all.
TracedSurface foam_surface(const DiffuseParticles& particles);

}  // namespace thixo
