#pragma once

#include <algorithm>
#include <vector>

#include "core/launch.h"
#include "core/simd.h"
#include "core/vec.h"
#include "core/view.h"

namespace thixo {

/// One reference neighbour as a slot knows it.
struct ReferenceLink {
    Index neighbour;
    Vec3f X;  ///< from the slot to the neighbour while neither was deformed, Xⱼ − Xᵢ

    friend bool operator==(const ReferenceLink&, const ReferenceLink&) = default;
};

/// One end of a link that is no more.
struct CutLink {
    Index slot, neighbour;
};

/// Eight reference neighbours, each component side by side for SIMD lanes. Unused entries name the slot behind the last,
/// whose records are padding, and weigh nothing.
struct alignas(32) ReferenceBlock {
    Index neighbour[lane_count];
    float x[lane_count], y[lane_count], z[lane_count];  ///< Xⱼ − Xᵢ
    float weight[lane_count];                           ///< of the pair in the sums of its model, ≥ 0

    Vec3<Lanes> X() const { return {load(x), load(y), load(z)}; }
    Lanes w() const { return load(weight); }
};

/// What a pass sees of the reference neighbourhoods.
class Reference {
public:
    Reference() = default;
    Reference(View<const Index> begin, View<const Index> count, View<const ReferenceBlock> blocks)
        : begin_(begin), count_(count), blocks_(blocks) {}

    Index size() const { return static_cast<Index>(count_.size()); }
    Index count(Index s) const { return count_[s]; }

    template <class Visit>
    void for_each_block(Index s, const Visit& visit) const {
        const ReferenceBlock* block = blocks_.data() + begin_[s];
        for (Index k = 0; k < count_[s]; k += lane_count) visit(*block++);
    }

    ReferenceLink link(Index s, Index k) const {
        const ReferenceBlock& block = blocks_[begin_[s] + k / lane_count];
        const Index l = k % lane_count;
        return {block.neighbour[l], {block.x[l], block.y[l], block.z[l]}};
    }

    /// Whether b is a reference neighbour of a; lists are sorted.
    bool linked(Index a, Index b) const {
        Index low = 0, high = count_[a];
        while (low < high) {
            const Index middle = (low + high) / 2;
            const Index other = link(a, middle).neighbour;
            if (other == b) return true;
            (other < b ? low : high) = other < b ? middle + 1 : middle;
        }
        return false;
    }

    /// Whether a and b have a reference neighbour in common.
    bool share_neighbour(Index a, Index b) const {
        for (Index k = 0, l = 0; k < count_[a] && l < count_[b];) {
            const Index p = link(a, k).neighbour, q = link(b, l).neighbour;
            if (p == q) return true;
            p < q ? ++k : ++l;
        }
        return false;
    }

private:
    View<const Index> begin_, count_;  ///< first block; entries
    View<const ReferenceBlock> blocks_;
};

/// The reference neighbours of every slot with their distance vectors, stored locally [SSP07, fig. 3]: no rest shape of the
/// whole exists. Links are mutual and their vectors opposite, Xᵢⱼ = −Xⱼᵢ, to the bit. Lists are sorted by slot.
class ReferenceNeighbourhoods {
public:
    /// Lists of `count[s]` links for each slot s, one after the other, sorted. Weights are zero.
    void assign(std::vector<Index> count, View<const ReferenceLink> links);

    /// Drops the links whose lanes overloaded(s, block) sets, which must be those of both their ends. Returns both ends of
    /// each link that went, by slot.
    template <class Overloaded>
    std::vector<CutLink> cut(const Device& device, const Overloaded& overloaded) {
        // Each link is asked once from each end, and the answer kept in its weight: asked again, elsewhere in the
        // program, it might be rounded another way.
        const bool any_cut = reduce_max(device, size(), 0, [&](Index s) {
            int found = 0;
            for (Index k = 0; k < count_[s]; k += lane_count) {
                ReferenceBlock& block = entry(s, k);
                const LaneMask mask = overloaded(s, block);
                if (!any(mask)) continue;
                found = 1;
                for (Index l = 0; l < lane_count; ++l) block.weight[l] = mask[l] ? cut_mark : block.weight[l];
            }
            return found;
        });
        return any_cut ? remove_marked() : std::vector<CutLink>();
    }

    /// Sets the weight of every link to weight(s, link).
    template <class Weight>
    void weigh(const Device& device, const Weight& weight) {
        launch(device, size(), [this, weight](Index s) {
            for (Index k = 0; k < count_[s]; ++k)
                entry(s, k).weight[k % lane_count] = weight(s, view().link(s, k));
        });
    }

    Reference view() const { return {begin_, count_, blocks_}; }
    Index size() const { return static_cast<Index>(count_.size()); }

    /// For checkpoints: what `assign` takes.
    const std::vector<Index>& counts() const { return count_; }
    std::vector<ReferenceLink> links() const;

    std::size_t bytes() const;

private:
    ReferenceBlock& entry(Index s, Index k) { return blocks_[begin_[s] + k / lane_count]; }
    static constexpr float cut_mark = -1;  ///< in place of a weight

    std::vector<CutLink> remove_marked();
    void move_entry(Index s, Index from, Index to);
    void clear_entry(Index s, Index k);

    std::vector<Index> begin_, count_;
    std::vector<ReferenceBlock> blocks_;
};

}  // namespace thixo
