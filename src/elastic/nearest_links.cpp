#include "elastic/nearest_links.h"

namespace thixo {

RestLinks nearest_links(const Device& device, const ElasticBodies& bodies, const ParticleTable& particles,
                        float reach, View<const Index> rows) {
    RestLinks out;
    if (rows.empty()) return out;
    const Reference reference = bodies.reference();
    const View<const std::uint32_t> elastic_index(particles.elastic_index);
    std::vector<Index> row(reference.size());
    launch(device, particles.size(), [elastic_index, to = View(row)](Index i) {
        if (elastic_index[i] != no_index) to[elastic_index[i]] = i;
    });
    for (const Index i : rows) {
        for (Index k = 0; elastic_index[i] != no_index && k < reference.count(elastic_index[i]); ++k) {
            const ReferenceLink link = reference.link(elastic_index[i], k);
            const float length = norm(link.X);
            if (!(length < reach)) continue;
            out.other.push_back(row[link.neighbour]);
            out.length.push_back(length);
        }
        out.begin.push_back(static_cast<Index>(out.other.size()));
    }
    return out;
}

}  // namespace thixo
