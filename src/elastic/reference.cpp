#include "elastic/reference.h"

#include <utility>

namespace thixo {

namespace {

Index blocks_for(Index links) { return (links + lane_count - 1) / lane_count; }

/// A block of the list of slot s without links.
ReferenceBlock unused_block(Index s) {
    ReferenceBlock block{};
    std::fill(std::begin(block.neighbour), std::end(block.neighbour), s);
    return block;
}

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

void ReferenceNeighbourhoods::add(View<const ReferencePair> pairs) {
    for (const ReferencePair& pair : pairs) {
        insert(pair.a, {pair.b, pair.X});
        insert(pair.b, {pair.a, -pair.X});
    }
    if (unused_ > unused_share * static_cast<double>(blocks_.size())) compact();
}

void ReferenceNeighbourhoods::insert(Index s, const ReferenceLink& link) {
    if (count_[s] == room_[s] * lane_count) move_behind(s);
    Index k = count_[s]++;
    for (; k > 0 && view().link(s, k - 1).neighbour > link.neighbour; --k) move_entry(s, k - 1, k);
    assert(k == 0 || view().link(s, k - 1).neighbour != link.neighbour);
    entry(s, k).neighbour[k % lane_count] = link.neighbour;
    entry(s, k).weight[k % lane_count] = 0;
    set_vector(s, k, link.X);
}

void ReferenceNeighbourhoods::detach(View<const Index> slots) {
    for (const Index s : slots) {
        for (Index k = 0; k < count_[s]; ++k) erase(view().link(s, k).neighbour, s);
        for (Index k = 0; k < count_[s]; ++k) clear_entry(s, k);
        count_[s] = 0;
    }
}

void ReferenceNeighbourhoods::erase(Index s, Index neighbour) {
    Index k = 0;
    while (view().link(s, k).neighbour != neighbour) ++k;
    for (; k + 1 < count_[s]; ++k) move_entry(s, k + 1, k);
    clear_entry(s, --count_[s]);
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
}

void ReferenceNeighbourhoods::move_behind(Index s) {
    const auto begin = static_cast<Index>(blocks_.size());
    blocks_.resize(begin + room_[s] + 1, unused_block(s));
    std::copy_n(blocks_.begin() + begin_[s], room_[s], blocks_.begin() + begin);
    unused_ += room_[s]++;
    begin_[s] = begin;
}

void ReferenceNeighbourhoods::compact() {
    std::vector<ReferenceBlock> blocks;
    for (Index s = 0; s < size(); ++s) {
        const auto begin = static_cast<Index>(blocks.size());
        room_[s] = blocks_for(count_[s]);
        blocks.insert(blocks.end(), blocks_.begin() + begin_[s], blocks_.begin() + begin_[s] + room_[s]);
        begin_[s] = begin;
    }
    blocks_ = std::move(blocks);
    unused_ = 0;
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

std::vector<Index> ReferenceNeighbourhoods::with_neighbours(View<const Index> slots) const {
    std::vector<bool> wanted(size());
    for (const Index s : slots) {
        wanted[s] = true;
        for (Index k = 0; k < count_[s]; ++k) wanted[view().link(s, k).neighbour] = true;
    }
    std::vector<Index> out;
    for (Index s = 0; s < size(); ++s) {
        if (wanted[s]) out.push_back(s);
    }
    return out;
}

std::vector<ReferenceLink> ReferenceNeighbourhoods::links() const {
    std::vector<ReferenceLink> out;
    for (Index s = 0; s < size(); ++s) {
        for (Index k = 0; k < count_[s]; ++k) out.push_back(view().link(s, k));
    }
    return out;
}

std::size_t ReferenceNeighbourhoods::bytes() const {
    return blocks_.capacity() * sizeof(ReferenceBlock) + second_weights_.capacity() * sizeof(SecondWeights) +
           (begin_.capacity() + count_.capacity() + room_.capacity()) * sizeof(Index);
}

}  // namespace thixo
