#pragma once

#include <vector>

#include "body/lineage.h"
#include "body/phase_changes.h"
#include "body/solid_contacts.h"
#include "body/solids.h"
#include "body/support_radii.h"
#include "particles/table.h"
#include "sph/neighbours.h"
#include "sph/pair_records.h"

namespace thixo {

/// What matter is made of and how finely.
struct MatterSettings {
    const std::vector<Material>& materials;
    const ElasticMethods& elasticity;
    Discretisation discretisation;
    double support;  ///< radius of the kernels, in spacings
    double gravity;  ///< m/s²
    std::uint64_t seed;
};

/// Particles, the neighbour lists over them, and the solids they form. All three refer to rows of the table;
/// whatever reorders rows or changes bodies is a function of this type, which keeps them consistent.
struct Matter {
    Matter(const MatterSettings& settings, ParticleTable table);

    ParticleTable particles;
    SupportRadii supports;
    NeighbourSearch search;
    PairRecords records;  ///< of the rows as they were when last packed
    Solids solids;
    SolidContacts contacts;
    bool may_freeze = false;  ///< liquids may become solid

    /// To be called once positions or rows have changed, before pair loops run.
    void pack_records(const Device& device) { records.pack(device, particles, supports.mixed()); }

    /// Whether the neighbour lists hold every pair at the current positions.
    bool lists_are_current(const Device& device) const {
        return search.is_current(device, particles.position, supports.rows());
    }

    /// Sorts the rows by cell and builds the lists. Returns the order: row k is the former row order[k].
    std::vector<Index> build_lists(const Device& device, float skin);

    /// Makes what follows from a state that was loaded (`list_state`): the lists as they were, from the
    /// positions that they were built from, in the order of the rows, and the solids. Throws an InputError if
    /// the rows are not in the order of these positions.
    void restore(const Device& device);

    /// Leaves the pairs in the lists that interact by pressure, and collects contact pairs; when lists are
    /// new, or with `changes` when bodies have changed around those rows.
    void filter_pairs(const Device& device, const PhaseChanges* changes = nullptr);

    /// Makes the solids of the start from the phases of the rows, and numbers bodies. `lattice_frames`: the
    /// orientation of the lattice of each object.
    void create_solids(const Device& device, View<const Mat3d> lattice_frames);

    /// Removes overloaded links, and gives new numbers where bodies are split by that. Returns whether the
    /// lists must be built again.
    bool break_bodies(const Device& device, Moment moment);

    /// The same for links that cross a cut. Bonds of lattices there go in the next step. Returns whether
    /// there were any.
    bool cut_bodies(const Device& device, const CutPlane& cut, Moment moment);

    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        visit_state(self.particles, visit);
        visit_state(self.search, visit);
        visit_state(self.solids, visit);
        visit_state(self.contacts, visit);
    }
    std::size_t bytes() const {
        return particles.bytes() + supports.bytes() + search.bytes() + records.bytes() + solids.bytes() +
               contacts.bytes();
    }

    /// Mean number of particles within a particle's support.
    double mean_neighbours(const Device& device) const;

    RigidClusterLinks cluster_links() const;
    SolidConnectivity connectivity() const {
        return {particles, solids.elastic, solids.lattice, cluster_links()};
    }
};

}  // namespace thixo
