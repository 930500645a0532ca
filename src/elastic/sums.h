#pragma once

#include "elastic/reference.h"
#include "elastic/slot_block.h"

namespace thixo {

/// Calls body(first slot) for every eight slots. Threads get as many slots at a time as they get rows elsewhere.
template <class Body>
void launch_blocks(const Device& device, Index slots, const Body& body) {
    static_assert(launch_grain % lane_count == 0);
    launch(device, slots, [body](Index s) {
        if (s % lane_count == 0) body(s);
    });
}

/// Sums of one matrix for each of eight slots, before their lanes are added up.
class EightMatrices {
public:
    void set(Index l, const Mat3<Lanes>& a) {
        const Lanes* from = &a.x.x;
        for (Index k = 0; k < 9; ++k) lanes_[k][l] = from[k];
    }

    /// Lane l is the sum that was set there.
    Mat3<Lanes> sums() const {
        Mat3<Lanes> out;
        Lanes* to = &out.x.x;
        for (Index k = 0; k < 9; ++k) to[k] = sum_each(lanes_[k]);
        return out;
    }

private:
    Lanes lanes_[9][lane_count] = {};
};

/// sum(s) of eight slots, one in each lane.
template <class Sum>
Mat3<Lanes> sum_eight(const Reference& reference, Index first, const Sum& sum) {
    EightMatrices out;
    for (Index s = first; s < std::min(first + lane_count, reference.size()); ++s) out.set(s - first, sum(s));
    return out.sums();
}

inline Vec3<Lanes> spread(const Packed4& a) { return spread(Vec3f{a.x, a.y, a.z}); }

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

/// The same as `force_on`, a neighbour at a time: what one exerts is a cache line, which is multiplied by one register. Of what i exerts
/// only the sum of weights is needed.
inline Vec3f response_on(const Reference& reference, const Exerted* exerted, Index i) {
    using Sixteen = float __attribute__((vector_size(64)));
    const auto record = [&](Index s) { return *reinterpret_cast<const Sixteen*>(&exerted[s]); };
    const Exerted& self = exerted[i];
    const Packed4& p = self.position;
    const Sixteen origin{p.x, p.y, p.z}, kappa{p.w, p.w, p.w, p.w}, one = Sixteen{} + 1;
    Sixteen sums[4] = {};
    Lanes weights{};  // Σ w X, in two halves
    reference.for_each_block(i, [&](const ReferenceBlock& block) {
        const Lanes w = block.w();
        const Vec3<Lanes> wX = block.X() * w;
        // (w X, w) of links l and l + 4
        const Lanes xy_low = __builtin_shufflevector(wX.x, wX.y, 0, 8, 1, 9, 4, 12, 5, 13),
                    xy_high = __builtin_shufflevector(wX.x, wX.y, 2, 10, 3, 11, 6, 14, 7, 15),
                    zw_low = __builtin_shufflevector(wX.z, w, 0, 8, 1, 9, 4, 12, 5, 13),
                    zw_high = __builtin_shufflevector(wX.z, w, 2, 10, 3, 11, 6, 14, 7, 15);
        const Lanes link[4] = {__builtin_shufflevector(xy_low, zw_low, 0, 1, 8, 9, 4, 5, 12, 13),
                               __builtin_shufflevector(xy_low, zw_low, 2, 3, 10, 11, 6, 7, 14, 15),
                               __builtin_shufflevector(xy_high, zw_high, 0, 1, 8, 9, 4, 5, 12, 13),
                               __builtin_shufflevector(xy_high, zw_high, 2, 3, 10, 11, 6, 7, 14, 15)};
        // Rows of Q times w X, and x times w (κᵢ + κⱼ)
        const auto add = [&](Sixteen& sum, Index s, const Sixteen& factors) {
            const Sixteen other = record(s) - origin;
            const Sixteen stiffness = kappa + __builtin_shufflevector(other, one, 3, 3, 3, 3, 16, 17, 18, 19,
                                                                      20, 21, 22, 23, 24, 25, 26, 27);
            sum += other * (factors * stiffness);
        };
        for (Index l = 0; l < 4; ++l) {
            const Lanes a = link[l];
            add(sums[l], block.neighbour[l],
                __builtin_shufflevector(a, a, 3, 3, 3, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3));
            add(sums[l], block.neighbour[l + 4],
                __builtin_shufflevector(a, a, 7, 7, 7, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7));
            weights += a;
        }
    });
    const Sixteen all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    const Vec3f wX{weights[0] + weights[4], weights[1] + weights[5], weights[2] + weights[6]};
    const auto component = [&](Index k) {
        const Packed4& q = self.q[k];
        const Index row = 4 * (k + 1);
        return (all[row] + all[row + 1] + all[row + 2]) + dot(Vec3f{q.x, q.y, q.z}, wX) + all[k];
    };
    return {component(0), component(1), component(2)};
}

}  // namespace thixo
