#include "sph/neighbours.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

namespace thixo {

namespace {

/// Positions and reaches as separate arrays with room for whole lanes behind the last row.
struct Candidates {
    RawArray<float> x, y, z, reach2;

    Candidates(const Device& device, View<const Vec3f> position, View<const float> reach)
        : x(position.size() + lane_count), y(x.size()), z(x.size()), reach2(x.size()) {
        launch(device, static_cast<Index>(x.size()), [=, this, n = position.size()](Index i) {
            const Vec3f at = i < n ? position[i] : Vec3f{};
            x[i] = at.x;
            y[i] = at.y;
            z[i] = at.z;
            reach2[i] = i < n ? reach[i] * reach[i] : 0;
        });
    }
};

/// The first cell whose key is not below `key`, searched outwards from `hint`: cells are visited in order, so
/// the answer is almost always next to the last one.
Index seek(const std::vector<Cell>& cells, std::uint64_t key, Index hint) {
    const Index last = static_cast<Index>(cells.size()) - 1;  // the sentinel is above every key
    Index low = 0, high = std::min(hint, last);
    for (Index step = 1; cells[high].key < key; step *= 2) {
        low = high + 1;
        high = std::min(high + step, last);
    }
    for (Index step = 1; high > low; step *= 2) {
        const Index probe = high - low > step ? high - step : low;
        if (cells[probe].key < key) {
            low = probe + 1;
            break;
        }
        high = probe;
    }
    const auto found = std::lower_bound(cells.begin() + low, cells.begin() + high, key,
                                        [](const Cell& cell, std::uint64_t k) { return cell.key < k; });
    return static_cast<Index>(found - cells.begin());
}

struct RowRange {
    Index begin, end;
};

/// Finds, for one cell after the other, the ranges of rows that can hold neighbours of its particles.
class RangeFinder {
public:
    explicit RangeFinder(const CellGrid& grid) : grid_(grid), hints_(grid.levels().size()) {}

    const std::vector<RowRange>& around(std::size_t level, std::uint64_t key) {
        ranges_.clear();
        const GridLevel& own = grid_.levels()[level];
        const auto plane = own.nx * own.ny;
        const GridLevel::Coordinates c{static_cast<std::int64_t>(key % own.nx),
                                       static_cast<std::int64_t>(key / own.nx % own.ny),
                                       static_cast<std::int64_t>(key / plane)};
        for (std::size_t other = 0; other < grid_.levels().size(); ++other) collect(own, c, other);
        return ranges_;
    }

private:
    struct Interval {
        std::int64_t first, last;
    };

    /// Cells of `other` along one axis that lie within reach of cell c of `own`.
    static Interval reachable(const GridLevel& own, std::int64_t c, const GridLevel& other,
                              std::uint64_t cells) {
        const std::int64_t end = static_cast<std::int64_t>(cells) - 1;
        if (&own == &other) return {std::max<std::int64_t>(c - 1, 0), std::min(c + 1, end)};
        const double r = std::max(own.reach, other.reach);
        const double low = (static_cast<double>(c) * own.cell_size - r) / other.cell_size;
        const double high = (static_cast<double>(c + 1) * own.cell_size + r) / other.cell_size;
        return {std::max<std::int64_t>(static_cast<std::int64_t>(std::floor(low)), 0),
                std::min(static_cast<std::int64_t>(std::floor(high)), end)};
    }

    void collect(const GridLevel& own, const GridLevel::Coordinates& c, std::size_t other_level) {
        const GridLevel& other = grid_.levels()[other_level];
        if (other.begin == other.end) return;
        const Interval x = reachable(own, c.x, other, other.nx), y = reachable(own, c.y, other, other.ny),
                       z = reachable(own, c.z, other, other.nz);
        std::vector<Index>& hints = hints_[other_level];
        std::size_t slot = 0;
        for (std::int64_t cz = z.first; cz <= z.last; ++cz) {
            for (std::int64_t cy = y.first; cy <= y.last; ++cy, ++slot) {
                if (slot == hints.size()) hints.push_back(hints.empty() ? 0 : hints.back());
                const std::uint64_t last_key = other.key({x.last, cy, cz});
                Index cell = hints[slot] = seek(other.cells, other.key({x.first, cy, cz}), hints[slot]);
                const Index begin = other.cells[cell].first;
                while (other.cells[cell].key <= last_key) ++cell;
                const Index end = other.cells[cell].first;
                if (begin < end) ranges_.push_back({begin, end});
            }
        }
    }

