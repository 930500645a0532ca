#pragma once

#include "body/lineage.h"
#include "body/rigid_clusters.h"
#include "elastic/elastic_bodies.h"
#include "lattice/lattice_solids.h"
#include "rigid/rigid_bodies.h"

namespace thixo {

/// What solid particles remember: of their elastic reference state, of their lattice, of rigid motion; and
/// the history of the bodies that they form.
struct Solids {
    ElasticBodies elastic;
    LatticeSolids lattice;
    RigidBodies rigid;
    Lineage lineage;

    bool deformable() const { return !elastic.empty() || !lattice.empty(); }  ///< some of them are
    bool any() const { return deformable() || !rigid.empty(); }

    /// Adds what particles of the same body contribute to the kernel sums of solid rows, whose pairs are not
    /// in the lists.
    void add_own_compression(const Device& device, const ParticleTable& particles, const Rows& rows,
                             View<WallTerm> terms, View<WallMotion> motion) const;

    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        visit_state(self.elastic, visit);
        visit_state(self.lattice, visit);
        visit_state(self.rigid, visit);
        visit("lineage", self.lineage, StateOrder::listed);
    }
    std::size_t bytes() const {
        return elastic.bytes() + lattice.bytes() + rigid.bytes() + bytes_of(lineage);
    }
};

/// The graph of solid rows: elastic links, docked lattice points, and neighbours in one rigid cluster.
struct SolidConnectivity {
    const ParticleTable& particles;
    const ElasticBodies& elastic;
    const LatticeSolids& lattice;
    RigidClusterLinks clusters;

    template <class Visit>
    void operator()(Index row, const Visit& visit) const {
        elastic.visit_links(particles, row, visit);
        lattice.visit_docked(particles, row, visit);
        clusters.visit(particles, row, visit);
    }

    /// The same where holds(row) is true.
    template <class Predicate, class Visit>
    void visit_if(Index row, const Predicate& holds, const Visit& visit) const {
        const auto check = [&](Index other) {
            if (holds(other)) visit(other);
        };
        elastic.visit_links(particles, row, check);
        lattice.visit_docked(particles, row, check);
        clusters.visit_if(particles, row, holds, visit);
    }
    void prefetch(Index row) const {
        elastic.prefetch_links(particles, row);
        if (particles.rigid_cluster[row] > 0) clusters.neighbours.prefetch_list(row);
    }
};

}  // namespace thixo
