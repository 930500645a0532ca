#include "elastic/reference.h"

#include <bit>
#include <utility>

#include "core/marks.h"

namespace thixo {

namespace {

Index blocks_for(Index links) { return (links + lane_count - 1) / lane_count; }

/// A block of the list of slot s without links.
ReferenceBlock unused_block(Index s) {
    ReferenceBlock block{};
    std::fill(std::begin(block.neighbour), std::end(block.neighbour), s);
    return block;
}

/// Lists that grow are copied as a whole when there is no room behind them. While they are few, there is room for many more: memory
/// that nobody has written to costs nothing.
std::size_t room_for(std::size_t blocks) { return blocks < (1u << 20) ? 4 * blocks : 2 * blocks; }

/// More unused blocks than this share of all, and lists are brought together again.
constexpr double unused_share = 0.25;

}  // namespace

void ReferenceNeighbourhoods::assign(std::vector<Index> count, View<const ReferenceLink> links) {
    count_ = std::move(count);
    begin_.resize(count_.size());
    room_.resize(count_.size());
    blocks_.clear();
    second_weights_.clear();
    unused_ = 0;
    const ReferenceLink* next = links.begin();
    for (Index s = 0; s < size(); ++s) {
        begin_[s] = static_cast<Index>(blocks_.size());
        room_[s] = blocks_for(count_[s]);
        blocks_.resize(blocks_.size() + room_[s], unused_block(s));
        for (Index k = 0; k < count_[s]; ++k, ++next) {
            entry(s, k).neighbour[k % lane_count] = next->neighbour;
            set_vector(s, k, next->X);
        }
    }
}

void ReferenceNeighbourhoods::add_slots(Index count) {
    begin_.resize(begin_.size() + count, static_cast<Index>(blocks_.size()));
    count_.resize(count_.size() + count, 0);
    room_.resize(room_.size() + count, 0);
}

void ReferenceNeighbourhoods::add(const Device& device, View<const ReferencePair> pairs) {
    std::vector<Index> more(size()), slots;  // of each slot; those that get any
    const auto count = [&](Index s) {
        if (more[s]++ > 0) return;
        slots.push_back(s);
        if (count_[s] > 0) prefetch(&entry(s, count_[s] - 1), sizeof(ReferenceBlock));
    };
    for (const ReferencePair& pair : pairs) {
        count(pair.a);
        count(pair.b);
    }
    std::vector<Index> begin(slots.size() + 1), next(size());
    for (std::size_t k = 0; k < slots.size(); ++k) {
        next[slots[k]] = begin[k];
        begin[k + 1] = begin[k] + more[slots[k]];
        make_room(slots[k], count_[slots[k]] + more[slots[k]]);
    }
    std::vector<ReferenceLink> links(2 * pairs.size());
    for (const ReferencePair& pair : pairs) {
        links[next[pair.a]++] = {pair.b, pair.X};
        links[next[pair.b]++] = {pair.a, -pair.X};
    }
    launch<small_grain>(device, static_cast<Index>(slots.size()),
                        [this, slots = View<const Index>(slots), begin = View<const Index>(begin),
                         links = View(links)](Index k) {
                            merge(slots[k], {links.data() + begin[k], begin[k + 1] - begin[k]});
                        });
    if (unused_ > unused_share * static_cast<double>(blocks_.size())) compact();
}

/// There is room for them.
void ReferenceNeighbourhoods::merge(Index s, View<ReferenceLink> links) {
    std::sort(links.begin(), links.end(),
              [](const ReferenceLink& a, const ReferenceLink& b) { return a.neighbour < b.neighbour; });
    Index k = count_[s], to = count_[s] += static_cast<Index>(links.size());
    for (auto next = links.size(); next > 0;) {
        const ReferenceLink& link = links[next - 1];
        --to;
        if (k > 0 && view().link(s, k - 1).neighbour > link.neighbour) {
            move_entry(s, --k, to);
            continue;
        }
        assert(k == 0 || view().link(s, k - 1).neighbour != link.neighbour);
        entry(s, to).neighbour[to % lane_count] = link.neighbour;
        set_vector(s, to, link.X);
        --next;
    }
}

std::vector<Index> ReferenceNeighbourhoods::detach(const Device& device, View<const Index> slots) {
    const std::vector<Index> touched = with_neighbours(device, slots);
    std::vector<std::uint8_t> gone(size());
    for (const Index s : slots) gone[s] = 1;
    launch<small_grain>(
        device, static_cast<Index>(touched.size()),
        [this, touched = View<const Index>(touched), gone = View<const std::uint8_t>(gone)](Index i) {
            const Index s = touched[i];
            filter_list(s, [&](Index k) { return !gone[s] && !gone[entry(s, k).neighbour[k % lane_count]]; });
        });
    return touched;
}

void ReferenceNeighbourhoods::turn(View<const Index> slots, const Mat3d& rotation) {
    for (const Index s : slots) {
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
    ReferenceBlock& block = entry(s, k);
    const Index l = k % lane_count;
    block.x[l] = X.x;
    block.y[l] = X.y;
    block.z[l] = X.z;
    block.weight[l] = 0;  // to be weighed anew
}

void ReferenceNeighbourhoods::make_room(Index s, Index links) {
    if (links <= room_[s] * lane_count) return;
    // Who gets some links will soon get more: a body grows around it.
    const Index room = blocks_for(links) + 1;
    const auto begin = static_cast<Index>(blocks_.size());
    if (blocks_.capacity() < begin + room) blocks_.reserve(room_for(begin + room));
    blocks_.resize(begin + room, unused_block(s));
    std::copy_n(blocks_.begin() + begin_[s], room_[s], blocks_.begin() + begin);
    unused_ += room_[s];
    room_[s] = room;
    begin_[s] = begin;
}

void ReferenceNeighbourhoods::compact() {
    std::vector<ReferenceBlock> blocks;
    std::vector<SecondWeights> second_weights;
    const bool twice = !second_weights_.empty();
    if (twice) second_weights_.resize(blocks_.size());
    for (Index s = 0; s < size(); ++s) {
        const auto begin = static_cast<Index>(blocks.size());
        room_[s] = blocks_for(count_[s]);
        const auto take = [&](const auto& from, auto& to) {
            to.insert(to.end(), from.begin() + begin_[s], from.begin() + begin_[s] + room_[s]);
        };
        take(blocks_, blocks);
        if (twice) take(second_weights_, second_weights);
        begin_[s] = begin;
    }
    blocks_ = std::move(blocks);
    second_weights_ = std::move(second_weights);
    unused_ = 0;
}

Index ReferenceNeighbourhoods::move_up(Index s, Index from, unsigned lanes, Index to) {
    if (from == to && lanes == (1u << lane_count) - 1) return lane_count;
    const auto moved = static_cast<Index>(std::popcount(lanes));
    for (; lanes != 0; lanes &= lanes - 1)
        move_entry(s, from + static_cast<Index>(std::countr_zero(lanes)), to++);
    return moved;
}

std::vector<CutLink> ReferenceNeighbourhoods::remove_marked() {
    std::vector<CutLink> out;
    for (Index s = 0; s < size(); ++s) {
        const Index before = count_[s];
        Index kept = 0;
        for (Index k = 0; k < before; ++k) {
            const ReferenceBlock& block = entry(s, k);
            if (block.weight[k % lane_count] == cut_mark) {
                out.push_back({s, block.neighbour[k % lane_count]});
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
    const ReferenceBlock& source = entry(s, from);
    ReferenceBlock& target = entry(s, to);
    const Index f = from % lane_count, t = to % lane_count;
    target.neighbour[t] = source.neighbour[f];
    target.x[t] = source.x[f];
    target.y[t] = source.y[f];
    target.z[t] = source.z[f];
    target.weight[t] = source.weight[f];
}

void ReferenceNeighbourhoods::clear_entry(Index s, Index k) {
    ReferenceBlock& block = entry(s, k);
    const Index l = k % lane_count;
    block.neighbour[l] = s;
    block.x[l] = block.y[l] = block.z[l] = block.weight[l] = 0;
}

std::vector<Index> ReferenceNeighbourhoods::with_neighbours(const Device& device,
                                                            View<const Index> slots) const {
    Marks wanted(size());
    launch<small_grain>(device, static_cast<Index>(slots.size()),
                        [&wanted, slots, reference = view()](Index k) {
                            reference.prefetch_after(slots, k);
                            wanted.set(slots[k]);
                            reference.for_each_neighbour(slots[k], [&](Index j) { wanted.set(j); });
                        });
    return wanted.rows();
}

std::vector<ReferenceLink> ReferenceNeighbourhoods::links() const {
    std::vector<ReferenceLink> out;
    for (Index s = 0; s < size(); ++s) {
        for (Index k = 0; k < count_[s]; ++k) out.push_back(view().link(s, k));
    }
    return out;
}

std::size_t ReferenceNeighbourhoods::bytes() const {
    // Room for blocks that nobody has written to is not there yet.
    return blocks_.size() * sizeof(ReferenceBlock) + second_weights_.capacity() * sizeof(SecondWeights) +
           (begin_.capacity() + count_.capacity() + room_.capacity()) * sizeof(Index);
}

}  // namespace thixo
