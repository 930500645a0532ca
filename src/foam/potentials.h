#pragma once

#include <vector>

#include "foam/liquid.h"
#include "foam/settings.h"

namespace thixo {

/// What makes diffuse particles, of each liquid particle [IAAT12, section 3.1].
struct FoamSources {
    /// Σⱼ |vᵢⱼ| (1 − v̂ᵢⱼ·x̂ᵢⱼ) W, m/s: large where particles hit each other, 0 where they part.
    std::vector<float> trapped_air;
    /// Σⱼ (1 − n̂ᵢ·n̂ⱼ) W over neighbours behind the surface, where the particle moves out of it (v̂ᵢ·n̂ᵢ ≥
    /// 0.6); otherwise 0.
    std::vector<float> crest;
    std::vector<float> energy;  ///< v²/2, m²/s²
};

/// W = 1 − r/H, not normalised, as in [IAAT12, eq. 3].
FoamSources foam_sources(const Device& device, const Liquid& liquid);

/// Outward normals of rows at the surface; zero for all others.
std::vector<Vec3f> surface_normals(const Device& device, const Liquid& liquid);

/// How much of the largest possible rate the row has, 0 to 1: I_k (k_ta I_ta + k_wc I_wc)/(k_ta + k_wc)
/// [IAAT12, eq. 9].
double source_strength(const FoamSources& sources, Index i, const FoamSettings& settings);

}  // namespace thixo
