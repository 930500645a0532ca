#include "body/interaction_filter.h"

#include "core/marks.h"

namespace thixo {

namespace {

/// Decides again for solid rows around those that changed. Pairs with liquid rows interact before and after.
template <class Interacts>
void filter_around(const Device& device, const ParticleTable& particles, const ElasticBodies& elastic,
                   const PhaseChanges& changes, const Interacts& interacts, NeighbourSearch& search) {
    const std::vector<Index> changed = changes.all();
    const Marks within(particles.size()), around(particles.size()), relinked(particles.size());
    for (const Index i : changed) within.set(i);
    for (const Index s : changes.relinked) {
        const Index i = elastic.rows()[s];
        if (i == ElasticBodies::vacant) continue;
        relinked.set(i);
        around.set(i);  // where a body is stretched, links are longer than the lists reach
    }
    search.filter(device, changed, [&](Index i, Index j) {
        around.set(j);
        return interacts(i, j);
    });
    const View<const Phase> phase(particles.phase);
    std::vector<Index> rigid, others;
    for (const Index i : around.rows()) {
        if (phase[i] != Phase::liquid && !within[i]) (phase[i] == Phase::rigid ? rigid : others).push_back(i);
    }
    search.filter(device, rigid, [phase](Index, Index j) { return phase[j] == Phase::liquid; });
    // Two rows that did not change may have gained or lost a common neighbour: both were linked to it.
    const bool links = !changes.freezing().empty() || !changes.softening.empty(),
               unlinks = !changes.melting.empty() || !changes.stiffening.empty();
    search.filter_again(device, others, interacts, [=, &within, &relinked](Index i, Index j, bool did) {
        return within[j] || (relinked[i] && relinked[j] && (did ? links : unlinks));
    });
}

}  // namespace

void filter_interactions(const Device& device, const ParticleTable& particles, const Solids& solids,
                         const PhaseChanges* changes, NeighbourSearch& search) {
    const auto interacts = [unlinked = solids.elastic.contact_pairs(particles),
                            same_lattice = solids.lattice.docking_pairs(particles),
                            phase = View<const Phase>(particles.phase)](Index i, Index j) {
        if (phase[i] == Phase::liquid || phase[j] == Phase::liquid) return true;
        if (phase[i] == Phase::rigid || phase[j] == Phase::rigid) return false;
        return unlinked(i, j) && !same_lattice(i, j);
    };
    // Lattices of one body are recognised by its number: when bodies merge, pairs far from the change are
    // concerned.
    if (changes && solids.lattice.empty()) {
        filter_around(device, particles, solids.elastic, *changes, interacts, search);
    } else {
        search.filter(device, interacts);
    }
}

}  // namespace thixo
