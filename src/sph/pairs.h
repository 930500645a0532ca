#pragma once

#include <type_traits>

#include "sph/neighbour_lists.h"
#include "sph/sizes.h"

namespace thixo {

// A pair loop is a function object with operator()(width, i). It visits the neighbours of row i through a
// `PairLoop`, adds up what each pair gives in numbers of the type `Real` of the width, and takes the sums by
// width.sum. So one text serves SIMD lanes, scalars and the threads of a GPU. CONTRIBUTING.md has a complete
// example.

#if !defined(__CUDACC__)
/// Eight neighbours at a time, one in each SIMD lane.
struct EightLanes {
    using Real = Lanes;

    template <class Visit>
    void for_each(const Neighbours& neighbours, Index i, const Visit& visit) const {
        neighbours.for_each_lanes(i, visit);
    }
    template <std::size_t stride>
    PackedLanes load(const Packed4* records, const Index* j) const {
        return gather<stride>(records, j);
    }
    Lanes load(const float* values, const Index* j) const { return gather(values, j); }
    template <class Row>
    decltype(auto) smoothing(const Row& row, const Index* j) const {
        return row.with(j);
    }
    template <class T>
    auto sum(const T& a) const {
        return thixo::sum(a);
    }
    bool writes() const { return true; }
};
#endif

/// What widths have in common that take one neighbour at a time.
struct SingleNeighbours {
    using Real = float;

    template <std::size_t stride>
    THIXO_HOST_DEVICE PackedOf<float> load(const Packed4* records, const Index* j) const {
        const Packed4 a = records[stride * *j];
        return {{a.x, a.y, a.z}, a.w};
    }
    THIXO_HOST_DEVICE float load(const float* values, const Index* j) const { return values[*j]; }
    template <class Row>
    THIXO_HOST_DEVICE decltype(auto) smoothing(const Row& row, const Index* j) const {
        return row.with(*j);
    }
};

/// One neighbour after the other: for single rows, where speed does not matter.
struct OneByOne : SingleNeighbours {
    template <class Visit>
    void for_each(const Neighbours& neighbours, Index i, const Visit& visit) const {
        for (const Index& j : neighbours.of(i)) visit(&j);
    }
    template <class T>
    const T& sum(const T& a) const {
        return a;
    }
    bool writes() const { return true; }
};

/// One of eight threads that share a row: it takes every eighth neighbour, padding included, as a SIMD lane
/// does. `Sums` adds up the threads' numbers in the order of thixo::sum(Lanes), gives every thread the
/// result, and says which of them writes it.
template <class Sums>
struct OneOfEight : SingleNeighbours {
    Index lane;
    Sums sums;

    THIXO_HOST_DEVICE OneOfEight(Index which, const Sums& how) : lane(which), sums(how) {}

    template <class Visit>
    THIXO_HOST_DEVICE void for_each(const Neighbours& neighbours, Index i, const Visit& visit) const {
        neighbours.for_each_lanes(i, [&](const Index* eight) { visit(eight + lane); });
    }
    THIXO_HOST_DEVICE float sum(float a) const { return sums(a); }
    THIXO_HOST_DEVICE Vec3f sum(const Vec3f& a) const { return {sums(a.x), sums(a.y), sums(a.z)}; }
    THIXO_HOST_DEVICE bool writes() const { return sums.write(lane); }
};

/// What a pair loop sees of one pair, or of eight.
template <class Width, class Smoothing>
struct PairOf {
    using Real = typename Width::Real;
    static constexpr bool mixed = std::remove_cvref_t<Smoothing>::mixed;  ///< sizes of particles differ

    Width width;
    const Index* j;  ///< row of the neighbour; the first of eight
    Vec3<Real> x;    ///< xᵢ − xⱼ, m
    Real r2, r;      ///< x², |x|
    Real volume;  ///< V⁰ⱼ, m³ (in 2D m²), or what else stands beside the position in the loop's records
    Smoothing smoothing;  ///< the kernel of the pair

    THIXO_HOST_DEVICE Real value() const { return smoothing.value(r); }  ///< W
    THIXO_HOST_DEVICE Real gradient() const {
        return smoothing.gradient_over_distance(r);
    }  ///< ∇W = x · this
    /// ∇²W of the viscosity kernel.
    THIXO_HOST_DEVICE Real laplacian() const { return smoothing.viscosity_laplacian(r); }

    /// The neighbour's entry in an array of records or numbers, of every row and of the padding.
    template <std::size_t stride = 1>
    THIXO_HOST_DEVICE PackedOf<Real> of(const Packed4* records) const {
        return width.template load<stride>(records, j);
    }
    THIXO_HOST_DEVICE Real of(const float* values) const { return width.load(values, j); }

    /// The same pair when the particles have moved relative to each other.
    THIXO_HOST_DEVICE PairOf moved(const Vec3<Real>& by) const {
        PairOf out = *this;
        out.x = x + by;
        out.r2 = norm2(out.x);
        out.r = square_root(out.r2);
        return out;
    }
};

/// The neighbours of rows. `places` are records (x, V⁰), `stride` of them from one row to the next.
template <class Sizes, std::size_t stride = 1>
struct PairLoop {
    using Smoothing = Sizes;
    static constexpr bool mixed = Sizes::mixed;  ///< sizes of particles differ

    Sizes sizes;
    Neighbours neighbours;
    const Packed4* places;

    THIXO_HOST_DEVICE const Packed4& self(Index i) const { return places[stride * i]; }
    /// Kernel of the row with itself: W(0) and what depends on its size.
    THIXO_HOST_DEVICE decltype(auto) row(Index i) const { return sizes.of(i); }

    /// The same neighbours with other records.
    template <std::size_t other>
    PairLoop<Sizes, other> with_places(const Packed4* records) const {
        return {sizes, neighbours, records};
    }

    /// Calls body(pair) for the neighbours of i. Always inlined: a body adds to sums of its caller, which
    /// otherwise go through memory (6 % of a pass of `dfsph`, bench/step.cpp).
    template <class Width, class Body>
    [[gnu::always_inline]] THIXO_HOST_DEVICE inline void for_each(const Width& width, Index i,
                                                                  const Body& body) const {
        using Real = typename Width::Real;
        const Vec3<Real> x = spread_vector<Real>(self(i));
        const auto& own = sizes.of(i);
        width.for_each(neighbours, i, [&](const Index* j) {
            const PackedOf<Real> other = width.template load<stride>(places, j);
            const Vec3<Real> xij = x - other.xyz;
            const Real r2 = norm2(xij);
            using Kernel = decltype(width.smoothing(own, j));
            body(PairOf<Width, Kernel>{width, j, xij, r2, square_root(r2), other.w, width.smoothing(own, j)});
        });
    }
};

}  // namespace thixo
