#include "sph/pair_records.h"

namespace thixo {

PairRecords::PairRecords(const std::vector<Material>& materials, const Discretisation& discretisation)
    : discretisation_(discretisation) {
    for (const Material& material : materials) rest_density_.push_back(static_cast<float>(material.density));
}

void PairRecords::pack(const Device& device, const ParticleTable& particles, View<const float> supports) {
    const Index n = particles.size();
    position_volume_.resize(n + 1);
    position_volume_[n] = padding_record;
    launch(device, n,
           [x = View<const Vec3f>(particles.position), m = View<const float>(particles.mass),
            material = View<const std::uint16_t>(particles.material),
            rest_density = View<const float>(rest_density_), out = View(position_volume_)](Index i) {
               out[i] = {x[i].x, x[i].y, x[i].z, m[i] / rest_density[material[i]]};
           });
    if (supports.empty()) return inverse_support_.clear();
    inverse_support_.resize(n + 1);
    inverse_support_[n] = static_cast<float>(1 / discretisation_.support);
    launch(device, n, [supports, out = View(inverse_support_)](Index i) { out[i] = 1 / supports[i]; });
}

std::size_t PairRecords::bytes() const {
    return position_volume_.capacity() * sizeof(Packed4) + inverse_support_.capacity() * sizeof(float);
}

}  // namespace thixo
