#pragma once

#include "core/simd.h"
#include "sph/kernels.h"
#include "sph/neighbours.h"

namespace thixo {

/// Flows between a row and its neighbours, of whatever stands in `field` (.x; .y: k, .z: a).
struct PairFlow {
    ViscosityKernel<> kernel;
    Neighbours neighbours;
    const Packed4* position_volume;
    const Packed4* field;

    /// Kᵢⱼ; the same bits with i and j exchanged.
    template <class T>
    T conductance(T volume_i, T volume_j, T r, T ki, T kj, T ai, T aj) const {
        // Half the sum of a, twice the product of k over its sum; nothing flows where neither conducts.
        return (volume_i * volume_j) * kernel.laplacian(r) * ((ai + aj) * ((ki * kj) / (ki + kj + 1e-30f)));
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
        Lanes flow{}, total{};
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const PackedLanes xj = gather(position_volume, j), fj = gather(field, j);
            const Lanes r = square_root(norm2(x - xj.xyz));
            const Lanes conducted = conductance(volume, xj.w, r, k, fj.xyz.y, share, fj.xyz.z);
            flow += conducted * (fj.xyz.x - u);
            total += conducted;
        });
        return {sum(flow), sum(total)};
    }

    /// Σ K (Tⱼ − Tᵢ) of temperatures in double precision.
    double precise(Index i, View<const double> temperature) const {
        const Packed4 a = position_volume[i], b = field[i];
        double flow = 0;
        for (const Index j : neighbours.of(i)) {
            const Packed4 aj = position_volume[j], bj = field[j];
            const float r = norm(Vec3f{a.x - aj.x, a.y - aj.y, a.z - aj.z});
            flow +=
                double{conductance(a.w, aj.w, r, b.y, bj.y, b.z, bj.z)} * (temperature[j] - temperature[i]);
        }
        return flow;
    }
};

}  // namespace thixo
