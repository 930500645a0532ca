#pragma once

#include <vector>

#include "adapt/sizing.h"
#include "heat/content.h"

namespace thixo {

/// Rows that merge; the first of them keeps its row.
using Cluster = std::vector<Index>;

/// Roundness of a cluster, 0 (a rod) to 1 [DC99, eq. 14]: det I/(tr I/3)³ of its inertia in 3D, in 2D det
/// S/(tr S/2)² of its second moments. Members are balls (discs), not points: a large and a small particle are
/// round together, two of equal size are not.
double roundness(const ParticleTable& particles, const Cluster& cluster, int dimensions);

/// Merges clusters into single particles. Mass, momentum, centre of mass and heat are conserved; the angular
/// momentum of the relative motion of the members is transferred to their neighbours.
class Merger {
public:
    Merger(const Sizing& sizing, const std::vector<Material>& materials)
        : sizing_(sizing), heat_(heat_constants(materials)) {}

    /// Merges all clusters found and returns for each row whether it stays.
    std::vector<std::uint8_t> merge(const Device& device, const AdaptState& state) const;

private:
    /// Room of a row below its target size: none, for one small particle, or for a cluster.
    enum class Room : std::uint8_t { none, little, enough };

    float count_of(const ParticleTable& particles, Index row) const;
    Cluster candidates(const AdaptState& state, View<const Room> room, Index seed, Room least,
                       float most) const;
    Cluster grow(const AdaptState& state, View<const Room> room, Index seed, std::size_t least) const;
    Cluster pair(const AdaptState& state, View<const Room> room, Index seed) const;
    bool join(const AdaptState& state, View<const std::uint8_t> gone, const Cluster& cluster) const;

    const Sizing& sizing_;
    std::vector<HeatConstants> heat_;
};

}  // namespace thixo
