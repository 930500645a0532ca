#include "body/body_update.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "body/local_connectivity.h"
#include "core/select.h"

namespace thixo {

namespace {

/// The graph of the rows of rigid clusters alone.
struct ClusterGraph {
    RigidClusterLinks links;
    const ParticleTable& particles;

    template <class Predicate, class Visit>
    void visit_if(Index row, const Predicate& holds, const Visit& visit) const {
        links.visit_if(particles, row, holds, visit);
    }
    void prefetch(Index row) const { links.neighbours.prefetch_list(row); }
};

void append(std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

void BodyUpdate::apply(PhaseChanges changes, Moment moment) {
    if (changes.empty()) return;
    MaySplit may_split = melt(changes);
    freeze(changes, may_split.clusters);
    renumber(changes, std::move(may_split.bodies), moment);
    RigidBodies& rigid = matter_.solids.rigid;
    if (!rigid.empty() || !changes.becoming_rigid().empty())
        rigid.regroup(device_, matter_.particles, matter_.search.whole(), changes.becoming_rigid());
    matter_.filter_pairs(device_, &changes);
}

std::vector<Index> BodyUpdate::of_model(const std::vector<Index>& rows, bool lattice) const {
    std::vector<Index> out;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(out), [&](Index i) {
        return (materials_[matter_.particles.material[i]].solid.model == SolidModel::lattice) == lattice;
    });
    return out;
}

/// Brings the numbers of bodies in line.
void BodyUpdate::renumber(const PhaseChanges& changes, std::vector<std::uint32_t> may_split, Moment moment) {
    ParticleTable& particles = matter_.particles;
    const std::vector<Index> freezing = changes.freezing();
    join_adjacent_bodies(matter_.connectivity(), freezing, particles, may_split);
    for (const Index i : changes.freezing_elastic) {
        if (particles.lattice_index[i] != no_index && particles.body[i] > 0)
            may_split.push_back(particles.body[i]);
    }
    const bool all_numbered =
        std::all_of(freezing.begin(), freezing.end(), [&](Index i) { return particles.body[i] > 0; });
    if (may_split.empty() && all_numbered) return;
    renumber_bodies(matter_.connectivity(), may_split, moment, particles, matter_.solids.lineage);
}

/// Rows leave their bodies. Returns what may be split by that, and by rows that soften.
MaySplit BodyUpdate::melt(PhaseChanges& changes) {
    ParticleTable& particles = matter_.particles;
    Solids& solids = matter_.solids;
    std::vector<Index> linked, docked, plain, others, from_clusters;
    for (const Index i : changes.melting) {
        const bool has_slot = particles.elastic_index[i] != no_index,
                   has_site = particles.lattice_index[i] != no_index;
        if (has_site) docked.push_back(i);
        if (has_slot) linked.push_back(i);
        if (!has_site && !has_slot) {
            plain.push_back(i);
        } else {
            others.push_back(i);
            if (particles.rigid_cluster[i] > 0) from_clusters.push_back(i);
        }
    }
    from_clusters.insert(from_clusters.end(), changes.softening.begin(), changes.softening.end());
    // Rows inside a cluster are connected within it alone: where the cluster stays connected, so does the
    // body.
    const ClusterGraph clusters{matter_.cluster_links(), particles};
    LeavingRows leaving(particles.size());
    MaySplit out{.bodies = leaving.may_split(clusters, plain, particles.body)};
    if (!out.bodies.empty())
        out.clusters = LeavingRows(particles.size()).may_split(clusters, plain, particles.rigid_cluster);
    if (!from_clusters.empty())
        append(out.clusters,
               LeavingRows(leaving).may_split(clusters, from_clusters, particles.rigid_cluster));
    const bool only_linked = docked.empty() && from_clusters.empty();  // connected by elastic links alone
    if (!(only_linked && solids.elastic.holds_without(device_, particles, linked)))
        append(out.bodies, leaving.may_split(matter_.connectivity(), others, particles.body));
    // Lattices that flow are split without a row leaving them: theirs are tested with every change.
    for (const Index i : docked) out.bodies.push_back(particles.body[i]);
    changes.relinked = solids.elastic.leave(device_, particles, linked);
    solids.lattice.leave(device_, particles, docked);
    for (const Index i : changes.melting) {
        particles.phase[i] = Phase::liquid;
        particles.body[i] = 0;
        particles.rigid_cluster[i] = 0;
    }
    return out;
}

/// Solid rows are linked as their new phases require.
void BodyUpdate::freeze(PhaseChanges& changes, View<const std::uint32_t> may_split) {
    ParticleTable& particles = matter_.particles;
    for (const Index i : changes.becoming_elastic()) particles.phase[i] = Phase::elastic;
    for (const Index i : changes.becoming_rigid()) particles.phase[i] = Phase::rigid;
    link_elastic(changes);
    matter_.solids.lattice.join(device_, particles, of_model(changes.freezing_elastic, true),
                                matter_.search.whole());
    update_clusters(changes, may_split);
    unlink_rigid(changes);
}

/// Rows that became elastic are linked, and so are rigid rows within their support: that connects elastic and
/// rigid matter.
void BodyUpdate::link_elastic(PhaseChanges& changes) {
    ParticleTable& particles = matter_.particles;
    Solids& solids = matter_.solids;
    // The only body is merged with no other.
    if (changes.becoming_elastic().empty() && !solids.deformable() && solids.rigid.bodies().size() < 2)
        return;
    const Neighbours all = matter_.search.whole();
    const std::vector<Index> freezing = changes.freezing();
    BodyMerge merge(particles, freezing, all, matter_.cluster_links().reach);
    std::vector<Index> joining = of_model(changes.becoming_elastic(), false);
    if (joining.empty() && solids.elastic.empty() && !merge.joins_bodies()) return;
    std::vector<Packed4> frames;
    if (!solids.rigid.empty()) frames = solids.rigid.frames_of_rows(particles.size());
    const FrameTurns turns = solids.elastic.unite_frames(device_, particles, merge, all, frames);
    if (!turns.empty()) {
        solids.rigid.turn_frames(particles, turns);
        frames = solids.rigid.frames_of_rows(particles.size());
    }
    add_rigid_rows(changes, merge, joining);
    changes.add_relinked(solids.elastic.join(device_, particles, joining, merge, all, frames));
}

/// Rigid rows that are to be linked with rows that join, or with rows that are elastic already.
void BodyUpdate::add_rigid_rows(const PhaseChanges& changes, const BodyMerge& merge,
                                std::vector<Index>& joining) const {
    const ParticleTable& particles = matter_.particles;
    if (matter_.solids.rigid.empty() && changes.freezing_rigid.empty()) return;
    std::vector<std::uint8_t> joins(particles.size());
    for (const Index i : joining) joins[i] = 1;
    const RigidClusterLinks within{matter_.search.whole(), matter_.supports.usual()};
    const auto add = [&](Index i) {
        if (!joins[i]) joining.push_back(i);
        joins[i] = 1;
    };
    for (std::size_t k = 0, count = joining.size(); k < count; ++k) {
        const Index i = joining[k];
        within.visit_near(particles, i, [&](Index j) {
            if (particles.phase[j] == Phase::rigid && particles.elastic_index[j] == no_index &&
                merge.linkable(i, j))
                add(j);
        });
    }
    for (const Index i : changes.freezing_rigid) {
        within.visit_near(particles, i, [&](Index j) {
            if (particles.phase[j] == Phase::elastic &&
                (particles.elastic_index[j] != no_index || joins[j]) && merge.linkable(i, j))
                add(i);
        });
    }
}

/// Rows that softened leave their rigid clusters, rows that became rigid join one.
void BodyUpdate::update_clusters(const PhaseChanges& changes, View<const std::uint32_t> may_split) {
    ParticleTable& particles = matter_.particles;
    for (const Index i : changes.softening) particles.rigid_cluster[i] = 0;
    split_clusters(matter_.cluster_links(), may_split, particles);
    const std::vector<Index> joining = changes.becoming_rigid();
    if (joining.empty()) return;
    const Reference reference = matter_.solids.elastic.reference();
    join_clusters(
        matter_.cluster_links(), joining,
        [&](Index i, Index j) {
            if (particles.body[i] == 0 || particles.body[j] == 0) return true;
            const std::uint32_t a = particles.elastic_index[i], b = particles.elastic_index[j];
            return a != no_index && b != no_index && reference.linked(a, b);
        },
        particles);
}

/// Rigid rows without an elastic neighbour need no links.
void BodyUpdate::unlink_rigid(PhaseChanges& changes) {
    ParticleTable& particles = matter_.particles;
    ElasticBodies& elastic = matter_.solids.elastic;
    if (elastic.empty() || (matter_.solids.rigid.empty() && changes.becoming_rigid().empty())) return;
    const auto needless = [&](Index i) {
        if (particles.phase[i] != Phase::rigid || particles.elastic_index[i] == no_index) return false;
        bool needed = false;
        elastic.visit_links(particles, i, [&](Index j) { needed |= particles.phase[j] == Phase::elastic; });
        return !needed;
    };
    changes.add_relinked(elastic.leave(device_, particles, select(device_, particles.size(), needless)));
}

}  // namespace thixo
