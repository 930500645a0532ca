#pragma once

#include <vector>

#include "core/mat3.h"
#include "geometry/surface_settings.h"
#include "surface/block_grid.h"

namespace thixo {

/// What a surface is made from: columns of equal length, in an order that does not depend on the run (by id).
struct SurfaceParticles {
    View<const Vec3f> position;
    View<const float> radius;  ///< m, half the spacing of the particle's size
    View<const float> volume;  ///< m³, m/ρ₀; empty: (2 radius)³
};

/// φ at the nodes of a sparse grid, m: negative inside, about the distance near the surface.
struct SurfaceField {
    BlockGrid grid;
    std::vector<float> values;  ///< `block_nodes` for each block, x fastest
    float outside = 0;          ///< at nodes that no particle acts on

    /// Minus the distance to obstacles, m, where they are near: what is not negative is outside, whatever φ. Empty without obstacles.
    std::vector<float> clip;
    std::vector<Index>
        clip_block;  ///< where a block's nodes are in `clip`, counted in blocks; `no_block` if far from obstacles

    const float* block(Index b) const { return values.data() + std::size_t{block_nodes} * b; }
    const float* clip_of(Index b) const {
        return clip_block.empty() || clip_block[b] == no_block
                   ? nullptr
                   : clip.data() + std::size_t{block_nodes} * clip_block[b];
    }
};

/// What fields are summed from. Rows are sorted by place; `order` says where they came from.
struct FieldParticles {
    std::vector<Index> order;  ///< row k is row order[k] of the particles that were passed
    std::vector<Vec3f> position;
    std::vector<float> radius;
    std::vector<float> volume;  ///< m/ρ₀, m³
    std::vector<float> filling;  ///< Σⱼ Vⱼ W(xᵢⱼ, Hⱼ), itself included: 1 inside, 0.2 for a single particle
    std::vector<float> neighbours;  ///< how many are within two spacings
    std::vector<Vec3f> center;      ///< `anisotropic`: smoothed positions
    std::vector<Sym3f> metric;      ///< `anisotropic`: A = GᵀG, the kernel is P(√(dᵀA d)), 1/m²
};

/// Sorts particles and finds what the method needs of their neighbours. `position` and `radius` must be finite, radii positive.
FieldParticles prepare_particles(const Device& device, const SurfaceParticles& particles,
                                 SurfaceMethod method);

/// Throws RunError if the field does not fit into `memory` bytes.
SurfaceField make_field(const Device& device, const FieldParticles& particles, SurfaceMethod method,
                        double cell, double memory);

/// Support radius of the kernels that `density` sums and that neighbours are found with, in radii.
inline constexpr float support_radii = 4;

/// Support radius of the kernels of `anisotropic` before they are stretched, in radii; across a surface they are squeezed to a third.
inline constexpr float anisotropic_radii = 5;
inline constexpr float most_stretch =
    3;  ///< k_r; 4 in the paper, where kernels end before they reach the volume of the matter

/// Inside is where the summed kernels exceed this.
inline constexpr float iso_filling = 0.5f;

}  // namespace thixo
