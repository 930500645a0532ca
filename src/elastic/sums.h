#pragma once

#include "core/eight.h"
#include "elastic/elastic_block.h"
#include "elastic/places.h"
#include "elastic/reference.h"

namespace thixo {

/// sum(s) of eight indices, one in each lane.
template <class Sum>
Mat3<Lanes> sum_eight(const Reference& reference, Index first, const Sum& sum) {
    EightSums<Mat3<Lanes>> out;
    for (Index s = first; s < std::min(first + lane_count, reference.size()); ++s) out.set(s - first, sum(s));
    return out.sums();
}

/// Σⱼ wᵢⱼ aⱼᵢ Xⱼᵢᵀ of eight indices, with aⱼᵢ the difference of two records.
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

/// The force on index i by what it and its reference neighbours exert: Σⱼ wᵢⱼ [(Qᵢ + Qⱼ) Xⱼᵢ + (κᵢ + κⱼ) (xⱼᵢ
/// − B Xⱼᵢ)], with the rotation B of the body.
inline Vec3f force_on(const Reference& reference, const Exerted* exerted, const Mat3f& b, Index i) {
    const Exerted& self = exerted[i];
    const Packed4* records = &exerted->position;
    const Vec3<Lanes> x = spread(self.position), low = spread(Vec3f{self.q[0].w, self.q[1].w, self.q[2].w});
    Vec3<Lanes> force{};
    reference.for_each_block(i, [&](const ReferenceBlock& block) {
        const auto of_neighbours = [&](Index k) { return gather<4>(records + k, block.neighbour); };
        const PackedLanes other = of_neighbours(0), p0 = of_neighbours(1), p1 = of_neighbours(2),
                          p2 = of_neighbours(3);
        const Vec3<Lanes> X = block.X();
        const Lanes kappa = other.w + self.position.w;
        const Away away{other.xyz - x, Vec3<Lanes>{p0.w, p1.w, p2.w} - low};
        const auto row = [&](const PackedLanes& p, const Packed4& q) {
            return dot(Vec3<Lanes>{p.xyz.x + q.x, p.xyz.y + q.y, p.xyz.z + q.z}, X);
        };
        force += (Vec3<Lanes>{row(p0, self.q[0]), row(p1, self.q[1]), row(p2, self.q[2])} +
                  deviation(away, b, X) * kappa) *
                 block.w();
    });
    return sum(force);
}

/// Writes what eight indices exert.
inline void write(Exerted* exerted, Index first, Index count, const Place* x, Lanes kappa,
                  const Mat3<Lanes>& q) {
    for (Index l = 0; l < count; ++l) {
        const auto& [high, low] = x[first + l];
        exerted[first + l] = {{high.x, high.y, high.z, kappa[l]},
                              {{q.x.x[l], q.x.y[l], q.x.z[l], low.x},
                               {q.y.x[l], q.y.y[l], q.y.z[l], low.y},
                               {q.z.x[l], q.z.y[l], q.z.z[l], low.z}}};
    }
}

}  // namespace thixo
