#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace thixo {

/// Union-find with path halving. A set is named by its lowest member, whatever the order in which sets were
/// joined.
class DisjointSets {
public:
    explicit DisjointSets(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0u); }

    std::uint32_t find(std::uint32_t a) {
        while (parent_[a] != a) a = parent_[a] = parent_[parent_[a]];
        return a;
    }
    /// Returns whether they were in different sets.
    bool join(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        parent_[std::max(a, b)] = std::min(a, b);
        return a != b;
    }

private:
    std::vector<std::uint32_t> parent_;
};

}  // namespace thixo
