#include "elastic/elastic_energy.h"

#include "core/eight.h"
#include "core/rotation.h"

namespace thixo {

namespace {

Mat3d lane_of(const Sym3<Lanes>& a, Index l) { return to_double(lane(a.full(), l)); }

}  // namespace

/// Uᵢ = V̄ᵢ (μ |ε|² + ½ λ tr²(ε)) + ½ κᵢ Σⱼ V̄ᵢ V̄ⱼ wᵢⱼ |xⱼᵢ − Aᵢ Mᵢ⁺ Xⱼᵢ|²
double elastic_energy(const Device& device, const Reference& reference, const UndeformedState& undeformed,
                      const ElasticColumns& columns, View<const Place> position) {
    return reduce_sum(device, reference.size(), [&](Index s) {
        const ElasticBlock& here = undeformed.blocks()[s / lane_count];
        const Index l = s % lane_count;
        Mat3d a{};
        const auto for_each_link = [&](const auto& visit) {
            reference.for_each_block(s, [&](const ReferenceBlock& block) {
                for (Index k = 0; k < lane_count; ++k)
                    visit(position[block.neighbour[k]].x() - position[s].x(),
                          Vec3d{block.x[k], block.y[k], block.z[k]}, double{block.weight[k]});
            });
        };
        for_each_link([&](const Vec3d& x, const Vec3d& X, double w) { a += outer(x, X) * w; });
        a *= here.inverse_volume[l];

        const Packed4& q = columns.rotation[s];
        const Mat3d r = matrix(Quaternion<double>{{q.x, q.y, q.z}, q.w});
        const Mat3d stretch =
            transposed(r) * a * lane_of(here.correction, l) + identity<double>() - lane_of(here.rest, l);
        Mat3d strain = here.green[l] ? (transposed(stretch) * stretch - identity<double>()) * 0.5
                                     : symmetric_part(stretch) - identity<double>();
        if (!columns.plastic.empty()) strain -= lane_of(columns.plastic[s / lane_count].strain, l);
        const double density =
            here.mu[l] * norm2(strain) + 0.5 * here.lambda[l] * trace(strain) * trace(strain);

        const Mat3d gradient = a * lane_of(here.fit, l);
        double unexplained = 0;
        for_each_link(
            [&](const Vec3d& x, const Vec3d& X, double w) { unexplained += w * norm2(x - gradient * X); });
        return undeformed.volumes()[s] * density + 0.5 * here.kappa[l] * unexplained;
    });
}

}  // namespace thixo
