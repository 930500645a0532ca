#include <algorithm>

#include "sim/simulation.h"

namespace thixo {

void Simulation::change_phases() {
    if (phase_rules_.empty()) return;
    std::vector<Index> melting, freezing;
    for (Index i = 0; i < particles_.size(); ++i) {
        const Phase now = particles_.phase[i], next = phase_rules_[particles_.material[i]].next(
                                                   now, particles_.temperature[i], particles_.latent[i]);
        if (next == now) continue;
        (next == Phase::liquid ? melting : freezing).push_back(i);
    }
    if (!melting.empty() || !freezing.empty()) {
        std::vector<std::uint32_t> suspects;
        melt(melting, suspects);
        freeze(freezing, suspects);
        renumber_bodies(bonds(), suspects, {clock_.time, clock_.frame + 1}, particles_, lineage_);
        separate_bodies();
    }
    soften_bodies();
}

void Simulation::melt(const std::vector<Index>& rows, std::vector<std::uint32_t>& suspects) {
    elastic_.leave(device_, particles_, rows);
    for (const Index i : rows) {
        suspects.push_back(particles_.body[i]);
        particles_.phase[i] = Phase::liquid;
        particles_.body[i] = 0;
    }
}

void Simulation::freeze(const std::vector<Index>& rows, std::vector<std::uint32_t>& suspects) {
    for (const Index i : rows) particles_.phase[i] = Phase::elastic;
    elastic_.join(device_, particles_, rows, search_.whole());
    for (const Index i : rows)
        elastic_.visit_links(particles_, i, [&](Index j) {
            if (particles_.body[j] != 0) suspects.push_back(particles_.body[j]);
        });
    std::sort(suspects.begin(), suspects.end());
    suspects.erase(std::unique(suspects.begin(), suspects.end()), suspects.end());
}

void Simulation::soften_bodies() {
    if (phase_rules_.empty() || elastic_.empty()) return;
    stiffness_.resize(particles_.size());
    launch(device_, particles_.size(),
           [rules = View<const PhaseRule>(phase_rules_), t = View<const float>(particles_.temperature),
            material = View<const std::uint16_t>(particles_.material),
            out = View(stiffness_)](Index i) { out[i] = rules[material[i]].stiffness(t[i]); });
    elastic_.soften(device_, stiffness_);
}

}  // namespace thixo
