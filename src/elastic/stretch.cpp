#include "elastic/stretch.h"

#include <algorithm>
#include <cmath>

namespace thixo {

void measure_stretch(const Device& device, const ElasticBodies& bodies, const ParticleTable& particles,
                     float reach, View<const Index> rows, View<float> stretch) {
    launch(device, static_cast<Index>(rows.size()),
           [=, reference = bodies.reference(), row = bodies.rows(),
            slot = View<const std::uint32_t>(particles.slot),
            x = View<const Vec3f>(particles.position)](Index a) {
               const Index i = rows[a];
               float largest = 1;
               for (Index k = 0; slot[i] != no_slot && k < reference.count(slot[i]); ++k) {
                   const ReferenceLink link = reference.link(slot[i], k);
                   const float rest = norm2(link.X);
                   if (rest < reach * reach)
                       largest = std::max(largest, norm2(x[row[link.neighbour]] - x[i]) / rest);
               }
               stretch[a] = std::sqrt(largest);
           });
}

}  // namespace thixo