    const CellGrid& grid_;
    std::vector<std::vector<Index>> hints_;
    std::vector<RowRange> ranges_;
};

/// What the rows of one cell are compared with: of all candidates those that are near enough to the box
/// around these rows, one behind the other, padded to whole lanes. Half of them are left, and the lanes are
/// full. Their order stays.
class NearCandidates {
public:
    void collect(const Candidates& all, const std::vector<RowRange>& ranges, Index begin, Index end) {
        find_rows(all, ranges, begin, end);
        for (auto* values : {&x_, &y_, &z_, &reach2_})
            if (values->size() < row_.size()) values->resize(row_.size());
        for (Index k = 0; k < count_; ++k) {
            x_[k] = all.x[row_[k]];
            y_[k] = all.y[row_[k]];
            z_[k] = all.z[row_[k]];
            reach2_[k] = all.reach2[row_[k]];
        }
        for (; count_ % lane_count != 0; ++count_) {
            row_[count_] = 0;
            x_[count_] = std::numeric_limits<float>::infinity();
            y_[count_] = z_[count_] = reach2_[count_] = 0;
        }
    }

    Index size() const { return count_; }

    /// Writes the neighbours of row i to `out` and returns their number.
    Index list(Index i, const Candidates& all, Index* out) const {
        const Lanes x = spread<Lanes>(all.x[i]), y = spread<Lanes>(all.y[i]), z = spread<Lanes>(all.z[i]);
        const Lanes reach2 = spread<Lanes>(all.reach2[i]);
        // In registers: the compiler must assume that what is written to `out` changes them.
        const float *xs = x_.data(), *ys = y_.data(), *zs = z_.data(), *reaches2 = reach2_.data();
        const Index* rows = row_.data();
        Index count = 0;
        for (Index k = 0, end = count_; k < end; k += lane_count) {
            const Lanes dx = load(xs + k) - x, dy = load(ys + k) - y, dz = load(zs + k) - z;
            const Lanes limit = larger(reach2, load(reaches2 + k));
            const LaneMask row = load(rows + k);
            const LaneMask hit =
                (dx * dx + dy * dy + dz * dz < limit) & (row != static_cast<std::int32_t>(i));
            count += append_rows(out + count, hit, row);
        }
        return count;
    }

private:
    /// The extent of rows along one axis.
    struct Extent {
        Lanes low, high;

        Extent(const RawArray<float>& at, Index begin, Index end) {
            const auto [least, most] = std::minmax_element(at.data() + begin, at.data() + end);
            low = spread<Lanes>(*least);
            high = spread<Lanes>(*most);
        }
        Lanes distance(const Lanes& x) const { return larger(larger(low - x, x - high), Lanes{}); }
    };

    void find_rows(const Candidates& all, const std::vector<RowRange>& ranges, Index begin, Index end) {
        std::size_t most = lane_count;
        for (const RowRange& range : ranges) most += range.end - range.begin + lane_count;
        if (row_.size() < most) row_.resize(most);
        const Extent x(all.x, begin, end), y(all.y, begin, end), z(all.z, begin, end);
        const Lanes reach2 =
            spread<Lanes>(*std::max_element(all.reach2.data() + begin, all.reach2.data() + end));
        const LaneMask offsets{0, 1, 2, 3, 4, 5, 6, 7};
        Index* out = row_.data();
        count_ = 0;
        for (const auto [first, last] : ranges) {
            for (Index j = first; j < last; j += lane_count) {
                const Lanes dx = x.distance(load(all.x.data() + j)), dy = y.distance(load(all.y.data() + j)),
                            dz = z.distance(load(all.z.data() + j));
                const Lanes limit = larger(reach2, load(all.reach2.data() + j)) * rounded_up;
                const LaneMask rows = offsets + static_cast<std::int32_t>(j);
                const LaneMask near =
                    (dx * dx + dy * dy + dz * dz < limit) & (rows < static_cast<std::int32_t>(last));
                count_ += append_rows(out + count_, near, rows);
            }
        }
    }

    /// Rounding must not lose a candidate whose distance is the reach but for the last bits.
    static constexpr float rounded_up = 1 + 1e-5f;

