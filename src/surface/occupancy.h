#pragma once

#include <cmath>

#include "surface/block_grid.h"
#include "surface/obstacles.h"

namespace thixo {

/// Where the surface can be, found from how full space is, before any field is summed. Space is divided into
/// bins as wide as the largest particles are apart, stored in blocks of 8³ like the nodes of the grid. A
/// particle fills the cube of its spacing.
///
/// A bin is full if the 27 bins around it hold 80 % of what they have room for. What lacks then is less than
/// five particles, and too little for a field to fall to its iso-value. It is deep if all of its neighbours
/// are full: its nodes are inside, whatever the method. Nodes farther than `rings` bins from all matter are
/// outside. The others are in the band, and only there fields are summed: cost and memory grow with the
/// surface. Between a deep node and one outside there is always one of the band.
class Occupancy {
public:
    /// Everything that particles reach is in the band, nothing is deep: for reference.
    enum class Extent { band, everything };

    /// `edge` (m) is the width of a bin, at least the largest spacing and the cell of the grid. Throws
    /// RunError if it does not fit into `memory` bytes.
    Occupancy(const Device& device, const SurfaceParticles& particles, double edge, int rings, Extent extent,
              double memory);

    double edge() const { return bins_.cell(); }
    const BlockGrid& bins() const { return bins_; }
    const BlockBits& band(Index block) const { return band_[block]; }
    const BlockBits& deep(Index block) const { return deep_[block]; }

    /// The particles, grouped by the blocks of bins that they are in.
    const RowsByBlock& particles() const { return particles_; }
    Index block_of(Index group) const { return block_of_group_[group]; }

    /// The coordinates of the bin that x is in.
    std::int64_t bin_of(double x) const { return static_cast<std::int64_t>(std::floor(x * inverse_)); }

private:
    void classify(const Device& device, View<const float> filled, int rings, Extent extent);

    BlockGrid bins_;
    double inverse_;  ///< of the edge
    RowsByBlock particles_;
    std::vector<Index> block_of_group_;
    std::vector<BlockBits> band_, deep_;
};

/// The blocks of a grid that hold the band, and what their nodes are.
struct BandBlocks {
    BlockGrid grid;
    std::vector<BlockBits> band;        ///< nodes whose value has to be summed
    std::vector<BlockBits> deep;        ///< nodes that are inside; all others are outside
    std::vector<std::uint8_t> at_wall;  ///< a wall passes the block
};

/// A block is stored if one of its nodes, or a node one above along some axes, is in the band: a cell of
/// eight nodes that the surface passes has its lowest node in a stored block. Blocks that a wall passes are
/// stored too, blocks that are wholly behind it are not.
BandBlocks band_blocks(const Device& device, const Occupancy& occupancy, double cell,
                       const std::vector<SurfaceObstacle>& obstacles, double memory);

/// The particles that matter for these blocks: those within `rings` bins of their band and of their walls, in
/// the order of the blocks of bins.
struct BandParticles {
    std::vector<Index> rows;
    std::vector<std::uint8_t> deep;  ///< of each: it is in a deep bin
};
BandParticles band_particles(const Device& device, const Occupancy& occupancy, const BandBlocks& blocks,
                             View<const Vec3f> position, int rings);

}  // namespace thixo
