#pragma once

#include <cmath>
#include <cstdint>

#if defined(__AVX2__) || defined(__SSE2__)
#include <immintrin.h>
#endif

#include "core/real.h"

// nvcc has scalars alone: a thread of a GPU is one lane.
#if !defined(__CUDACC__)

namespace thixo {

/// Eight floats in one register (two on machines without AVX). Arithmetic and comparisons are the compiler's
/// vector extensions, so a formula written for `float` compiles for `Lanes` as it stands.
using Lanes = float __attribute__((vector_size(32)));
using LaneMask = std::int32_t __attribute__((vector_size(32)));

/// Eight numbers that `float` is not precise enough for.
using DoubleLanes = double __attribute__((vector_size(64)));

inline DoubleLanes in_double(Lanes a) { return __builtin_convertvector(a, DoubleLanes); }

/// The bits of numbers that `float` has room for.
inline DoubleLanes first_bits(DoubleLanes a) {
    using Bits = std::uint64_t __attribute__((vector_size(64)));
    return (DoubleLanes)((Bits)a & ~std::uint64_t{0x1fffffff});
}

inline Lanes square_root(Lanes a) {
#if defined(__AVX__)
    return (Lanes)_mm256_sqrt_ps((__m256)a);
#else
    for (Index l = 0; l < lane_count; ++l) a[l] = std::sqrt(a[l]);
    return a;
#endif
}

/// For |a| ≤ π/2, the range of the kernels: the series up to a¹¹/11!, error at most 6·10⁻⁸.
inline Lanes sine(Lanes a) {
    const Lanes b = a * a;
    return a + a * b *
                   (b * (b * (b * (b * -2.5052108e-8f + 2.7557319e-6f) - 1.9841270e-4f) + 8.3333333e-3f) -
                    1.6666667e-1f);
}

/// Likewise. π/2 in two parts: near it the cosine is small, and as precise.
inline Lanes cosine(Lanes a) { return sine((1.57079637f - larger(a, -a)) - 4.37113883e-8f); }

using FourLanes = float __attribute__((vector_size(16)));

/// Sum of the lanes in a fixed order: ((a₀+a₄) + (a₂+a₆)) + ((a₁+a₅) + (a₃+a₇)).
inline float sum(Lanes a) {
    const FourLanes four =
        __builtin_shufflevector(a, a, 0, 1, 2, 3) + __builtin_shufflevector(a, a, 4, 5, 6, 7);
    const FourLanes two = four + __builtin_shufflevector(four, four, 2, 3, 2, 3);
    return two[0] + two[1];
}
inline double sum(DoubleLanes a) { return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7])); }
inline Vec3f sum(const Vec3<Lanes>& a) { return {sum(a.x), sum(a.y), sum(a.z)}; }

/// Sums of the lanes of eight registers: lane k is that of the k-th.
inline Lanes sum_each(const Lanes (&a)[lane_count]) {
    const auto pairs = [](Lanes p, Lanes q) {
        return __builtin_shufflevector(p, q, 0, 8, 2, 10, 4, 12, 6, 14) +
               __builtin_shufflevector(p, q, 1, 9, 3, 11, 5, 13, 7, 15);
    };
    const auto fours = [&](Lanes p, Lanes q, Lanes r, Lanes s) {
        const Lanes pq = pairs(p, q), rs = pairs(r, s);
        return __builtin_shufflevector(pq, rs, 0, 1, 8, 9, 4, 5, 12, 13) +
               __builtin_shufflevector(pq, rs, 2, 3, 10, 11, 6, 7, 14, 15);
    };
    const Lanes low = fours(a[0], a[1], a[2], a[3]), high = fours(a[4], a[5], a[6], a[7]);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 8, 9, 10, 11) +
           __builtin_shufflevector(low, high, 4, 5, 6, 7, 12, 13, 14, 15);
}

/// Whether a mask is set in every lane.
inline bool all(LaneMask mask) {
#if defined(__AVX__)
    return _mm256_movemask_ps((__m256)mask) == 0xff;
#else
    for (Index l = 0; l < lane_count; ++l) {
        if (!mask[l]) return false;
    }
    return true;
#endif
}

