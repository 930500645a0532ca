#include <algorithm>
#include <iterator>

#include "sim/simulation.h"

namespace thixo {

namespace {

/// Solids that are next to a particle are this close, in spacings: the first shell of every lattice, within which all of them dock.
constexpr double next_to = 1.3;

/// Rows whose material's solids keep a lattice, or those whose do not.
std::vector<Index> of_model(const std::vector<Index>& rows, const ParticleTable& particles,
                            const std::vector<Material>& materials, bool lattice) {
    std::vector<Index> out;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(out), [&](Index i) {
        return (materials[particles.material[i]].solid.model == SolidModel::lattice) == lattice;
    });
    return out;
}

}  // namespace

bool Simulation::change_happens(Index row) const {
    const PhaseChance& chance = phase_chances_[particles_.material[row]];
    if (!chance.acts) return true;
    const float t = particles_.temperature[row];
    const auto reach = static_cast<float>(next_to * model_.particles.spacing);
    const float rate =
        particles_.phase[row] == Phase::liquid
            ? chance.rate_of_freezing(t, solid_company(particles_, search_.whole(), row, reach))
            : chance.rate_of_melting(t);
    return changes_phase(rate, clock_.last_step, model_.seed, particles_.id[row], clock_.step);
}

void Simulation::change_phases() {
    if (phase_rules_.empty()) return;
    std::vector<Index> melting, freezing;
    for (Index i = 0; i < particles_.size(); ++i) {
        const Phase now = particles_.phase[i], next = phase_rules_[particles_.material[i]].next(
                                                   now, particles_.temperature[i], particles_.latent[i]);
        if (next == now) continue;
        if ((now == Phase::liquid) != (next == Phase::liquid) && !change_happens(i)) continue;
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
    elastic_.leave(device_, particles_, of_model(rows, particles_, model_.materials, false));
    lattice_.leave(device_, particles_, of_model(rows, particles_, model_.materials, true));
    for (const Index i : rows) {
        suspects.push_back(particles_.body[i]);
        particles_.phase[i] = Phase::liquid;
        particles_.body[i] = 0;
    }
}

void Simulation::freeze(const std::vector<Index>& rows, std::vector<std::uint32_t>& suspects) {
    for (const Index i : rows) particles_.phase[i] = Phase::elastic;
    elastic_.join(device_, particles_, of_model(rows, particles_, model_.materials, false), search_.whole());
    lattice_.join(device_, particles_, of_model(rows, particles_, model_.materials, true), search_.whole());
    const auto suspect = [&](Index j) {
        if (particles_.body[j] != 0) suspects.push_back(particles_.body[j]);
    };
    for (const Index i : rows) {
        elastic_.visit_links(particles_, i, suspect);
        lattice_.visit_docked(particles_, i, suspect);
    }
    std::sort(suspects.begin(), suspects.end());
    suspects.erase(std::unique(suspects.begin(), suspects.end()), suspects.end());
}

void Simulation::soften_bodies() {
    if (phase_rules_.empty() || !deforms()) return;
    stiffness_.resize(particles_.size());
    launch(device_, particles_.size(),
           [rules = View<const PhaseRule>(phase_rules_), chances = View<const PhaseChance>(phase_chances_),
            t = View<const float>(particles_.temperature),
            material = View<const std::uint16_t>(particles_.material), out = View(stiffness_)](Index i) {
               // What is left to chance is solid until it melts: warmer than its melting point, too.
               out[i] = chances[material[i]].acts ? 1.f : rules[material[i]].stiffness(t[i]);
           });
    if (!elastic_.empty()) elastic_.soften(device_, stiffness_);
    lattice_.soften(device_, stiffness_);
}

}  // namespace thixo
