#pragma once

#include "core/simd.h"
#include "sph/neighbours.h"
#include "sph/sizes.h"

namespace thixo {

/// Flows between a row and its neighbours, of whatever stands in `field` (.x; .y: k, .z: a).
template <class Sizes>
struct PairFlow {
    Sizes sizes;
    Neighbours neighbours;
    const Packed4* position_volume;
    const Packed4* field;

    /// Kᵢⱼ; the same bits with i and j exchanged.
    template <class T>
    static T conductance(T volume_i, T volume_j, T laplacian, T ki, T kj, T ai, T aj) {
        // Half the sum of a, twice the product of k over its sum; nothing flows where neither conducts.
        return (volume_i * volume_j) * laplacian * ((ai + aj) * ((ki * kj) / (ki + kj + 1e-30f)));
    }

    struct Sums {
        float flow;   ///< Σ K (uⱼ − uᵢ)
        float total;  ///< Σ K
    };

    Sums operator()(Index i) const {
        const Packed4 a = position_volume[i], b = field[i];
        const Vec3<Lanes> x = spread(Vec3f{a.x, a.y, a.z});
        const Lanes u = spread<Lanes>(b.x), volume = spread<Lanes>(a.w), k = spread<Lanes>(b.y),
                    share = spread<Lanes>(b.z);
        const auto& w = sizes.of(i);
        Lanes flow{}, total{};
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const PackedLanes xj = gather(position_volume, j), fj = gather(field, j);
            const Lanes laplacian = w.with(j).viscosity_laplacian(square_root(norm2(x - xj.xyz)));
            const Lanes conducted = conductance(volume, xj.w, laplacian, k, fj.xyz.y, share, fj.xyz.z);
            flow += conducted * (fj.xyz.x - u);
            total += conducted;
        });
        return {sum(flow), sum(total)};
    }

    /// Σ K (Tⱼ − Tᵢ) of temperatures in double precision.
    double precise(Index i, View<const double> temperature) const {
        const Packed4 a = position_volume[i], b = field[i];
        const auto& w = sizes.of(i);
        double flow = 0;
        for (const Index j : neighbours.of(i)) {
            const Packed4 aj = position_volume[j], bj = field[j];
            const float laplacian =
                w.with(j).viscosity_laplacian(norm(Vec3f{a.x - aj.x, a.y - aj.y, a.z - aj.z}));
            flow += double{conductance(a.w, aj.w, laplacian, b.y, bj.y, b.z, bj.z)} *
                    (temperature[j] - temperature[i]);
        }
        return flow;
    }
};

}  // namespace thixo
