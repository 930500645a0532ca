#pragma once

#include <vector>

#include "core/mat3.h"
#include "geometry/surface_settings.h"
#include "sph/cell_grid.h"
#include "surface/obstacles.h"
#include "surface/occupancy.h"
#include "surface/surface_particles.h"

namespace thixo {

/// φ at the nodes of a sparse grid, m: negative inside, about the distance near the surface.
struct SurfaceField {
    BlockGrid grid;
    std::vector<float> values;  ///< `block_nodes` for each block, x fastest
    float outside = 0;          ///< at nodes that are far from all matter
    float inside = 0;           ///< at nodes that are deep inside

    /// Minus the distance to obstacles, m, where they are near: what is not negative is outside, whatever φ.
    /// Empty without obstacles.
    std::vector<float> clip;
    std::vector<Index>
        clip_block;  ///< where a block's nodes are in `clip`, counted in blocks; `no_block` if far from obstacles
    std::vector<SurfaceObstacle> walls;  ///< the obstacles themselves

    const float* block(Index b) const { return values.data() + std::size_t{block_nodes} * b; }
    const float* clip_of(Index b) const {
        return clip_block.empty() || clip_block[b] == no_block
                   ? nullptr
                   : clip.data() + std::size_t{block_nodes} * clip_block[b];
    }
};

/// What fields are summed from: the particles that act on the band. Rows are sorted by place; `order` says
/// where they came from.
struct FieldParticles {
    CellGrid cells;            ///< by position
    std::vector<Index> order;  ///< row k is row order[k] of the particles that were passed
    std::vector<Vec3f> position;
    std::vector<float> radius;
    std::vector<float> volume;  ///< m/ρ₀, m³
    std::vector<std::uint8_t>
        deep;  ///< far below the surface: what follows is that of complete neighbourhoods
    std::vector<std::uint8_t> image;  ///< mirrored by a wall; empty: none
    std::vector<float> filling;  ///< Σⱼ Vⱼ W(xᵢⱼ, Hⱼ), itself included: 1 inside, 0.2 for a single particle
    std::vector<float> neighbours;  ///< how many are within two spacings
    std::vector<Vec3f> center;      ///< `anisotropic`: smoothed positions
    std::vector<Sym3f> metric;      ///< `anisotropic`: A = GᵀG, the kernel is P(√(dᵀA d)), 1/m²
};

/// Sorts particles and finds what the method needs of their neighbours. `position` and `radius` must be
/// finite, radii positive.
FieldParticles prepare_particles(const Device& device, const SurfaceParticles& particles,
                                 SurfaceMethod method, const BandParticles& band);
/// Of all particles.
FieldParticles prepare_particles(const Device& device, const SurfaceParticles& particles,
                                 SurfaceMethod method);

SurfaceField make_field(const Device& device, const FieldParticles& particles, SurfaceMethod method,
                        BandBlocks blocks);
/// At all nodes that particles act on. Throws RunError if the field does not fit into `memory` bytes.
SurfaceField make_field(const Device& device, const FieldParticles& particles, SurfaceMethod method,
                        double cell, double memory);

/// Bins as wide as the largest particles are apart, and as many of them around matter as it takes to hold the
/// surface. Throws RunError if they do not fit into `memory` bytes.
Occupancy find_occupancy(const Device& device, const SurfaceParticles& particles, SurfaceMethod method,
                         double cell, Occupancy::Extent extent, double memory);

/// How far particles act at most, in bins; neighbourhoods are no larger.
inline constexpr int reach_bins = 3;

/// Support radius of the kernels that `density` sums and that neighbours are found with, in radii.
inline constexpr float support_radii = 4;

/// Support radius of the kernels of `anisotropic` before they are stretched, in radii; across a surface they
/// are squeezed to a third.
inline constexpr float anisotropic_radii = 5;
inline constexpr float most_stretch =
    3;  ///< k_r; 4 in the paper, where kernels end before they reach the volume of the matter
/// Kernels are stretched to this at most: twice the pull of a sheet. Without a limit a pair of clusters gives
/// one as long as both.
inline constexpr float longest_stretch = 1.4f;

/// Inside is where the summed kernels exceed this.
inline constexpr float iso_filling = 0.5f;

/// The largest margin of each level's rows: value(row).
template <class Value>
std::vector<double> largest_of_levels(const CellGrid& cells, const Value& value) {
    std::vector<double> out;
    for (const GridLevel& level : cells.levels()) {
        double largest = 0;
        for (Index row = level.begin; row < level.end; ++row)
            largest = std::max(largest, static_cast<double>(value(row)));
        out.push_back(largest);
    }
    return out;
}

}  // namespace thixo
