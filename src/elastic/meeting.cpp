#include "elastic/meeting.h"

#include <algorithm>

namespace thixo {

Meeting::Meeting(const ParticleTable& particles, View<const Index> freezing, const Neighbours& neighbours,
                 double reach)
    : body_(particles.body),
      part_(particles.part),
      freezing_(freezing),
      last_(particles.size() > 0 ? *std::max_element(particles.body.begin(), particles.body.end()) : 0),
      sets_(last_ + 1 + freezing.size()) {
    for (const Index i : freezing) node_.emplace(i, static_cast<std::uint32_t>(last_ + 1 + node_.size()));
    const auto near = static_cast<float>(reach);
    for (const auto& [i, own] : node_) {
        for (const Index j : neighbours.of(i)) {
            if (particles.phase[j] == Phase::liquid) continue;
            if (norm2(particles.position[j] - particles.position[i]) < near * near) sets_.join(own, node(j));
        }
    }
}

bool Meeting::linkable(Index i, Index j) {
    if (body_[i] == 0 || body_[j] == 0) return group(i) == group(j);
    return part_[i] > 0 && part_[i] == part_[j];
}

}  // namespace thixo