    std::vector<Index> row_;
    std::vector<float> x_, y_, z_, reach2_;
    Index count_ = 0;
};

/// The cell that holds a row: its level, its key and the row behind its last one.
struct RowCell {
    std::size_t level;
    std::uint64_t key;
    Index end;
};

RowCell cell_of(const CellGrid& grid, Index row) {
    std::size_t l = 0;
    while (row >= grid.levels()[l].end) ++l;
    const std::vector<Cell>& cells = grid.levels()[l].cells;
    const auto next = std::upper_bound(cells.begin(), cells.end(), row,
                                       [](Index r, const Cell& cell) { return r < cell.first; });
    return {l, (next - 1)->key, next->first};
}

/// The lists of the rows [row, end), one behind the other in `block`, each padded to whole lanes with
/// `padding`.
void list_block(const CellGrid& grid, RangeFinder& finder, NearCandidates& near, const Candidates& all,
                Index row, Index end, Index padding, std::vector<Index>& block, View<Index> begin,
                View<Index> count) {
    Index used = 0;
    while (row < end) {
        const RowCell cell = cell_of(grid, row);
        const Index cell_end = std::min(end, cell.end);
        near.collect(all, finder.around(cell.level, cell.key), row, cell_end);
        const std::size_t most = near.size() + lane_count;
        for (; row < cell_end; ++row) {
            // A sixteenth to spare: blocks are kept, and the next lists may be a little longer.
            if (const std::size_t room = used + most; block.size() < room) {
                block.reserve(room + room / 16);  // exactly: resize alone would double
                block.resize(room + room / 16);
            }
            begin[row] = used;
            count[row] = near.list(row, all, block.data() + used);
            used += count[row];
            std::fill_n(block.data() + used, lane_count, padding);
            used = (used + lane_count - 1) / lane_count * lane_count;
        }
    }
}

}  // namespace

RawArray<float> NeighbourSearch::reaches(const Device& device, View<const float> support) const {
    RawArray<float> reach(support.size());
    launch(device, static_cast<Index>(support.size()),
           [support, grow = 1 + skin_, out = View<float>(reach)](Index i) { out[i] = support[i] * grow; });
    return reach;
}

bool NeighbourSearch::is_current(const Device& device, View<const Vec3f> position,
                                 View<const float> support) const {
    if (position.size() != built_positions_.size()) return false;
    const View built(built_positions_);
    const float moved2 = reduce_max(device, size(), 0.f, [=](Index i) {
        return norm2(position[i] - built[i]) / (support[i] * support[i]);
    });
    // A little less than half the skin, for the rounding of distances.
    return moved2 < 0.24f * skin_ * skin_;
}

std::vector<Index> NeighbourSearch::sort(const Device& device, View<const Vec3f> position,
                                         View<const float> support) {
    return grid_.sort(device, position, reaches(device, support));
}

void NeighbourSearch::build(const Device& device, View<const Vec3f> position, View<const float> support) {
    const Index n = static_cast<Index>(position.size());
    ++builds_;
    whole_count_.clear();
    begin_.resize(n);
    count_.resize(n);
    built_positions_.resize(n);
    launch(device, n, [position, built = View(built_positions_)](Index i) { built[i] = position[i]; });
    const Candidates candidates(device, position, reaches(device, support));
    const auto block_count = static_cast<std::int64_t>((n + rows_per_block - 1) / rows_per_block);
    blocks_.resize(static_cast<std::size_t>(block_count));
    block_data_.resize(blocks_.size());

    std::exception_ptr failure;  // memory can run out, and no exception may leave a parallel region
    BlockShares shares(block_count, device.threads);
#pragma omp parallel num_threads(device.threads) if (block_count > 1)
    {
        RangeFinder finder(grid_);
        NearCandidates near;
        shares.work(omp_get_thread_num(), [&](std::int64_t b) {
            const Index first = static_cast<Index>(b) * rows_per_block;
            std::vector<Index>& block = blocks_[static_cast<std::size_t>(b)];
            try {
                list_block(grid_, finder, near, candidates, first, std::min(n, first + rows_per_block), n,
                           block, begin_, count_);
            } catch (...) {
#pragma omp critical
                failure = std::current_exception();
            }
            block_data_[static_cast<std::size_t>(b)] = block.data();
        });
    }
    if (failure) std::rethrow_exception(failure);
}

void NeighbourSearch::save_whole() {
    whole_blocks_ = blocks_;
    whole_count_ = count_;
    whole_data_.clear();
    for (const auto& block : whole_blocks_) whole_data_.push_back(block.data());
}

std::size_t NeighbourSearch::bytes() const {
    std::size_t bytes = (begin_.size() + count_.size() + whole_count_.size()) * sizeof(Index) +
                        built_positions_.size() * sizeof(Vec3f);
    for (const auto* blocks : {&blocks_, &whole_blocks_}) {
        for (const auto& block : *blocks) bytes += block.capacity() * sizeof(Index);
    }
    return bytes;
}

}  // namespace thixo
