#pragma once

#include "core/eight.h"
#include "core/mat3.h"
#include "core/quaternion.h"
#include "core/simd.h"

namespace thixo {

/// One of eight quaternions.
inline Quaternion<double> lane(const Quaternion<Lanes>& q, Index l) {
    return {{q.v.x[l], q.v.y[l], q.v.z[l]}, q.w[l]};
}

inline void set_lane(Quaternion<Lanes>& to, Index l, const Quaternion<double>& from) {
    to.v.x[l] = static_cast<float>(from.v.x);
    to.v.y[l] = static_cast<float>(from.v.y);
    to.v.z[l] = static_cast<float>(from.v.z);
    to.w[l] = static_cast<float>(from.w);
}

inline Quaternion<Lanes> select(LaneMask mask, const Quaternion<Lanes>& a, const Quaternion<Lanes>& b) {
    return {{mask ? a.v.x : b.v.x, mask ? a.v.y : b.v.y, mask ? a.v.z : b.v.z}, mask ? a.w : b.w};
}

/// Eight records from the first on.
inline Quaternion<Lanes> load_quaternions(const Packed4* records, Index first) {
    const Index rows[lane_count] = {first,     first + 1, first + 2, first + 3,
                                    first + 4, first + 5, first + 6, first + 7};
    const PackedLanes q = gather(records, rows);
    return {q.xyz, q.w};
}

Quaternion<double> quaternion(const Mat3d& rotation);

inline Quaternion<double> quaternion_of(const Packed4& q) { return {{q.x, q.y, q.z}, q.w}; }
inline Packed4 record_of(const Quaternion<double>& q) {
    return {static_cast<float>(q.v.x), static_cast<float>(q.v.y), static_cast<float>(q.v.z),
            static_cast<float>(q.w)};
}

/// The rotation R closest to a matrix, the one that maximises tr(RᵀA): always of determinant +1, for matrices
/// that mirror and for those of rank two as well. Where it is not unique, the closest one to `last`. With
/// `planar` it turns about z only.
Mat3d closest_rotation(const Mat3d& a, const Mat3d& last, bool planar);

/// Result of a few Newton steps for the closest rotation (polar decomposition).
template <class T, class Mask>
struct TrackedRotation {
    Quaternion<T> q;
    Mask converged;
};

/// One step towards the rotation closest to A: R ← exp(ω) R with
///
///     ω = (tr(B) I − B)⁻¹ axial(A Rᵀ),   B = sym(A Rᵀ)
///
/// which is Newton's on tr(RᵀA). A thousandth of tr(B) on the diagonal keeps rods, whose turn about
/// themselves is not determined, away from 0/0. Converged means that the step was short and an ascent step:
/// otherwise the exact method is used.
///
/// A = S + E with S symmetric, which has no axial part and is left out of axial(A Rᵀ): where E is small, so
/// is the rounding error.
template <class T>
auto turn_towards(const Mat3<T>& s, const Mat3<T>& e, const Quaternion<T>& q) {
    const Mat3<T> k = e + (s + e) * transposed(turn_alone(q));
    const Mat3<T> b = symmetric_part(s + k);
    const T t = trace(b), d = t * 1.001f;
    const Vec3<T> x{d - b.x.x, -b.x.y, -b.x.z}, y{-b.x.y, d - b.y.y, -b.y.z}, z{-b.x.z, -b.y.z, d - b.z.z};
    const Vec3<T> yz = cross(y, z), zx = cross(z, x), xy = cross(x, y);
    const T det = dot(x, yz);
    const Vec3<T> g = axial(k);
    const Vec3<T> omega = (yz * g.x + zx * g.y + xy * g.z) * (1 / det);
    const auto uphill = (t > 0) & (x.x > 0) & (xy.z > 0) & (det > 0);  // positive definite (Sylvester)
    const auto converged = uphill & (norm2(omega) < 1e-6f);
    return TrackedRotation<T, std::remove_const_t<decltype(converged)>>{
        normalized(Quaternion<T>{omega * spread<T>(0.5f), spread<T>(1.f)} * q), converged};
}

/// The rotations closest to eight matrices where they are wanted, from those that were it last; where two
/// Newton steps do not reach them, by the exact path.
inline Quaternion<Lanes> closest_rotations(const Mat3<Lanes>& a, const Quaternion<Lanes>& last,
                                           LaneMask wanted, bool planar) {
    const Mat3<Lanes> none{};
    auto found = turn_towards(none, a, turn_towards(none, a, last).q);
    for (Index l = 0; l < lane_count && !all(found.converged | ~wanted); ++l) {
        if (found.converged[l] || !wanted[l]) continue;
        set_lane(found.q, l,
                 quaternion(closest_rotation(to_double(lane(a, l)), matrix(lane(last, l)), planar)));
        found.converged[l] = -1;
    }
    return found.q;
}

}  // namespace thixo
