#pragma once

#include <cmath>

namespace thixo {

/// Three components of a scalar or of SIMD lanes: `Vec3<float>` is one vector, `Vec3<Lanes>` is eight.
template <class T>
struct Vec3 {
    T x{}, y{}, z{};

    constexpr Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
    constexpr Vec3& operator-=(const Vec3& b) { return *this = *this - b; }
    constexpr Vec3& operator*=(T s) { return *this = *this * s; }

    friend constexpr Vec3 operator+(const Vec3& a, const Vec3& b) {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    friend constexpr Vec3 operator-(const Vec3& a, const Vec3& b) {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    friend constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
    friend constexpr Vec3 operator*(const Vec3& a, T s) { return {a.x * s, a.y * s, a.z * s}; }
    friend constexpr Vec3 operator*(T s, const Vec3& a) { return a * s; }
    friend constexpr Vec3 operator/(const Vec3& a, T s) { return {a.x / s, a.y / s, a.z / s}; }
    friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

using Vec3f = Vec3<float>;
using Vec3d = Vec3<double>;

template <class T>
constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
constexpr T norm2(const Vec3<T>& a) {
    return dot(a, a);
}

template <class T>
T norm(const Vec3<T>& a) {
    return std::sqrt(norm2(a));
}

template <class T>
Vec3<T> normalized(const Vec3<T>& a) {
    return a / norm(a);
}

inline bool is_finite(const Vec3f& a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

constexpr Vec3d to_double(const Vec3f& a) { return {a.x, a.y, a.z}; }
constexpr Vec3f to_float(const Vec3d& a) {
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

}  // namespace thixo
