#include <algorithm>
#include <cmath>
#include <limits>

#include "surface/bit_halo.h"
#include "surface/occupancy.h"

namespace thixo {

namespace {

/// Field, neighbours, bits, masks and rims of one block, bytes.
constexpr double block_bytes = 3500;

/// The bins around a block of nodes: those of its own eight nodes along each axis, and of the next one.
class BinsOfBlock {
public:
    BinsOfBlock(const Occupancy& occupancy, const BlockPlace& place, double cell) : occupancy_(&occupancy) {
        find_axis(place.x, cell, x_);
        find_axis(place.y, cell, y_);
        find_axis(place.z, cell, z_);
        for (int k = 0; k < 8; ++k)
            block_[k] =
                occupancy.bins().find({x_.block + (k & 1), y_.block + (k >> 1 & 1), z_.block + (k >> 2)});
    }

    struct Kinds {
        BlockBits band, deep;
        bool any_band = false;  ///< the next nodes included
        bool any_deep = false;
    };
    Kinds kinds() const {
        Kinds out;
        // Nodes side by side are often in the same bin: a row that is that of the bins before is copied.
        Row plane[block_width + 1] = {};
        for (int z = 0; z <= block_width; ++z) {
            const bool again = z > 0 && z_.same_bin(z);
            for (int y = 0; y <= block_width && !again; ++y)
                plane[y] = y > 0 && y_.same_bin(y) ? plane[y - 1] : row_of(y, z);
            for (int y = 0; y <= block_width; ++y) {
                out.any_band = out.any_band || plane[y].band != 0;
                out.any_deep = out.any_deep || plane[y].deep != 0;
                if (y == block_width || z == block_width) continue;
                out.band.word[z] |= std::uint64_t{plane[y].band & 0xffu} << (block_width * y);
                out.deep.word[z] |= std::uint64_t{plane[y].deep & 0xffu} << (block_width * y);
            }
        }
        return out;
    }

private:
    /// Bins are no narrower than cells, so nine nodes lie in two blocks of bins at most.
    struct Axis {
        std::int32_t block;
        int upper[block_width + 1], bin[block_width + 1];

        bool same_bin(int k) const { return bin[k] == bin[k - 1] && upper[k] == upper[k - 1]; }
    };
    /// Nine nodes along x, a bit each.
    struct Row {
        unsigned band = 0, deep = 0;
    };
    Row row_of(int y, int z) const {
        const int pair = z_.upper[z] << 2 | y_.upper[y] << 1;
        unsigned band = 0, deep = 0;  // sixteen bins along x
        for (int k = 0; k < 2; ++k) {
            const Index b = block_[pair | k];
            if (b == no_block) continue;
            band |= occupancy_->band(b).row(y_.bin[y], z_.bin[z]) << (block_width * k);
            deep |= occupancy_->deep(b).row(y_.bin[y], z_.bin[z]) << (block_width * k);
        }
        Row out;
        if ((band | deep) == 0) return out;
        for (int x = 0; x <= block_width; ++x) {
            const int bin = block_width * x_.upper[x] + x_.bin[x];
            out.band |= (band >> bin & 1u) << x;
            out.deep |= (deep & ~band) >> bin & 1u ? 1u << x : 0u;
        }
        return out;
    }
    void find_axis(std::int32_t place, double cell, Axis& axis) const {
        axis.block =
            static_cast<std::int32_t>(occupancy_->bin_of(block_width * double{1} * place * cell) >> 3);
        for (int k = 0; k <= block_width; ++k) {
            const std::int64_t bin = occupancy_->bin_of((block_width * double{1} * place + k) * cell);
            axis.upper[k] = static_cast<int>((bin >> 3) - axis.block);
            axis.bin[k] = static_cast<int>(bin & 7);
        }
    }

    const Occupancy* occupancy_;
    Axis x_, y_, z_;
    Index block_[8];
};

/// The blocks of nodes that may have one in a block of bins, and one block more on the low side: there are
/// the cells whose upper nodes are in these bins.
struct PlaceRange {
    BlockPlace low, high;

