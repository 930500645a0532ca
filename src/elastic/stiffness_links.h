#pragma once

#include <vector>

#include "elastic/elastic_block.h"
#include "elastic/reference.h"

namespace thixo {

/// What a particle exerts when it and its neighbours are displaced: one cache line, all that the second pass
/// reads of a neighbour.
struct alignas(64) Response {
    Packed4 unexplained;  ///< force on itself by deformations that the strain does not see, N
    Packed4 q[3];         ///< rows of Q
};

/// The reference neighbours as the linear operator reads them, twice for each product: factors that do not
/// depend on the displacements are multiplied beforehand, and a neighbour's lie side by side, so that one
/// load spreads them over a register. Follows from the links and what was precomputed from them.
class StiffnessLinks {
public:
    /// Makes them for κ that are multiplied by `stiffness` + `damping` τ, unless that is done.
    void prepare(const Device& device, const Reference& reference, View<const ElasticBlock> blocks,
                 float stiffness, float damping);
    /// Links, or what was precomputed from them, have changed.
    void invalidate() { begin_.clear(); }

    /// What a pass sees.
    struct Lists {
        View<const Index> begin, neighbour;
        View<const Packed4> link;
        View<const Packed4> sum;

        /// Calls visit(neighbour, link) four times in a row for as many sums, so that none waits for the last
        /// one.
        template <class Visit>
        void for_each(Index s, const Visit& visit) const {
            const Index* of = neighbour.data() + begin[s];
            const Index* const end = neighbour.data() + begin[s + 1];
            for (const Packed4* a = link.data() + begin[s]; of != end; of += at_a_time, a += at_a_time) {
                for (Index l = 0; l < at_a_time; ++l) visit(l, of[l], a[l]);
            }
        }
    };
    Lists view() const { return {begin_, neighbour_, link_, sum_}; }

    static constexpr Index at_a_time = 4;

    std::size_t bytes() const;

private:
    std::vector<Index> begin_;      ///< first entry of each index, and the end; whole fours
    std::vector<Index> neighbour_;  ///< the index itself in unused entries
    std::vector<Packed4> link_;     ///< wᵢⱼ Xⱼᵢ; w: wᵢⱼ (κᵢ + κⱼ), N/m
    std::vector<Packed4> sum_;      ///< of the links of each index
    float stiffness_ = 0, damping_ = 0;
};

/// Four records in one register, or in as many as the machine needs.
using Sixteen = float __attribute__((vector_size(64)));

/// (a, a, a, a) of a record.
inline Sixteen four_times(const Packed4& a) {
#if defined(__AVX512F__)
    return (Sixteen)_mm512_maskz_broadcast_f32x4(0xffff, _mm_load_ps(&a.x));
#else
    const FourLanes once = *reinterpret_cast<const FourLanes*>(&a);
    const Lanes twice = __builtin_shufflevector(once, once, 0, 1, 2, 3, 4, 5, 6, 7);
    return __builtin_shufflevector(twice, twice, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
}

/// Each component of a record four times.
inline Sixteen each_four_times(const Packed4& a) {
    const Sixteen b = four_times(a);
    return __builtin_shufflevector(b, b, 0, 0, 0, 0, 5, 5, 5, 5, 10, 10, 10, 10, 15, 15, 15, 15);
}

/// term(neighbour, link) of all links of an index, added up.
template <class Term>
Sixteen sum_links(const StiffnessLinks::Lists& links, Index s, const Term& term) {
    Sixteen sums[StiffnessLinks::at_a_time] = {};
    links.for_each(s, [&](Index k, Index j, const Packed4& link) { sums[k] += term(j, link); });
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// What all particles exert when they are displaced.
struct LinearResponse {
    StiffnessLinks::Lists links;
    const Response* response;

    /// The force on index i: Σⱼ wᵢⱼ [(Qᵢ + Qⱼ) Xⱼᵢ + (κᵢ + κⱼ) uⱼᵢ], N.
    Vec3f force(Index i) const {
        // Rows of Qⱼ times w X, behind four numbers that mean nothing
        const Sixteen rows = sum_links(links, i, [&](Index j, const Packed4& link) {
            return *reinterpret_cast<const Sixteen*>(&response[j]) * four_times(link);
        });
        const Response& self = response[i];
        const Vec3f wX{links.sum[i].x, links.sum[i].y, links.sum[i].z};
        const auto product = [&](Index k) {
            const Packed4& q = self.q[k];
            const Index row = 4 * (k + 1);
            return (rows[row] + rows[row + 1] + rows[row + 2]) + dot(Vec3f{q.x, q.y, q.z}, wX);
        };
        return Vec3f{product(0), product(1), product(2)} +
               Vec3f{self.unexplained.x, self.unexplained.y, self.unexplained.z};
    }
};

}  // namespace thixo
