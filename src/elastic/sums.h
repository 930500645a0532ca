#pragma once

#include "core/eight.h"
#include "elastic/reference.h"
#include "elastic/slot_block.h"

namespace thixo {

/// sum(s) of eight slots, one in each lane.
template <class Sum>
Mat3<Lanes> sum_eight(const Reference& reference, Index first, const Sum& sum) {
    EightSums<Mat3<Lanes>> out;
    for (Index s = first; s < std::min(first + lane_count, reference.size()); ++s) out.set(s - first, sum(s));
    return out.sums();
}

/// Σⱼ wᵢⱼ aⱼᵢ Xⱼᵢᵀ of eight slots, with aⱼᵢ the difference of two records.
inline Mat3<Lanes> moments(const Reference& reference, const Packed4* a, Index first) {
    return sum_eight(reference, first, [&](Index s) {
        Mat3<Lanes> sum{};
        const Vec3<Lanes> self = spread(a[s]);
        reference.for_each_block(s, [&](const ReferenceBlock& block) {
            sum += outer(gather(a, block.neighbour).xyz - self, block.X() * block.w());
        });
        return sum;
    });
}

/// The force on slot i by what it and its reference neighbours exert: Σⱼ wᵢⱼ [(Qᵢ + Qⱼ) Xⱼᵢ + (κᵢ + κⱼ) xⱼᵢ].
inline Vec3f force_on(const Reference& reference, const Exerted* exerted, Index i) {
    const Exerted& self = exerted[i];
    const Packed4* records = &exerted->position;
    const Vec3<Lanes> x = spread(self.position);
    Vec3<Lanes> force{};
    reference.for_each_block(i, [&](const ReferenceBlock& block) {
        const auto of_neighbours = [&](Index k) { return gather<4>(records + k, block.neighbour); };
        const PackedLanes other = of_neighbours(0);
        const Vec3<Lanes> X = block.X();
        const Lanes kappa = other.w + self.position.w;
        const auto row = [&](Index k) {
            const Packed4& q = self.q[k];
            const Vec3<Lanes> p = of_neighbours(k + 1).xyz;
            return dot(Vec3<Lanes>{p.x + q.x, p.y + q.y, p.z + q.z}, X);
        };
        force += (Vec3<Lanes>{row(0), row(1), row(2)} + (other.xyz - x) * kappa) * block.w();
    });
    return sum(force);
}

/// Writes what eight slots exert.
inline void write(Exerted* exerted, Index first, Index count, const Packed4* x, Lanes kappa,
                  const Mat3<Lanes>& q) {
    for (Index l = 0; l < count; ++l) {
        const Packed4& self = x[first + l];
        exerted[first + l] = {{self.x, self.y, self.z, kappa[l]},
                              {{q.x.x[l], q.x.y[l], q.x.z[l], 0},
                               {q.y.x[l], q.y.y[l], q.y.z[l], 0},
                               {q.z.x[l], q.z.y[l], q.z.z[l], 0}}};
    }
}

}  // namespace thixo
