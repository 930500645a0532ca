#include "body/solids.h"

#include <algorithm>

namespace thixo {

void Solids::add_own_compression(const Device& device, const ParticleTable& particles, const Rows& rows,
                                 View<WallTerm> terms, View<WallMotion> motion) const {
    rigid.add_own_compression(device, terms, motion);
    if (!deformable()) return;
    launch(device, particles.size(), rows,
           [elastic_index = View<const std::uint32_t>(particles.elastic_index),
            lattice_index = View<const std::uint32_t>(particles.lattice_index),
            cluster = View<const std::uint32_t>(particles.rigid_cluster), of_elastic = elastic.contact_sums(),
            of_lattice = lattice.contact_sums(), slack = View<const float>(particles.contact_slack),
            out = terms](Index i) {
               // At the interface of rigid and elastic matter both count the same neighbours.
               if (elastic_index[i] != no_index)
                   out[i].gamma = cluster[i] > 0 ? std::max(out[i].gamma, of_elastic[elastic_index[i]])
                                                 : out[i].gamma + (of_elastic[elastic_index[i]] - slack[i]);
               if (lattice_index[i] != no_index) out[i].gamma += of_lattice[lattice_index[i]] - slack[i];
           });
}

}  // namespace thixo
