#pragma once

#include "core/mat3.h"
#include "core/simd.h"

namespace thixo {

/// Unit quaternion (x, y, z; w) of a rotation, generic over scalars and lanes.
template <class T>
struct Quaternion {
    Vec3<T> v{};
    T w{};

    friend Quaternion operator*(const Quaternion& a, const Quaternion& b) {
        return {a.w * b.v + b.w * a.v + cross(a.v, b.v), a.w * b.w - dot(a.v, b.v)};
    }
};

template <class T>
Quaternion<T> normalized(const Quaternion<T>& q) {
    const T scale = T{} + 1 / square_root(norm2(q.v) + q.w * q.w);
    return {q.v * scale, q.w * scale};
}

template <class T>
Quaternion<T> conjugate(const Quaternion<T>& q) {
    return {-q.v, q.w};
}

/// Sum of unit quaternions that mean nearby rotations; q and −q mean the same one.
inline void add_aligned(Quaternion<double>& sum, const Quaternion<double>& q) {
    const double sign = dot(sum.v, q.v) + sum.w * q.w < 0 ? -1 : 1;
    sum = {sum.v + q.v * sign, sum.w + q.w * sign};
}

/// R − I, precise for small turns: 2 (w [v]ₓ + [v]ₓ²) / |q|². Rounding leaves |q|² beside 1, which would be a
/// strain.
template <class T>
Mat3<T> turn_alone(const Quaternion<T>& q) {
    const Vec3<T> a = q.v * (2 / (norm2(q.v) + q.w * q.w));
    const T xx = a.x * q.v.x, yy = a.y * q.v.y, zz = a.z * q.v.z;
    const T xy = a.x * q.v.y, xz = a.x * q.v.z, yz = a.y * q.v.z;
    const T wx = a.x * q.w, wy = a.y * q.w, wz = a.z * q.w;
    return {{-(yy + zz), xy - wz, xz + wy}, {xy + wz, -(xx + zz), yz - wx}, {xz - wy, yz + wx, -(xx + yy)}};
}

template <class T>
Mat3<T> matrix(const Quaternion<T>& q) {
    Mat3<T> out = turn_alone(q);
    out.x.x += 1;
    out.y.y += 1;
    out.z.z += 1;
    return out;
}

}  // namespace thixo
