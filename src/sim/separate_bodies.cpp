// Who meets whom: pairs that are not of one body.

#include "core/marks.h"
#include "elastic/nearest_links.h"
#include "sim/simulation.h"

namespace thixo {

/// Solids meet others where rows changed. Liquids met everybody before, and still do.
template <class Meet>
void Simulation::filter_around(const PhaseChanges& changes, const Meet& meet) {
    const std::vector<Index> changed = changes.all();
    const Marks within(particles_.size()), around(particles_.size()), relinked(particles_.size());
    for (const Index i : changed) within.set(i);
    for (const Index s : changes.relinked) {
        const Index i = elastic_.rows()[s];
        if (i == ElasticBodies::vacant) continue;
        relinked.set(i);
        around.set(i);  // where a body is stretched, links are longer than lists reach
    }
    search_.filter(device_, changed, [&](Index i, Index j) {
        around.set(j);
        return meet(i, j);
    });
    const View<const Phase> phase(particles_.phase);
    std::vector<Index> rigid, others;
    for (const Index i : around.rows()) {
        if (phase[i] != Phase::liquid && !within[i]) (phase[i] == Phase::rigid ? rigid : others).push_back(i);
    }
    search_.filter(device_, rigid, [phase](Index, Index j) { return phase[j] == Phase::liquid; });
    // Two that did not change may have got a neighbour in common, or lost one: both were linked to it.
    const bool links = !changes.freezing().empty() || !changes.softening.empty(),
               unlinks = !changes.melting.empty() || !changes.stiffening.empty();
    search_.filter_again(device_, others, meet, [=, &within, &relinked](Index i, Index j, bool met) {
        return within[j] || (relinked[i] && relinked[j] && (met ? links : unlinks));
    });
}

void Simulation::separate_bodies(const PhaseChanges* changes) {
    if (!has_solids() && phase_rules_.empty()) return;
    lattice_.collect(device_, particles_, search_.whole());
    if (!changes) rigid_.locate(device_, particles_);
    std::vector<Index> moved;  // parts that merge or fall apart change those of others, too
    if (changes) {
        moved = changes->all();
        moved.insert(moved.end(), rigid_.moved().begin(), rigid_.moved().end());
    }
    rigid_contacts_.collect(device_, particles_, rigid_, search_.whole(), elastic_.strangers(particles_),
                            changes ? Rows(moved) : Rows());
    const auto meet = [strangers = elastic_.strangers(particles_), kin = lattice_.kin(particles_),
                       phase = View<const Phase>(particles_.phase)](Index i, Index j) {
        if (phase[i] == Phase::liquid || phase[j] == Phase::liquid) return true;
        if (phase[i] == Phase::rigid || phase[j] == Phase::rigid) return false;
        return strangers(i, j) && !kin(i, j);
    };
    // Kin are those of one body, so lattices that become one do so as far as they touch.
    if (changes && lattice_.empty()) {
        filter_around(*changes, meet);
    } else {
        search_.filter(device_, meet);
    }
    contact_.collect(device_, particles_, search_.view());
    // Diagonals of the lattice count, neighbours beyond them do not: holes are as wide as the nearest are apart.
    contact_.link(nearest_links(device_, elastic_, particles_,
                                static_cast<float>(1.5 * model_.particles.spacing), contact_.rows()));
}

}  // namespace thixo
