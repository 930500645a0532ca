#pragma once

#include "core/prefetch.h"
#include "core/simd.h"
#include "core/view.h"

namespace thixo {

/// Rows of one list buffer: as many as a thread gets at a time (`launch_grain`).
inline constexpr Index rows_per_block = 512;

/// What a pass sees of the neighbour lists: for each row the rows within reach, itself excluded, in fixed
/// order. Lists are padded to whole lanes with row `n`, one past the last particle: records gathered in pair
/// loops have an extra entry there that contributes nothing (see `padding_record`).
class Neighbours {
public:
    Neighbours() = default;
    Neighbours(const Index* const* blocks, View<const Index> begin, View<const Index> count)
        : blocks_(blocks), begin_(begin), count_(count) {}

    THIXO_HOST_DEVICE Index count(Index i) const { return count_[i]; }
    View<const Index> of(Index i) const { return {list(i), count_[i]}; }

    /// For rows[k] and those after it, whose neighbours are visited one after the other.
    void prefetch_after(View<const Index> rows, std::size_t k) const {
        if (k + prefetch_ahead >= rows.size()) return;
        prefetch_list(rows[k + prefetch_ahead]);
    }
    void prefetch_list(Index i) const { prefetch(list(i), count_[i] * sizeof(Index)); }

    /// Calls visit(rows) for each eight neighbours of i, the last ones padded.
    template <class Visit>
    THIXO_HOST_DEVICE void for_each_lanes(Index i, const Visit& visit) const {
        const Index* rows = list(i);
        for (Index k = 0; k < count_[i]; k += lane_count) visit(rows + k);
    }

private:
    THIXO_HOST_DEVICE const Index* list(Index i) const { return blocks_[i / rows_per_block] + begin_[i]; }

    const Index* const* blocks_ = nullptr;
    View<const Index> begin_, count_;
};

/// The record behind the last particle: too far away to be a neighbour of any particle, and weightless.
inline constexpr Packed4 padding_record{1e15f, 1e15f, 1e15f, 0};

}  // namespace thixo
