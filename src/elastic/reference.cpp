#include "elastic/reference.h"

#include <bit>
#include <cstring>
#include <utility>

#include "core/marks.h"

namespace thixo {

namespace {

Index blocks_for(Index links) { return (links + lane_count - 1) / lane_count; }

/// Lists that grow are copied as a whole when there is no room behind them. While they are few, there is room
/// for many more: memory that was never written to costs nothing.
std::size_t room_for(std::size_t blocks) { return blocks < (1u << 20) ? 4 * blocks : 2 * blocks; }

/// More unused blocks than this fraction of all, and lists are brought together again: memory stays within a
/// third of what is used, and each block is moved at most four times on average
/// (tests/unit/elastic/reference_test.cpp bounds the memory).
constexpr double unused_fraction = 0.25;

}  // namespace

void ReferenceNeighbourhoods::assign(std::vector<Index> count, View<const ReferenceLink> links) {
    count_ = std::move(count);
    begin_.resize(count_.size());
    room_.resize(count_.size());
    linked_.clear();
    vectors_.clear();
    second_weights_.clear();
    unused_ = 0;
    const ReferenceLink* next = links.begin();
    for (Index s = 0; s < size(); ++s) {
        begin_[s] = static_cast<Index>(vectors_.size());
        room_[s] = blocks_for(count_[s]);
        vectors_.resize(vectors_.size() + room_[s]);
        linked_.resize(vectors_.size() * lane_count, s);
        for (Index k = 0; k < count_[s]; ++k, ++next) {
            neighbour(s, k) = next->neighbour;
            set_vector(s, k, next->X);
        }
    }
}

void ReferenceNeighbourhoods::add_indices(Index count) {
    begin_.resize(begin_.size() + count, static_cast<Index>(vectors_.size()));
    count_.resize(count_.size() + count, 0);
    room_.resize(room_.size() + count, 0);
}

void ReferenceNeighbourhoods::add(const Device& device, const NewLinks& links) {
    for (const NewLinks::Part& part : links.parts()) {
        for (std::size_t k = 0; k < part.index.size(); ++k) {
            if (part.count[k] > 0) make_room(part.index[k], count_[part.index[k]] + part.count[k]);
        }
    }
    for (const NewLinks::Part& part : links.parts()) {
        launch<small_grain>(device, static_cast<Index>(part.index.size()), [this, &part](Index k) {
            prefetch_after(part.index, k);
            for (const ReferenceLink& link : part.of(k)) append(part.index[k], link);
        });
    }
    if (unused_ > unused_fraction * static_cast<double>(vectors_.size())) compact();
}

/// There is room for it.
void ReferenceNeighbourhoods::append(Index s, const ReferenceLink& link) {
    const Index k = count_[s]++;
    if (k % lane_count == 0) {
        std::fill_n(&neighbour(s, k), lane_count, s);
        vectors(s, k) = {};
    }
    neighbour(s, k) = link.neighbour;
    set_vector(s, k, link.X);
}

void ReferenceNeighbourhoods::detach(const Device& device, View<const Index> indices,
                                     View<const Index> around) {
    std::vector<std::uint8_t> gone(size());
    for (const Index s : indices) {
        gone[s] = 1;
        count_[s] = 0;
    }
    launch<small_grain>(device, static_cast<Index>(around.size()),
                        [this, around, gone = View<const std::uint8_t>(gone)](Index i) {
                            const Index s = around[i];
                            prefetch_after(around, i);
                            if (!gone[s]) filter_list(s, [&](Index k) { return !gone[neighbour(s, k)]; });
                        });
}

void ReferenceNeighbourhoods::prefetch_after(View<const Index> indices, std::size_t k) {
    if (k + prefetch_ahead >= indices.size()) return;
    const Index s = indices[k + prefetch_ahead];
    prefetch(linked_.data() + std::size_t{begin_[s]} * lane_count, room_[s] * lane_count * sizeof(Index));
    prefetch(vectors_.data() + begin_[s], room_[s] * sizeof(LinkVectors));
}

void ReferenceNeighbourhoods::turn(View<const Index> indices, const Mat3d& rotation) {
    for (const Index s : indices) {
        for (Index k = 0; k < count_[s]; ++k) {
            // Each link is turned once, so that both ends of it stay opposite to the bit.
            const ReferenceLink link = view().link(s, k);
            if (link.neighbour < s) continue;
            const Vec3f X = to_float(rotation * to_double(link.X));
            set_vector(s, k, X);
            Index back = 0;
            while (view().link(link.neighbour, back).neighbour != s) ++back;
            set_vector(link.neighbour, back, -X);
        }
    }
}

void ReferenceNeighbourhoods::set_vector(Index s, Index k, const Vec3f& X) {
    LinkVectors& v = vectors(s, k);
    const Index l = k % lane_count;
    v.x[l] = X.x;
    v.y[l] = X.y;
    v.z[l] = X.z;
    v.weight[l] = 0;  // to be weighed anew
}

void ReferenceNeighbourhoods::make_room(Index s, Index links) {
    if (links <= room_[s] * lane_count) return;
    // A particle that gets some links will soon get more: a body grows around it.
    const Index room = blocks_for(links) + 1;
    const auto begin = static_cast<Index>(vectors_.size());
    const auto grow = [&](auto& entries, std::size_t per_block, const auto& unused) {
        const std::size_t first = begin * per_block, end = first + room * per_block;
        if (entries.capacity() < end) entries.reserve(room_for(begin + room) * per_block);
        entries.resize(end, unused);
        std::copy_n(entries.data() + begin_[s] * per_block, room_[s] * per_block, entries.data() + first);
    };
    grow(linked_, lane_count, s);
    grow(vectors_, 1, LinkVectors{});
    unused_ += room_[s];
    room_[s] = room;
    begin_[s] = begin;
}

void ReferenceNeighbourhoods::compact() {
    std::vector<Index> linked;
    std::vector<LinkVectors> vectors;
    std::vector<SecondWeights> second_weights;
    const bool twice = !second_weights_.empty();
    if (twice) second_weights_.resize(vectors_.size());
    for (Index s = 0; s < size(); ++s) {
        const auto begin = static_cast<Index>(vectors.size());
        room_[s] = blocks_for(count_[s]);
        const auto take = [&](const auto& from, auto& to, std::size_t per_block = 1) {
            const auto* first = from.data() + begin_[s] * per_block;
            to.insert(to.end(), first, first + room_[s] * per_block);
        };
        take(linked_, linked, lane_count);
        take(vectors_, vectors);
        if (twice) take(second_weights_, second_weights);
        begin_[s] = begin;
    }
    linked_ = std::move(linked);
    vectors_ = std::move(vectors);
    second_weights_ = std::move(second_weights);
    unused_ = 0;
}

void ReferenceNeighbourhoods::MovingLinks::take(const ReferenceBlock& block, unsigned lanes) {
    const LaneMask mask = (LaneMask{1, 2, 4, 8, 16, 32, 64, 128} & static_cast<std::int32_t>(lanes)) != 0;
    const auto append = [&](Index column, LaneMask entries) {
        append_rows(bits[column] + count, mask, entries);
    };
    append(0, load(block.neighbour));
    append(1, (LaneMask)load(block.x));
    append(2, (LaneMask)load(block.y));
    append(3, (LaneMask)load(block.z));
    append(4, (LaneMask)load(block.weight));
    count += static_cast<Index>(std::popcount(lanes));
}

void ReferenceNeighbourhoods::put(Index s, MovingLinks& moving) {
    const Index n = std::min(moving.count, lane_count);
    const LaneMask there = LaneMask{0, 1, 2, 3, 4, 5, 6, 7} < static_cast<std::int32_t>(n);
    const auto store = [&](void* to, Index column, Index unused) {
        const LaneMask entries =
            there ? load(moving.bits[column]) : spread<LaneMask>(static_cast<std::int32_t>(unused));
        std::memcpy(to, &entries, sizeof entries);
        std::copy_n(moving.bits[column] + lane_count, lane_count, moving.bits[column]);
    };
    LinkVectors& to = vectors(s, count_[s]);
    store(&neighbour(s, count_[s]), 0, s);
    store(to.x, 1, 0);
    store(to.y, 2, 0);
    store(to.z, 3, 0);
    store(to.weight, 4, 0);
    count_[s] += n;
    moving.count -= n;
}

std::vector<CutLink> ReferenceNeighbourhoods::remove_marked() {
    std::vector<CutLink> out;
    for (Index s = 0; s < size(); ++s) {
        const Index before = count_[s];
        Index kept = 0;
        for (Index k = 0; k < before; ++k) {
            if (vectors(s, k).weight[k % lane_count] == cut_mark) {
                out.push_back({s, neighbour(s, k)});
            } else {
                move_entry(s, k, kept++);
            }
        }
        for (Index k = kept; k < before; ++k) clear_entry(s, k);
        count_[s] = kept;
    }
    return out;
}

void ReferenceNeighbourhoods::move_entry(Index s, Index from, Index to) {
    if (from == to) return;
    neighbour(s, to) = neighbour(s, from);
    const LinkVectors& source = vectors(s, from);
    LinkVectors& target = vectors(s, to);
    const Index f = from % lane_count, t = to % lane_count;
    target.x[t] = source.x[f];
    target.y[t] = source.y[f];
    target.z[t] = source.z[f];
    target.weight[t] = source.weight[f];
}

void ReferenceNeighbourhoods::clear_entry(Index s, Index k) {
    neighbour(s, k) = s;
    LinkVectors& v = vectors(s, k);
    const Index l = k % lane_count;
    v.x[l] = v.y[l] = v.z[l] = v.weight[l] = 0;
}

std::vector<Index> ReferenceNeighbourhoods::with_neighbours(const Device& device,
                                                            View<const Index> indices) const {
    Marks marked(size());
    launch<small_grain>(device, static_cast<Index>(indices.size()),
                        [&marked, indices, reference = view()](Index k) {
                            if (k + prefetch_ahead < indices.size())
                                reference.prefetch_linked(indices[k + prefetch_ahead]);
                            marked.set(indices[k]);
                            reference.for_each_neighbour(indices[k], [&](Index j) { marked.set(j); });
                        });
    return marked.rows();
}

std::vector<ReferenceLink> ReferenceNeighbourhoods::links() const {
    std::vector<ReferenceLink> out;
    for (Index s = 0; s < size(); ++s) {
        for (Index k = 0; k < count_[s]; ++k) out.push_back(view().link(s, k));
    }
    return out;
}

std::size_t ReferenceNeighbourhoods::bytes() const {
    // Room for blocks that was never written to is not there yet.
    return linked_.size() * sizeof(Index) + vectors_.size() * sizeof(LinkVectors) +
           second_weights_.capacity() * sizeof(SecondWeights) +
           (begin_.capacity() + count_.capacity() + room_.capacity()) * sizeof(Index);
}

}  // namespace thixo
