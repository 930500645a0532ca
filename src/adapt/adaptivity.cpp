#include "adapt/adaptivity.h"

#include <algorithm>

namespace thixo {

Adaptivity::Adaptivity(const AdaptivitySettings& settings, const std::vector<Material>& materials,
                       const Discretisation& discretisation, std::uint64_t seed)
    : active_(settings.active()),
      seed_(seed),
      materials_(materials),
      sizing_(settings, materials_, discretisation) {}

bool Adaptivity::apply(const Device& device, const AdaptState& state, std::uint64_t step,
                       std::uint64_t& next_id) {
    ParticleTable& p = state.particles;
    sizing_.find(device, state);
    std::vector<Index> large;
    for (Index i = 0; i < p.size(); ++i) {
        const float size = sizing_.size(p.radius[i]);
        if (p.phase[i] == Phase::liquid && p.kinematic_id[i] == 0 &&
            size > too_large * sizing_.allowed()[i] && !is_finest(p.radius[i]))
            large.push_back(i);
    }
    // Rows that merge and rows that split are distinct. Splits come last, with the velocities after merging.
    std::vector<std::uint8_t> stays = Merger(sizing_, materials_).merge(device, state);
    const bool merged = std::find(stays.begin(), stays.end(), 0) != stays.end();
    if (!merged && large.empty()) return false;
    Splitter(sizing_, materials_, seed_).split(state, large, step, next_id);
    stays.resize(p.size(), 1);
    std::vector<Index> order;
    order.reserve(p.size());
    for (Index i = 0; i < p.size(); ++i)
        if (stays[i]) order.push_back(i);
    p.permute(device, order);
    return true;
}

}  // namespace thixo
