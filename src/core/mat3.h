#pragma once

#include <concepts>

#include "core/vec.h"

namespace thixo {

/// Three rows of a scalar or of SIMD lanes.
template <class T>
struct Mat3 {
    Vec3<T> x{}, y{}, z{};

    constexpr Mat3& operator+=(const Mat3& b) { return *this = *this + b; }
    constexpr Mat3& operator-=(const Mat3& b) { return *this = *this - b; }
    constexpr Mat3& operator*=(T s) { return *this = *this * s; }

    friend constexpr Mat3 operator+(const Mat3& a, const Mat3& b) {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    friend constexpr Mat3 operator-(const Mat3& a, const Mat3& b) {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    friend constexpr Mat3 operator*(const Mat3& a, T s) { return {a.x * s, a.y * s, a.z * s}; }
    friend constexpr Mat3 operator*(T s, const Mat3& a) { return a * s; }
    friend constexpr Vec3<T> operator*(const Mat3& a, const Vec3<T>& b) {
        return {dot(a.x, b), dot(a.y, b), dot(a.z, b)};
    }
    friend constexpr Mat3 operator*(const Mat3& a, const Mat3& b) {
        return {times(a.x, b), times(a.y, b), times(a.z, b)};
    }
    friend constexpr bool operator==(const Mat3&, const Mat3&) = default;

private:
    /// aᵀ B
    static constexpr Vec3<T> times(const Vec3<T>& a, const Mat3& b) {
        return a.x * b.x + a.y * b.y + a.z * b.z;
    }
};

using Mat3f = Mat3<float>;
using Mat3d = Mat3<double>;

template <class T>
constexpr Mat3<T> diagonal(T a, T b, T c) {
    return {{a, T{}, T{}}, {T{}, b, T{}}, {T{}, T{}, c}};
}

template <class T>
constexpr Mat3<T> identity() {
    return diagonal(T(1), T(1), T(1));
}

template <class T>
constexpr Mat3<T> transposed(const Mat3<T>& a) {
    return {{a.x.x, a.y.x, a.z.x}, {a.x.y, a.y.y, a.z.y}, {a.x.z, a.y.z, a.z.z}};
}

/// a bᵀ
template <class T>
constexpr Mat3<T> outer(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.x * b, a.y * b, a.z * b};
}

template <class T>
constexpr T trace(const Mat3<T>& a) {
    return a.x.x + a.y.y + a.z.z;
}

template <class T>
constexpr T determinant(const Mat3<T>& a) {
    return dot(a.x, cross(a.y, a.z));
}

/// A⁻¹ of a symmetric, positive definite A.
template <class T>
constexpr Mat3<T> inverse_of_symmetric(const Mat3<T>& a) {
    return Mat3<T>{cross(a.y, a.z), cross(a.z, a.x), cross(a.x, a.y)} * (T(1) / determinant(a));
}

/// ½ (A + Aᵀ)
template <class T>
constexpr Mat3<T> symmetric_part(const Mat3<T>& a) {
    return (a + transposed(a)) * (T{} + 0.5f);
}

/// Off-diagonal differences (a₃₂ − a₂₃, a₁₃ − a₃₁, a₂₁ − a₁₂): twice the axial vector of the antisymmetric
/// part.
template <class T>
constexpr Vec3<T> axial(const Mat3<T>& a) {
    return {a.z.y - a.y.z, a.x.z - a.z.x, a.y.x - a.x.y};
}

/// Sum of the squares of all elements.
template <class T>
constexpr T norm2(const Mat3<T>& a) {
    return norm2(a.x) + norm2(a.y) + norm2(a.z);
}

/// A symmetric matrix by its six different elements, for storage.
template <class T>
struct Sym3 {
    T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};

    constexpr Sym3() = default;
    constexpr explicit Sym3(const Mat3<T>& a)
        : xx(a.x.x), yy(a.y.y), zz(a.z.z), xy(a.x.y), xz(a.x.z), yz(a.y.z) {}

    constexpr Mat3<T> full() const { return {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}; }

    friend constexpr bool operator==(const Sym3&, const Sym3&) = default;
};

using Sym3f = Sym3<float>;

// Templates, so that braces stand for a vector.
template <std::same_as<Mat3f> M>
constexpr Mat3d to_double(const M& a) {
    return {to_double(a.x), to_double(a.y), to_double(a.z)};
}
template <std::same_as<Mat3d> M>
constexpr Mat3f to_float(const M& a) {
    return {to_float(a.x), to_float(a.y), to_float(a.z)};
}

}  // namespace thixo