/// Bit l of the result is that of lane l.
inline unsigned bits(LaneMask mask) {
#if defined(__AVX__)
    return static_cast<unsigned>(_mm256_movemask_ps((__m256)mask));
#else
    unsigned out = 0;
    for (Index l = 0; l < lane_count; ++l) out |= static_cast<unsigned>(mask[l] & 1) << l;
    return out;
#endif
}

/// The nearest whole number; halves go to the even one.
inline Lanes nearest_whole(Lanes a) {
#if defined(__AVX__)
    return (Lanes)_mm256_round_ps((__m256)a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
    for (Index l = 0; l < lane_count; ++l) a[l] = std::nearbyint(a[l]);
    return a;
#endif
}

inline Vec3<Lanes> spread(const Vec3f& a) {
    return {spread<Lanes>(a.x), spread<Lanes>(a.y), spread<Lanes>(a.z)};
}

/// Records of eight neighbours, turned from one record per particle into one register per component.
using PackedLanes = PackedOf<Lanes>;

/// `stride` records lie from one particle's to the next one's.
template <std::size_t stride = 1>
inline PackedLanes gather(const Packed4* records, const Index* rows) {
    const auto record = [&](Index l) {
        return *reinterpret_cast<const FourLanes*>(&records[stride * rows[l]]);
    };
    const auto join = [](FourLanes a, FourLanes b) {
        return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
    };
    const Lanes r0 = join(record(0), record(4)), r1 = join(record(1), record(5));
    const Lanes r2 = join(record(2), record(6)), r3 = join(record(3), record(7));
    const Lanes xy01 = __builtin_shufflevector(r0, r1, 0, 8, 1, 9, 4, 12, 5, 13);
    const Lanes zw01 = __builtin_shufflevector(r0, r1, 2, 10, 3, 11, 6, 14, 7, 15);
    const Lanes xy23 = __builtin_shufflevector(r2, r3, 0, 8, 1, 9, 4, 12, 5, 13);
    const Lanes zw23 = __builtin_shufflevector(r2, r3, 2, 10, 3, 11, 6, 14, 7, 15);
    return {{__builtin_shufflevector(xy01, xy23, 0, 1, 8, 9, 4, 5, 12, 13),
             __builtin_shufflevector(xy01, xy23, 2, 3, 10, 11, 6, 7, 14, 15),
             __builtin_shufflevector(zw01, zw23, 0, 1, 8, 9, 4, 5, 12, 13)},
            __builtin_shufflevector(zw01, zw23, 2, 3, 10, 11, 6, 7, 14, 15)};
}

inline Lanes gather(const float* values, const Index* rows) {
    return Lanes{values[rows[0]], values[rows[1]], values[rows[2]], values[rows[3]],
                 values[rows[4]], values[rows[5]], values[rows[6]], values[rows[7]]};
}

inline LaneMask load(const Index* values) {
    LaneMask a;
    __builtin_memcpy(&a, values, sizeof a);
    return a;
}

/// Eight bytes, one in each lane.
inline LaneMask load(const std::uint8_t* values) {
#if defined(__AVX2__)
    return (LaneMask)_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(values)));
#else
    LaneMask out;
    for (Index l = 0; l < lane_count; ++l) out[l] = values[l];
    return out;
#endif
}

inline Lanes load(const float* values) {
    Lanes a;
    __builtin_memcpy(&a, values, sizeof a);
    return a;
}

/// Appends the rows of all set lanes to `out`, which needs room for eight entries; returns how many.
inline unsigned append_rows(Index* out, LaneMask mask, LaneMask rows) {
#if defined(__AVX512VL__) && defined(__AVX512DQ__)
    const __mmask8 set = _mm256_movepi32_mask((__m256i)mask);
    // Compress in a register, then store: the compressing store is microcoded on Zen 4.
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_maskz_compress_epi32(set, (__m256i)rows));
    return static_cast<unsigned>(__builtin_popcount(set));
#else
    unsigned count = 0;
    for (Index l = 0; l < lane_count; ++l) {
        out[count] = static_cast<Index>(rows[l]);
        count += mask[l] & 1;
    }
    return count;
#endif
}

/// Of the rows from `first` on.
inline unsigned append_rows(Index* out, LaneMask mask, Index first) {
    return append_rows(out, mask, LaneMask{0, 1, 2, 3, 4, 5, 6, 7} + static_cast<std::int32_t>(first));
}

}  // namespace thixo

#endif
