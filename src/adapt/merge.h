#pragma once

#include <vector>

#include "adapt/sizing.h"
#include "heat/content.h"

namespace thixo {

/// Rows that become one; the first of them stays.
using Cluster = std::vector<Index>;

/// How round a cluster is, 0 (a rod) to 1 [DC99, eq. 14]: det I/(tr I/3)³ of its inertia in 3D, in 2D det S/(tr S/2)² of its second
/// moments. Members are balls (discs), not points: so a large one and a small one beside it are round, two of the same size are
/// not.
double roundness(const ParticleTable& particles, const Cluster& cluster, int dimensions);

/// Makes one particle of several. Mass, momentum, centre of mass and heat are theirs; the angular momentum that their motion about
/// each other had goes to those around them.
class Merger {
public:
    Merger(const Sizing& sizing, const std::vector<Material>& materials)
        : sizing_(sizing), heat_(heat_constants(materials)) {}

    /// Merges what may, and tells which rows are left over.
    std::vector<std::uint8_t> merge(const Device& device, const AdaptState& state) const;

private:
    /// By whom a row may grow: by nobody, by one that is small, by others.
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
