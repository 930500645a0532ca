#include "elastic/reference.h"

#include <utility>

namespace thixo {

void ReferenceNeighbourhoods::assign(std::vector<Index> count, View<const ReferenceLink> links) {
    count_ = std::move(count);
    begin_.resize(count_.size());
    Index blocks = 0;
    for (Index s = 0; s < size(); ++s) {
        begin_[s] = blocks;
        blocks += (count_[s] + lane_count - 1) / lane_count;
    }
    ReferenceBlock empty{};
    std::fill(std::begin(empty.neighbour), std::end(empty.neighbour), size());
    blocks_.assign(blocks, empty);
    const ReferenceLink* next = links.begin();
    for (Index s = 0; s < size(); ++s) {
        for (Index k = 0; k < count_[s]; ++k, ++next) {
            ReferenceBlock& block = entry(s, k);
            const Index l = k % lane_count;
            block.neighbour[l] = next->neighbour;
            block.x[l] = next->X.x;
            block.y[l] = next->X.y;
            block.z[l] = next->X.z;
        }
    }
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
    block.neighbour[l] = size();
    block.x[l] = block.y[l] = block.z[l] = block.weight[l] = 0;
}

std::vector<ReferenceLink> ReferenceNeighbourhoods::links() const {
    std::vector<ReferenceLink> out;
    for (Index s = 0; s < size(); ++s) {
        for (Index k = 0; k < count_[s]; ++k) out.push_back(view().link(s, k));
    }
    return out;
}

std::size_t ReferenceNeighbourhoods::bytes() const {
    return blocks_.capacity() * sizeof(ReferenceBlock) +
           (begin_.capacity() + count_.capacity()) * sizeof(Index);
}

}  // namespace thixo
