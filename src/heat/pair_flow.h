#pragma once

#include "sph/pairs.h"

namespace thixo {

/// Flows between a row and its neighbours, of whatever stands in `field` (.x; .y: k, .z: a).
template <class Pairs>
struct PairFlow {
    Pairs pairs;
    const Packed4* field;

    /// Kᵢⱼ; the same bits with i and j exchanged.
    template <class Pair>
    auto conductance(const Packed4& own, const PackedOf<typename Pair::Real>& other, const Pair& pair,
                     Index i) const {
        using Real = typename Pair::Real;
        const Real volume = spread<Real>(pairs.self(i).w), k = spread<Real>(own.y), a = spread<Real>(own.z);
        // Half the sum of a, twice the product of k over its sum; nothing flows where neither conducts.
        return (volume * pair.volume) * pair.laplacian() *
               ((a + other.xyz.z) * ((k * other.xyz.y) / (k + other.xyz.y + 1e-30f)));
    }

    struct Sums {
        float flow;   ///< Σ K (uⱼ − uᵢ)
        float total;  ///< Σ K
    };

    template <class Width>
    Sums operator()(const Width& width, Index i) const {
        using Real = typename Width::Real;
        const Packed4 own = field[i];
        const Real u = spread<Real>(own.x);
        Real flow{}, total{};
        pairs.for_each(width, i, [&](const auto& pair) {
            const PackedOf<Real> other = pair.of(field);
            const Real conducted = conductance(own, other, pair, i);
            flow += conducted * (other.xyz.x - u);
            total += conducted;
        });
        return {width.sum(flow), width.sum(total)};
    }

    /// Σ K (Tⱼ − Tᵢ) of temperatures in double precision.
    double precise(Index i, View<const double> temperature) const {
        const Packed4 own = field[i];
        double flow = 0;
        pairs.for_each(OneByOne{}, i, [&](const auto& pair) {
            flow +=
                double{conductance(own, pair.of(field), pair, i)} * (temperature[*pair.j] - temperature[i]);
        });
        return flow;
    }
};

}  // namespace thixo
