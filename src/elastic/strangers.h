#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "core/view.h"
#include "elastic/reference.h"
#include "particles/table.h"

namespace thixo {

/// The reference neighbours of one slot, sooner found than in its list: each at the place that its number ends with. Where two end
/// alike the second is left out, and the list asked after all.
class KnownLinks {
public:
    KnownLinks(const Reference& reference, Index slot) : reference_(reference), slot_(slot) {
        std::fill(std::begin(at_), std::end(at_), slot);
        reference.for_each_neighbour(slot, [&](Index other) {
            Index& at = at_[other % places];
            if (at == slot) {
                at = other;
            } else {
                complete_ = false;
            }
        });
    }

    bool linked(Index other) const {
        return at_[other % places] == other || (!complete_ && reference_.linked(slot_, other));
    }

    /// Whether the slot has a reference neighbour in common with another one that it is not linked to.
    bool share_neighbour(Index other) const {
        return reference_.any_neighbour(other, [&](Index k) { return at_[k % places] == k && k != slot_; }) ||
               (!complete_ && reference_.share_neighbour(slot_, other));
    }

private:
    static constexpr Index places = 256;

    Reference reference_;
    Index slot_;
    bool complete_ = true;
    Index at_[places];  ///< the slot itself where there is none
};

/// Whether two rows meet as strangers, by pressure: not so reference neighbours, nor particles of one body that have a
/// reference neighbour in common, which come within reach of each other when their body is compressed.
struct Strangers {
    Reference reference;
    View<const std::uint32_t> slot, body;

    bool operator()(Index i, Index j) const {
        const std::uint32_t a = slot[i], b = slot[j];
        return a == no_slot || b == no_slot || body[i] != body[j] ||
               !(reference.linked(a, b) || reference.share_neighbour(a, b));
    }

    /// The same for all others that one row, which has a slot, may meet.
    auto of(Index i) const {
        return [=, *this, links = KnownLinks(reference, slot[i])](Index j) {
            const std::uint32_t b = slot[j];
            return b == no_slot || body[i] != body[j] || !(links.linked(b) || links.share_neighbour(b));
        };
    }
};

}  // namespace thixo
