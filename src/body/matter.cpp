#include "body/matter.h"

#include <algorithm>
#include <utility>

#include "body/interaction_filter.h"
#include "core/state_check.h"

namespace thixo {

namespace {

Solids solids_of(const MatterSettings& s) {
    const Discretisation& d = s.discretisation;
    return {.elastic = ElasticBodies(s.materials, s.elasticity, d.kernel, d.support, d.dimensions, d.spacing),
            .lattice = LatticeSolids(s.materials, d.kernel, d.support, d.dimensions, d.spacing, s.seed,
                                     s.elasticity.elasticity == ElasticIntegrator::implicit),
            .rigid = RigidBodies(s.materials, d),
            .lineage = {}};
}

}  // namespace

Matter::Matter(const MatterSettings& settings, ParticleTable table)
    : particles(std::move(table)),
      supports(settings.support, settings.discretisation.spacing),
      records(settings.materials, settings.discretisation),
      solids(solids_of(settings)),
      contacts(settings.materials, settings.discretisation, settings.gravity) {}

std::vector<Index> Matter::build_lists(const Device& device, float skin) {
    search.set_skin(skin);
    std::vector<Index> order = search.sort(device, particles.position, supports.rows());
    particles.permute(device, order);
    supports.update(device, particles);
    search.build(device, particles.position, supports.rows());
    solids.elastic.locate(device, particles);
    filter_pairs(device);
    return order;
}

void Matter::restore(const Device& device) {
    supports.update(device, particles);
    const std::vector<Vec3f> built_positions = search.built_positions();
    const std::vector<Index> order = search.sort(device, built_positions, supports.rows());
    if (!std::is_sorted(order.begin(), order.end()))
        refuse_state("built_positions", "particles are not in the order of these places");
    search.build(device, built_positions, supports.rows());
    solids.elastic.restore(device, particles);
    solids.lattice.restore(device, particles);
    solids.rigid.restore(device, particles);
    filter_pairs(device);
}

void Matter::filter_pairs(const Device& device, const PhaseChanges* changes) {
    if (!solids.any() && !may_freeze) return;
    solids.lattice.collect(device, particles, search.whole());
    if (!changes) solids.rigid.locate(device, particles);
    contacts.collect_rigid(device, particles, solids, search.whole(), changes);
    filter_interactions(device, particles, solids, changes, search);
    contacts.collect_deformable(device, particles, solids, search.view());
}

void Matter::create_solids(const Device& device, View<const Mat3d> lattice_frames) {
    solids.elastic.create(device, particles, search.whole());
    solids.lattice.create(device, particles, lattice_frames);
    solids.lattice.collect(device, particles, search.whole());
    solids.lattice.dock(device, particles, 0, 0);
    number_clusters(cluster_links(), particles);
    number_bodies(connectivity(), particles, solids.lineage);
    solids.rigid.regroup(device, particles, search.whole());
}

bool Matter::break_bodies(const Device& device, Moment moment) {
    std::vector<std::uint32_t> may_split;
    const bool broken = solids.elastic.break_links(device, particles, may_split);
    solids.lattice.collect_may_split(particles, may_split);
    const std::size_t changes = solids.lineage.size();
    if (!may_split.empty()) renumber_bodies(connectivity(), may_split, moment, particles, solids.lineage);
    return broken || solids.lineage.size() > changes;
}

bool Matter::cut_bodies(const Device& device, const CutPlane& cut, Moment moment) {
    std::vector<std::uint32_t> may_split;
    const bool links = solids.elastic.cut_links(device, particles, cut, may_split);
    if (!may_split.empty()) renumber_bodies(connectivity(), may_split, moment, particles, solids.lineage);
    return solids.lattice.cut_bonds(device, particles, cut) || links;
}

RigidClusterLinks Matter::cluster_links() const {
    // Far enough for the diagonals of the lattice.
    return {search.whole(), std::min(1.5 * supports.spacing(), supports.usual())};
}

double Matter::mean_neighbours(const Device& device) const {
    const Neighbours neighbours = search.view();
    const View x(search.built_positions());  // where all pairs are listed
    const View h(supports.rows());
    const double pairs = reduce_sum(device, particles.size(), [=](Index i) {
        double count = 0;
        for (const Index j : neighbours.of(i)) {
            const float reach = std::max(h[i], h[j]);
            count += norm2(x[i] - x[j]) < reach * reach;
        }
        return count;
    });
    return particles.size() == 0 ? 0 : pairs / particles.size();
}

}  // namespace thixo
