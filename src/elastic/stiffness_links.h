#pragma once

#include <vector>

#include "elastic/reference.h"
#include "elastic/slot_block.h"

namespace thixo {

/// What a slot exerts when it and its neighbours are displaced: one cache line, all that the second pass reads of a neighbour.
struct alignas(64) Response {
    Packed4 unexplained;  ///< force on the slot itself by what the strain does not see, N
    Packed4 q[3];         ///< rows of Q
};

/// The reference neighbours as the linear operator reads them, twice for each product: factors that do not depend on the
/// displacements are multiplied beforehand, and a neighbour's lie side by side, so that one load spreads them over a register. Follows
/// from the links and what slots are like.
class StiffnessLinks {
public:
    /// Makes them for slots whose κ are multiplied by `stiffness` + `damping` τ, unless they are that already.
    void prepare(const Device& device, const Reference& reference, View<const SlotBlock> slots,
                 float stiffness, float damping);
    /// Links, or what slots are like, have changed.
    void outdate() { begin_.clear(); }

    /// What a pass sees.
    struct Lists {
        View<const Index> begin, neighbour;
        View<const Packed4> link;
        View<const Packed4> sum;

        /// Calls visit(neighbour, link) four times in a row for as many sums, so that none waits for the last one.
        template <class Visit>
        void for_each(Index s, const Visit& visit) const {
            const Index* of = neighbour.data() + begin[s];
            const Index* const end = neighbour.data() + begin[s + 1];
            for (const Packed4* a = link.data() + begin[s]; of != end; of += at_a_time, a += at_a_time) {
                for (Index l = 0; l < at_a_time; ++l) visit(l, of[l], a[l]);
            }
        }
    };
    Lists view() const { return {begin_, neighbour_, link_, sum_}; }

    static constexpr Index at_a_time = 4;

    std::size_t bytes() const;

private:
    std::vector<Index> begin_;      ///< first entry of each slot, and the end; whole fours
    std::vector<Index> neighbour_;  ///< the slot itself in unused entries
    std::vector<Packed4> link_;     ///< wᵢⱼ Xⱼᵢ; w: wᵢⱼ (κᵢ + κⱼ), N/m
    std::vector<Packed4> sum_;      ///< of a slot's links
    float stiffness_ = 0, damping_ = 0;
};

}  // namespace thixo
