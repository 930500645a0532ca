#pragma once

#include <cstdint>
#include <vector>

#include "core/view.h"
#include "particles/table.h"
#include "sph/neighbours.h"

namespace thixo {

/// Bodies that meet in particles that freeze, and these: what touches, within `reach` (m), becomes one. Rows
/// that freeze are solid already, but have no body yet. `neighbours` lists all pairs.
class BodyMerge {
public:
    BodyMerge(const ParticleTable& particles, View<const Index> freezing, const Neighbours& neighbours,
              double reach);

    View<const Index> freezing() const { return freezing_; }
    std::uint32_t last_body() const { return last_; }
    bool joins_bodies() const { return joins_bodies_; }  ///< whether bodies meet that were several

    /// Whether two solid rows that are not linked may be: what freezes takes hold of all that it becomes one
    /// with, others hold on to those of the rigid part that they were in.
    bool linkable(Index i, Index j) const;

    std::uint32_t group(Index row) const { return group_[node(row)]; }
    std::uint32_t group_of_body(std::uint32_t body) const { return group_[body]; }

private:
    std::uint32_t node(Index row) const { return body_[row] > 0 ? body_[row] : node_[row]; }

    View<const std::uint32_t> body_, part_;
    View<const Index> freezing_;
    std::uint32_t last_;
    std::vector<std::uint32_t> node_;   ///< of rows that freeze, behind the bodies
    std::vector<std::uint32_t> group_;  ///< of each body and of each row that freezes
    bool joins_bodies_ = false;
};

}  // namespace thixo
