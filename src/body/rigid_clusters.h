#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/disjoint_sets.h"
#include "core/view.h"
#include "particles/table.h"
#include "sph/neighbours.h"

namespace thixo {

/// A rigid cluster is a connected set of rigid particles that moves as one: a body of rigid and elastic
/// matter may have several. Rows of one cluster within `reach` (m) of each other are connected. The shape of
/// a cluster does not change, so the connections need not be stored. `neighbours` lists all pairs.
struct RigidClusterLinks {
    Neighbours neighbours;
    double reach;

    bool within_reach(const ParticleTable& particles, Index i, Index j) const {
        return norm2(particles.position[j] - particles.position[i]) < static_cast<float>(reach * reach);
    }

    /// Calls visit(row) for the rows within reach.
    template <class Visit>
    void visit_near(const ParticleTable& particles, Index row, const Visit& visit) const {
        for (const Index j : neighbours.of(row)) {
            if (within_reach(particles, row, j)) visit(j);
        }
    }

    /// Calls visit(row) for the rows of the same cluster within reach.
    template <class Visit>
    void visit(const ParticleTable& particles, Index row, const Visit& visit) const {
        visit_if(
            particles, row, [](Index) { return true; }, visit);
    }
    /// The same where holds(row) is true.
    template <class Predicate, class Visit>
    void visit_if(const ParticleTable& particles, Index row, const Predicate& holds,
                  const Visit& visit) const {
        if (particles.rigid_cluster[row] == 0) return;
        for (const Index j : neighbours.of(row)) {
            if (holds(j) && particles.rigid_cluster[j] == particles.rigid_cluster[row] &&
                within_reach(particles, row, j))
                visit(j);
        }
    }
};

/// Numbers the rigid rows at the start: a connected component of an object's rows is a cluster.
void number_clusters(const RigidClusterLinks& links, ParticleTable& particles);

/// The highest number of a cluster.
std::uint32_t last_cluster(const ParticleTable& particles);

/// Rigid rows without a cluster join the clusters within reach that they are bonded to, by bonded(row,
/// other), and each other. Clusters that meet in such a row are merged (union-find).
template <class Bonded>
void join_clusters(const RigidClusterLinks& links, View<const Index> rows, const Bonded& bonded,
                   ParticleTable& particles) {
    const std::uint32_t last = last_cluster(particles);
    // The node of each row: its cluster, or for the rows that join one node each behind the clusters; 0 for
    // all others.
    std::vector<std::uint32_t> group(particles.rigid_cluster.begin(), particles.rigid_cluster.end());
    const auto node = [=](std::size_t k) { return static_cast<std::uint32_t>(last + 1 + k); };
    for (std::size_t k = 0; k < rows.size(); ++k) group[rows[k]] = node(k);
    DisjointSets sets(last + 1 + rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const Index i = rows[k];
        links.neighbours.prefetch_after(rows, k);
        for (const Index j : links.neighbours.of(i)) {
            // Most neighbours are in no cluster or in the same one, or visit i in their turn: one well
            // predicted branch.
            const std::uint32_t other = group[j];
            if ((other == 0) | (other == group[i]) | (other > node(k))) continue;
            if (!links.within_reach(particles, i, j) || !bonded(i, j)) continue;
            sets.join(node(k), other);
            group[i] = other;
        }
    }
    std::map<std::uint32_t, std::uint32_t> fresh;  // numbers of sets that are new clusters
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const std::uint32_t set = sets.find(node(k));
        particles.rigid_cluster[rows[k]] =
            set <= last
                ? set
                : fresh.emplace(set, static_cast<std::uint32_t>(last + 1 + fresh.size())).first->second;
    }
    bool merged = false;
    for (std::uint32_t k = 1; k <= last; ++k) merged |= sets.find(k) != k;
    if (!merged) return;
    for (std::uint32_t& cluster : particles.rigid_cluster) {
        if (cluster <= last) cluster = sets.find(cluster);
    }
}

/// Clusters that rows have left: of one that is no longer connected the largest component keeps the number
/// (of equals that with the lowest id), the others are new clusters.
void split_clusters(const RigidClusterLinks& links, View<const std::uint32_t> may_split,
                    ParticleTable& particles);

}  // namespace thixo
