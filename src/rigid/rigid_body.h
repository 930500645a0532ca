#pragma once

#include <cstdint>

#include "core/mat3.h"
#include "core/quaternion.h"
#include "core/view.h"

namespace thixo {

/// A particle that a body is assembled from.
struct MassPoint {
    double mass;               ///< kg
    Vec3d position, velocity;  ///< m, m/s
};

/// A body that keeps its shape [SSP07, eq. 18–20]. Momentum and angular momentum are its state, so that a
/// free body keeps both to the last bit; the angular velocity follows from the place it is turned to, ω = R
/// I⁻¹ Rᵀ L.
struct RigidBody {
    double mass = 0;                            ///< kg
    Vec3d center;                               ///< m
    Quaternion<double> orientation{{}, 1};      ///< R: from the body's own frame to the world
    Vec3d velocity;                             ///< of the centre, m/s
    Vec3d angular_momentum;                     ///< L about the centre, kg m²/s
    Mat3d inertia{}, inverse_inertia{};         ///< in its own frame, kg m²; the inverse where there is one
    Vec3d prescribed_spin;                      ///< ω while it is kinematic, rad/s
    std::uint32_t number = 0;                   ///< of its rigid cluster
    std::uint32_t kinematic_id = 0;             ///< its prescribed motion; 0: it is free
    std::uint32_t first_member = 0, count = 0;  ///< its particles

    Vec3d angular_velocity() const;  ///< ω, rad/s
    /// R I⁻¹ Rᵀ
    Mat3d inverse_inertia_in_world() const;
    double kinetic_energy() const;  ///< J

    /// A step of its free motion with L as it is: the centre moves on straight, and it turns by Δt ω about
    /// the angular velocity that it has half-way,
    ///
    ///     ω = R½ I⁻¹ R½ᵀ L,   R½ = exp(½Δt ω) R,   R ← exp(Δt ω) R
    ///
    /// (implicit midpoint: the gyroscopic term ω × Iω is in the turn of R).
    void advance(double dt);
};

/// A rotation followed by that of a rotation vector.
Quaternion<double> turned(const Quaternion<double>& q, const Vec3d& angle);

/// The rotation vector of a rotation of less than half a turn.
Vec3d turn_of(const Mat3d& rotation);

/// A⁻¹ of a symmetric matrix on the directions in which it is above `least`, and not zero, 0 on the others.
Mat3d pseudo_inverse(const Mat3d& a, double least);

/// What bodies are assembled from: sums over particles, about a place near them.
struct MassSums {
    Vec3d about;             ///< m
    double mass = 0;         ///< Σ m, kg
    Vec3d first;             ///< Σ m r, kg m
    Mat3d second{};          ///< Σ m r rᵀ, kg m²
    Vec3d momentum;          ///< Σ m v, kg m/s
    Vec3d angular_momentum;  ///< Σ r × m v, kg m²/s

    explicit MassSums(const Vec3d& place = {}) : about(place) {}
    /// Those of the particles of a body.
    explicit MassSums(const RigidBody& body);

    /// Adds a particle, or takes one away: `times` −1.
    void add(const MassPoint& point, double times = 1) {
        const double m = times * point.mass;
        const Vec3d r = point.position - about;
        mass += m;
        first += m * r;
        second += outer(m * r, r);
        momentum += m * point.velocity;
        angular_momentum += cross(m * r, point.velocity);
    }
    /// Adds sums about the same place.
    MassSums& operator+=(const MassSums& other);

    /// The body of the particles: mass, centre and inertia, turned like the world, and the momentum and
    /// angular momentum that they have together. It does not turn about an axis that its particles are nearer
    /// to than `thinnest` (m), in the root mean square: a few that froze nearly in a line would spin without
    /// end.
    RigidBody body(double thinnest) const;
};

/// The body of some particles.
RigidBody assemble(View<const MassPoint> points, double thinnest = 0);

}  // namespace thixo
