#include "core/rotation.h"
#include "elastic/elastic_bodies.h"
#include "elastic/stress.h"

namespace thixo {

namespace {

Mat3d lane_of(const Sym3<Lanes>& a, Index l) { return to_double(lane(a.full(), l)); }

}  // namespace

/// Uᵢ = V̄ᵢ (μ |ε|² + ½ λ tr²(ε)) + ½ κᵢ Σⱼ V̄ᵢ V̄ⱼ wᵢⱼ |xⱼᵢ − Aᵢ Mᵢ⁺ Xⱼᵢ|²
double ElasticBodies::energy(const Device& device) const {
    return reduce_sum(device, reference_.size(), [this](Index s) {
        const SlotBlock& slot = blocks_[s / lane_count];
        const Index l = s % lane_count;
        Mat3d a{};
        const auto for_each_link = [&](const auto& visit) {
            reference_.view().for_each_block(s, [&](const ReferenceBlock& block) {
                for (Index k = 0; k < lane_count; ++k)
                    visit(x_[block.neighbour[k]].x() - x_[s].x(), Vec3d{block.x[k], block.y[k], block.z[k]},
                          double{block.weight[k]});
            });
        };
        for_each_link([&](const Vec3d& x, const Vec3d& X, double w) { a += outer(x, X) * w; });
        a *= slot.inverse_volume[l];

        const Packed4& q = rotation_[s];
        const Mat3d r = matrix(Quaternion<double>{{q.x, q.y, q.z}, q.w});
        const Mat3d stretch =
            transposed(r) * a * lane_of(slot.correction, l) + identity<double>() - lane_of(slot.rest, l);
        Mat3d strain = slot.green[l] ? (transposed(stretch) * stretch - identity<double>()) * 0.5
                                     : symmetric_part(stretch) - identity<double>();
        if (!plastic_.empty()) strain -= lane_of(plastic_[s / lane_count].strain, l);
        const double density =
            slot.mu[l] * norm2(strain) + 0.5 * slot.lambda[l] * trace(strain) * trace(strain);

        const Mat3d gradient = a * lane_of(slot.fit, l);
        double unexplained = 0;
        for_each_link(
            [&](const Vec3d& x, const Vec3d& X, double w) { unexplained += w * norm2(x - gradient * X); });
        return volume_[s] * density + 0.5 * slot.kappa[l] * unexplained;
    });
}

}  // namespace thixo
