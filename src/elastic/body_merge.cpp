#include "elastic/body_merge.h"

#include "core/disjoint_sets.h"
#include "core/highest.h"

namespace thixo {

BodyMerge::BodyMerge(const ParticleTable& particles, View<const Index> freezing, const Neighbours& neighbours,
                     double reach)
    : body_(particles.body),
      part_(particles.rigid_cluster),
      freezing_(freezing),
      last_(highest(particles.body)),
      node_(particles.size()),
      group_(last_ + 1 + freezing.size()) {
    DisjointSets sets(group_.size());
    for (Index k = 0; k < freezing.size(); ++k) node_[freezing[k]] = last_ + 1 + k;
    const auto near = static_cast<float>(reach);
    for (std::size_t k = 0; k < freezing.size(); ++k) {
        const Index i = freezing[k];
        neighbours.prefetch_after(freezing, k);
        std::uint32_t last = node_[i];  // joined with it: mostly they are all of one body
        for (const Index j : neighbours.of(i)) {
            if (particles.phase[j] == Phase::liquid || node(j) == last || (node_[j] > 0 && j < i)) continue;
            if (!(norm2(particles.position[j] - particles.position[i]) < near * near)) continue;
            last = node(j);
            sets.join(node_[i], last);
        }
    }
    for (std::uint32_t k = 0; k < group_.size(); ++k) group_[k] = sets.find(k);
    for (std::uint32_t body = 1; body <= last_; ++body) joins_bodies_ |= group_[body] != body;
}

bool BodyMerge::linkable(Index i, Index j) const {
    if (body_[i] == 0 || body_[j] == 0) return group(i) == group(j);
    return part_[i] > 0 && part_[i] == part_[j];
}

}  // namespace thixo
