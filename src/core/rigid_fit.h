#pragma once

#include "core/mat3.h"
#include "core/vec.h"

namespace thixo {

/// v(x) = velocity + spin × x, of whatever it is a field of.
struct RigidMotion {
    Vec3d velocity, spin;

    Vec3d at(const Vec3d& x) const { return velocity + cross(spin, x); }
};

/// Sums over mass points, from which follows the rigid motion with the same momentum and angular momentum.
/// Positions are taken from a place near the points, where rounding matters.
struct RigidFit {
    double mass = 0;
    Vec3d first;             ///< Σ m x
    Mat3d second{};          ///< Σ m x xᵀ
    Vec3d momentum;          ///< Σ m v
    Vec3d angular_momentum;  ///< Σ x × m v

    void add(double m, const Vec3d& x, const Vec3d& m_v) {
        mass += m;
        first += m * x;
        second += outer(x, x) * m;
        momentum += m_v;
        angular_momentum += cross(x, m_v);
    }

    /// With c the centre of mass and I the inertia about it,
    ///
    ///     ω = I⁻¹ (Σ x × m v − c × Σ m v),   v(x) = Σ m v / Σ m + ω × (x − c)
    ///
    /// Points in a line have no inertia about it, and nothing that turns them: `thinnest` times the trace,
    /// added to I, changes nothing there and keeps I⁻¹ finite.
    RigidMotion motion(double thinnest) const {
        if (!(mass > 0)) return {};
        const Vec3d c = first / mass;
        const Mat3d spread = second - outer(c, c) * mass;
        Mat3d inertia = identity<double>() * trace(spread) - spread;
        const double size = trace(inertia);
        if (!(size > 0)) return {momentum / mass, {}};
        inertia += identity<double>() * (thinnest * size);
        const Vec3d spin = inverse_of_symmetric(inertia) * (angular_momentum - cross(c, momentum));
        return {momentum / mass - cross(spin, c), spin};
    }
};

}  // namespace thixo
