#include "elastic/elastic_energy.h"

#include <algorithm>

#include "core/eight.h"
#include "core/rotation.h"
#include "elastic/rest_curvature.h"

namespace thixo {

namespace {

Mat3d lane_of(const Sym3<Lanes>& a, Index l) { return to_double(lane(a.full(), l)); }

/// Calls visit(xⱼᵢ, Xⱼᵢ, w) for each link of an index.
template <class Visit>
void for_each_link(const Reference& reference, View<const Place> position, Index s, const Visit& visit) {
    reference.for_each_block(s, [&](const ReferenceBlock& block) {
        for (Index k = 0; k < lane_count; ++k)
            visit(position[block.neighbour[k]].x() - position[s].x(),
                  Vec3d{block.x[k], block.y[k], block.z[k]}, double{block.weight[k]});
    });
}

/// A = Σⱼ V̄ⱼ wᵢⱼ xⱼᵢ Xⱼᵢᵀ
Mat3d moment_of(const Reference& reference, View<const Place> position, const ElasticBlock& here, Index s) {
    Mat3d a{};
    for_each_link(reference, position, s,
                  [&](const Vec3d& x, const Vec3d& X, double w) { a += outer(x, X) * w; });
    return a * double{here.inverse_volume[s % lane_count]};
}

/// One particle of a sheet whose neighbourhood is folded flat has hardly any volume left: it must not make up
/// the mean of all.
constexpr double most_compression = 4;

/// In 2D bodies go on along z, as their rotations do.
Mat3d with_depth(Mat3d gradient) {
    if (gradient.z.z == 0 && norm2(gradient.z) == 0) gradient.z.z = 1;
    return gradient;
}

}  // namespace

/// Uᵢ = V̄ᵢ (μ |ε|² + ½ λ tr²(ε)) + ½ κᵢ Σⱼ V̄ᵢ V̄ⱼ wᵢⱼ |xⱼᵢ − Gᵢ Xⱼᵢ|², G = A M⁺ + b nᵀ
double elastic_energy(const Device& device, const Reference& reference, const UndeformedState& undeformed,
                      const ElasticColumns& columns, View<const Place> position) {
    return reduce_sum(device, reference.size(), [&](Index s) {
        const ElasticBlock& here = undeformed.blocks()[s / lane_count];
        const Index l = s % lane_count;
        const Mat3d a = moment_of(reference, position, here, s);
        const Packed4& q = columns.rotation[s];
        const Mat3d r = matrix(Quaternion<double>{{q.x, q.y, q.z}, q.w});
        const Mat3d stretch =
            transposed(r) * a * lane_of(here.correction, l) + identity<double>() - lane_of(here.rest, l);
        Mat3d strain = here.green[l] ? (transposed(stretch) * stretch - identity<double>()) * 0.5
                                     : symmetric_part(stretch) - identity<double>();
        if (!columns.plastic.empty()) strain -= lane_of(columns.plastic[s / lane_count].strain, l);
        const double density =
            here.mu[l] * norm2(strain) + 0.5 * here.lambda[l] * trace(strain) * trace(strain);

        Mat3d gradient = a * lane_of(here.fit, l);
        double unexplained = 0;
        const RestBend rest = rest_bend(reference, s, lane_of(here.span, l), here.inverse_volume[l]);
        const Vec3d n = rest.normal;
        if (rest.is_rod)
            unexplained = rod_residual(norm(a * n), rest.bend) / here.inverse_volume[l];
        else if (rest.bend > 0)
            gradient += outer(layer_bend(with_depth(gradient), n, a * n, lane_of(here.fit, l)).b, n);
        for_each_link(reference, position, s, [&](const Vec3d& x, const Vec3d& X, double w) {
            unexplained += w * norm2(x - gradient * X);
        });
        const double kappa =
            here.kappa[l] *
            (columns.plastic.empty() ? 1 : double{columns.plastic[s / lane_count].hourglass[l]});
        return undeformed.volumes()[s] * density + 0.5 * kappa * unexplained;
    });
}

double elastic_compression(const Device& device, const Reference& reference,
                           const UndeformedState& undeformed, const ElasticColumns& columns,
                           View<const Place> position) {
    return reduce_sum(device, reference.size(), [&](Index s) {
        const ElasticBlock& here = undeformed.blocks()[s / lane_count];
        const Index l = s % lane_count;
        const Mat3d fit = lane_of(here.fit, l), span = lane_of(here.span, l);
        if (columns.row[s] == vacant_index || trace(span) < 2.5) return 0.0;
        Mat3d gradient = moment_of(reference, position, here, s) * fit;
        if (fit.z.z == 0) gradient.z.z = 1;  // in 2D, where nothing moves along z
        const double volume = determinant(gradient);
        return volume > 0 ? std::clamp(1 / volume - 1, 0.0, most_compression) : 0.0;
    });
}

}  // namespace thixo
