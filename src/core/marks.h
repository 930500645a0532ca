#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/view.h"

namespace thixo {

/// A subset of n rows. Any thread may mark any row; the result does not depend on the order.
class Marks {
public:
    explicit Marks(Index n) : marks_((n + step - 1) / step * step) {}

    void set(Index row) const {
        std::atomic_ref<std::uint8_t>(marks_[row]).store(1, std::memory_order_relaxed);
    }
    bool operator[](Index row) const { return marks_[row] != 0; }

    /// In ascending order. Most rows are not marked, so eight are tested at a time.
    std::vector<Index> rows() const {
        std::vector<Index> out;
        for (Index first = 0; first < marks_.size(); first += step) {
            std::uint64_t any;
            std::memcpy(&any, marks_.data() + first, sizeof any);
            for (Index row = first; any != 0 && row < first + step; ++row) {
                if (marks_[row]) out.push_back(row);
            }
        }
        return out;
    }

private:
    static constexpr Index step = 8;
    mutable std::vector<std::uint8_t> marks_;
};

}  // namespace thixo
