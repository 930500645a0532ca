#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/view.h"

namespace thixo {

/// Rows whose phase changes, by what becomes of them.
struct PhaseChanges {
    std::vector<Index> melting;           ///< solid, become liquid
    std::vector<Index> freezing_elastic;  ///< liquid, become elastic
    std::vector<Index> freezing_rigid;    ///< liquid, become rigid
    std::vector<Index> softening;         ///< rigid, become elastic
    std::vector<Index> stiffening;        ///< elastic, become rigid
    std::vector<Index> relinked;          ///< elastic slots that gained or lost links through the changes

    bool empty() const {
        return melting.empty() && freezing_elastic.empty() && freezing_rigid.empty() && softening.empty() &&
               stiffening.empty();
    }
    void add_relinked(const std::vector<Index>& slots) { relinked = joined(std::move(relinked), slots); }
    std::vector<Index> all() const {
        return joined(joined(melting, freezing()), joined(softening, stiffening));
    }
    std::vector<Index> freezing() const { return joined(freezing_elastic, freezing_rigid); }
    std::vector<Index> becoming_elastic() const { return joined(freezing_elastic, softening); }
    std::vector<Index> becoming_rigid() const { return joined(freezing_rigid, stiffening); }

private:
    static std::vector<Index> joined(std::vector<Index> a, const std::vector<Index>& b) {
        a.insert(a.end(), b.begin(), b.end());
        return a;
    }
};

/// Numbers of bodies and rigid clusters that may have been split.
struct MaySplit {
    std::vector<std::uint32_t> bodies, clusters;
};

}  // namespace thixo