    PlaceRange(const BlockPlace& bins, double edge, double cell) {
        const double scale = edge / cell;
        const auto first = [&](std::int32_t p) {
            return static_cast<std::int32_t>(std::floor((scale * p * block_width - 1.001) / block_width));
        };
        const auto last = [&](std::int32_t p) {
            return static_cast<std::int32_t>(
                std::floor((scale * (p + 1.0) * block_width + 0.001) / block_width));
        };
        low = {first(bins.x), first(bins.y), first(bins.z)};
        high = {last(bins.x), last(bins.y), last(bins.z)};
    }
};

std::vector<BlockPlace> candidates(const Device& device, const Occupancy& occupancy, double cell,
                                   double memory) {
    const BlockGrid& bins = occupancy.bins();
    const double across = occupancy.edge() / cell + 2;
    double blocks = 0;
    for (Index b = 0; b < bins.size(); ++b)
        blocks += occupancy.band(b).any() || occupancy.deep(b).any() ? across * across * across : 0;
    refuse_beyond(40 * blocks, memory);
    std::vector<BlockPlace> places;
    for (Index b = 0; b < bins.size(); ++b) {
        if (!occupancy.band(b).any() && !occupancy.deep(b).any()) continue;
        refuse_far((std::max({std::abs(double(bins.place(b).x)), std::abs(double(bins.place(b).y)),
                              std::abs(double(bins.place(b).z))}) +
                    1) *
                       block_width * occupancy.edge(),
                   cell);
        const PlaceRange range(bins.place(b), occupancy.edge(), cell);
        for (std::int32_t z = range.low.z; z <= range.high.z; ++z)
            for (std::int32_t y = range.low.y; y <= range.high.y; ++y)
                for (std::int32_t x = range.low.x; x <= range.high.x; ++x) places.push_back({x, y, z});
    }
    return group_by_block(device, places).places;
}

/// What the walls make of a block: far from them, passed by them, or behind them with all the cells that its
/// nodes belong to.
enum class Wall { far, near, behind };

Wall wall_at(const BlockPlace& p, double cell, const std::vector<SurfaceObstacle>& obstacles) {
    const double middle = (block_width - 1) / 2.0;
    const Vec3d x = cell * Vec3d{p.x * double{block_width} + middle, p.y * double{block_width} + middle,
                                 p.z * double{block_width} + middle};
    const double margin = (std::sqrt(3.0) * (block_width / 2.0 + 1) + 1) * cell;
    double least = std::numeric_limits<double>::infinity();
    for (const SurfaceObstacle& o : obstacles) least = std::min(least, o.distance(x).distance);
    return least > margin ? Wall::far : least < -margin ? Wall::behind : Wall::near;
}

enum class Fate : std::uint8_t { dropped, stored, stored_at_wall, inside };

/// The bins of the band that stored blocks lie in, and all bins of blocks that a wall passes: what is behind
/// walls, and what is deep elsewhere, is left out.
BlockBits used_bins(const Occupancy& occupancy, const BandBlocks& blocks, Index b) {
    const double cell = blocks.grid.cell();
    const BlockPlace& place = occupancy.bins().place(b);
    const PlaceRange range(place, occupancy.edge(), cell);
    const auto span = [&](std::int32_t block, std::int32_t p) {
        const auto local = [&](double node) {
            return static_cast<int>(std::clamp<std::int64_t>(
                occupancy.bin_of(node * cell) - 8 * std::int64_t{p}, -1, block_width));
        };
        return std::pair(std::max(local(double{block_width} * block), 0),
                         std::min(local(double{block_width} * block + block_width), block_width - 1));
    };
    BlockBits used;
    for (std::int32_t z = range.low.z; z <= range.high.z; ++z)
        for (std::int32_t y = range.low.y; y <= range.high.y; ++y)
            for (std::int32_t x = range.low.x; x <= range.high.x; ++x) {
                const Index block = blocks.grid.find({x, y, z});
                const auto [x0, x1] = span(x, place.x);
                if (block == no_block || x0 > x1) continue;
                const auto [y0, y1] = span(y, place.y);
                const auto [z0, z1] = span(z, place.z);
                const std::uint64_t row = std::uint64_t{0xffu >> (block_width - 1 - (x1 - x0))} << x0;
                for (int k = z0; k <= z1; ++k)
                    for (int j = y0; j <= y1; ++j)
                        used.word[k] |=
                            (blocks.at_wall[block] ? ~std::uint64_t{0} : occupancy.band(b).word[k]) &
                            row << (block_width * j);
            }
    return used;
}

}  // namespace

BandBlocks band_blocks(const Device& device, const Occupancy& occupancy, double cell,
                       const std::vector<SurfaceObstacle>& obstacles, double memory) {
    const std::vector<BlockPlace> places = candidates(device, occupancy, cell, memory);
    const auto n = static_cast<Index>(places.size());
    std::vector<Fate> fate(n);
    launch<small_grain>(device, n, [&, cell](Index k) {
        const BinsOfBlock::Kinds kinds = BinsOfBlock(occupancy, places[k], cell).kinds();
        const Wall wall = obstacles.empty() || !(kinds.any_band || kinds.any_deep)
                              ? Wall::far
                              : wall_at(places[k], cell, obstacles);
        const bool any = kinds.any_band || kinds.any_deep;
        fate[k] = wall == Wall::behind || !any ? Fate::dropped
                  : wall == Wall::near         ? Fate::stored_at_wall
                  : kinds.any_band             ? Fate::stored
                                               : Fate::inside;
    });
    std::vector<BlockPlace> stored, inside;
    std::vector<std::uint8_t> at_wall;
    for (Index k = 0; k < n; ++k) {
        if (fate[k] == Fate::inside) inside.push_back(places[k]);
        if (fate[k] != Fate::stored && fate[k] != Fate::stored_at_wall) continue;
        stored.push_back(places[k]);
        at_wall.push_back(fate[k] == Fate::stored_at_wall);
    }
    refuse_beyond(block_bytes * static_cast<double>(stored.size()), memory);
    BandBlocks out{BlockGrid(device, cell, std::move(stored), inside), {}, {}, std::move(at_wall)};
    out.band.resize(out.grid.size());
    out.deep.resize(out.grid.size());
    launch<small_grain>(device, out.grid.size(), [&, cell](Index b) {
        const BinsOfBlock::Kinds kinds = BinsOfBlock(occupancy, out.grid.place(b), cell).kinds();
        out.band[b] = kinds.band;
        out.deep[b] = kinds.deep;
    });
    return out;
}

BandParticles band_particles(const Device& device, const Occupancy& occupancy, const BandBlocks& blocks,
                             View<const Vec3f> position, int rings) {
    const BlockGrid& bins = occupancy.bins();
    std::vector<BlockBits> used(bins.size());
    launch<small_grain>(device, bins.size(), [&](Index b) { used[b] = used_bins(occupancy, blocks, b); });
    const RowsByBlock& groups = occupancy.particles();
    const auto n = static_cast<Index>(groups.places.size());
    std::vector<BlockBits> acting(n);
    std::vector<Index> first(std::size_t{n} + 1, 0);
    const auto for_each_acting = [&](Index g, const auto& visit) {
        for (Index k = groups.first[g]; k < groups.first[g + 1]; ++k) {
            const Vec3f& x = position[groups.rows[k]];
            const auto bin = [&](float a) { return static_cast<int>(occupancy.bin_of(a) & 7); };
            const int bx = bin(x.x), by = bin(x.y), bz = bin(x.z);
            if (acting[g].at(bx, by, bz)) visit(groups.rows[k], bx, by, bz);
        }
    };
    launch<4>(device, n, [&, rings](Index g) {
        acting[g] = BitHalo(bins, used, occupancy.block_of(g)).dilated(rings);
        Index count = 0;
        if (acting[g].any()) for_each_acting(g, [&](Index, int, int, int) { ++count; });
        first[g + 1] = count;
    });
    for (Index g = 0; g < n; ++g) first[g + 1] += first[g];
    BandParticles out;
    out.rows.resize(first[n]);
    out.deep.resize(first[n]);
    launch<4>(device, n, [&](Index g) {
        if (first[g] == first[g + 1]) return;
        const BlockBits& deep = occupancy.deep(occupancy.block_of(g));
        Index next = first[g];
        for_each_acting(g, [&](Index row, int bx, int by, int bz) {
            out.rows[next] = row;
            out.deep[next++] = deep.at(bx, by, bz);
        });
    });
    return out;
}

}  // namespace thixo
