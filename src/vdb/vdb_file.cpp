#include "vdb/vdb_file.h"

#include <algorithm>
#include <sstream>

#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/SignedFloodFill.h>

#include "core/atomic_file.h"

namespace thixo {

namespace {

/// Leaves of OpenVDB's tree have as many nodes as our blocks, and lie on the same grid.
using Leaf = openvdb::FloatTree::LeafNodeType;
static_assert(Leaf::DIM == block_width);

void fill(Leaf& leaf, const SurfaceField& field, Index b, float level, float outside, float inside) {
    const float *phi = field.block(b), *clip = field.clip_of(b);
    for (int node = 0; node < block_nodes; ++node) {
        float value = phi[node] - level;
        // Behind a wall is outside. On the way there the distance to the wall is the distance to the surface.
        if (clip) value = std::max(value, clip[node]);
        value = std::clamp(value, inside, outside);  // walls are as far as they are
        const openvdb::Coord at(node % block_width, node / block_width % block_width,
                                node / (block_width * block_width));
        const openvdb::Index offset = Leaf::coordToOffset(at);
        if (value > inside && value < outside)
            leaf.setValueOn(offset, value);
        else
            leaf.setValueOff(offset, value);
    }
}

}  // namespace

void write_vdb(const std::filesystem::path& path, const SurfaceField& field, double level, double time) {
    openvdb::initialize();
    const auto shift = static_cast<float>(level);
    const float outside = field.outside - shift, inside = field.inside - shift;
    const auto grid = openvdb::FloatGrid::create(outside);
    grid->setName("surface");
    grid->setGridClass(openvdb::GRID_LEVEL_SET);
    grid->setTransform(openvdb::math::Transform::createLinearTransform(field.grid.cell()));
    grid->setCreator("Thixo");
    grid->insertMeta("time", openvdb::DoubleMetadata(time));
    for (Index b = 0; b < field.grid.size(); ++b) {
        const BlockPlace& p = field.grid.place(b);
        Leaf* leaf =
            grid->tree().touchLeaf(openvdb::Coord(block_width * p.x, block_width * p.y, block_width * p.z));
        fill(*leaf, field, b, shift, outside, inside);
    }
    // Blocks deep inside are not stored: they are what lies behind the inner side of the band.
    openvdb::tools::signedFloodFillWithValues(grid->tree(), outside, inside);
    std::ostringstream bytes(std::ios::binary);
    openvdb::io::Stream(bytes).write(openvdb::GridCPtrVec{grid});
    write_whole(path, bytes.str());
}

}  // namespace thixo
