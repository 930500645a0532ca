#pragma once

#include <cmath>
#include <type_traits>

#include "core/vec.h"
#include "core/view.h"

/// Marks functions that pair loops call: nvcc compiles them for a CPU and for a GPU, other compilers as they
/// stand.
#if defined(__CUDACC__)
#define THIXO_HOST_DEVICE __host__ __device__
#else
#define THIXO_HOST_DEVICE
#endif

namespace thixo {

// What formulas need that are written once for scalars and for SIMD lanes (core/simd.h). This header has the
// scalars, and nothing that nvcc cannot compile.

/// Neighbours that a pair loop takes side by side: lanes of a CPU's registers, or threads of a GPU's warp.
inline constexpr Index lane_count = 8;

/// One 16-byte record per particle: what a pair loop reads of a neighbour comes in one load.
struct alignas(16) Packed4 {
    float x = 0, y = 0, z = 0, w = 0;
};

/// Records of one neighbour or of eight.
template <class Real>
struct PackedOf {
    Vec3<Real> xyz;
    Real w;
};

/// A scalar spread over all lanes of T; for a scalar T itself.
template <class T, class Real>
THIXO_HOST_DEVICE inline T spread(Real a) {
    if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<T>(a);
    } else {
        return T{} + a;
    }
}

template <class T>
THIXO_HOST_DEVICE inline Vec3<T> spread_vector(const Packed4& a) {
    return {spread<T>(a.x), spread<T>(a.y), spread<T>(a.z)};
}

// Roots and quotients are rounded correctly, on a CPU and, unless nvcc has other options, on a GPU.
THIXO_HOST_DEVICE inline float square_root(float a) { return std::sqrt(a); }
THIXO_HOST_DEVICE inline double square_root(double a) { return std::sqrt(a); }

template <class T>
THIXO_HOST_DEVICE inline T larger(T a, T b) {
    return a > b ? a : b;
}

template <class T>
THIXO_HOST_DEVICE inline T smaller(T a, T b) {
    return a < b ? a : b;
}

THIXO_HOST_DEVICE inline float sine(float a) { return std::sin(a); }
THIXO_HOST_DEVICE inline double sine(double a) { return std::sin(a); }
THIXO_HOST_DEVICE inline float cosine(float a) { return std::cos(a); }
THIXO_HOST_DEVICE inline double cosine(double a) { return std::cos(a); }

}  // namespace thixo
