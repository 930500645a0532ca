#include "rigid/rigid_body.h"

#include <algorithm>
#include <cmath>

#include "core/symmetric_eigen.h"

namespace thixo {

namespace {

/// Moments of inertia below this fraction of the largest are rounding of collinear particles: positions are
/// floats.
constexpr double vanishing = 1e-9;

/// The fixed point of the midpoint rule converges by about Δt ω a round, which a step keeps below a third.
constexpr int most_rounds = 50;
constexpr double precise = 1e-15;

Mat3d turned_inverse(const Mat3d& inverse, const Quaternion<double>& q) {
    const Mat3d r = matrix(q);
    return r * inverse * transposed(r);
}

}  // namespace

Quaternion<double> turned(const Quaternion<double>& q, const Vec3d& angle) {
    const double half = 0.5 * norm(angle);
    const double sinc = half > 1e-6 ? std::sin(half) / half : 1 - half * half / 6;
    return normalized(Quaternion<double>{(0.5 * sinc) * angle, std::cos(half)} * q);
}

Vec3d turn_of(const Mat3d& rotation) {
    const Vec3d a = 0.5 * axial(rotation);  // sin θ n
    const double sine = norm(a), cosine = 0.5 * (trace(rotation) - 1);
    return sine > 1e-9 ? std::atan2(sine, cosine) / sine * a : a;
}

Mat3d pseudo_inverse(const Mat3d& a, double least) {
    const SymmetricEigen eigen = symmetric_eigen(a);
    const double none = std::max(least, vanishing * eigen.values.x);
    const auto part = [&](double value, const Vec3d& v) {
        return value > none ? outer(v, v) * (1 / value) : Mat3d{};
    };
    return part(eigen.values.x, eigen.vectors.x) + part(eigen.values.y, eigen.vectors.y) +
           part(eigen.values.z, eigen.vectors.z);
}

Mat3d RigidBody::inverse_inertia_in_world() const { return turned_inverse(inverse_inertia, orientation); }

Vec3d RigidBody::angular_velocity() const {
    return kinematic_id > 0 ? prescribed_spin : inverse_inertia_in_world() * angular_momentum;
}

double RigidBody::kinetic_energy() const {
    return 0.5 * (mass * norm2(velocity) + dot(angular_velocity(), angular_momentum));
}

void RigidBody::advance(double dt) {
    center += dt * velocity;
    Vec3d omega = angular_velocity();
    for (int k = 0; k < most_rounds && kinematic_id == 0; ++k) {
        const Vec3d last = omega;
        omega = turned_inverse(inverse_inertia, turned(orientation, 0.5 * dt * omega)) * angular_momentum;
        if (norm2(omega - last) <= precise * precise * norm2(omega)) break;
    }
    orientation = turned(orientation, dt * omega);
}

MassSums::MassSums(const RigidBody& body)
    : about(body.center),
      mass(body.mass),
      momentum(body.mass * body.velocity),
      angular_momentum(body.angular_momentum) {
    // I = tr(S) − S, so tr(I) = 2 tr(S).
    const Mat3d turn = matrix(body.orientation), inertia = turn * body.inertia * transposed(turn);
    second = identity<double>() * (0.5 * trace(inertia)) - inertia;
}

MassSums& MassSums::operator+=(const MassSums& other) {
    mass += other.mass;
    first += other.first;
    second += other.second;
    momentum += other.momentum;
    angular_momentum += other.angular_momentum;
    return *this;
}

RigidBody MassSums::body(double thinnest) const {
    RigidBody out;
    const Vec3d center = first / mass;
    const Mat3d around = second - outer(mass * center, center);
    out.mass = mass;
    out.center = about + center;
    out.velocity = momentum / mass;
    out.inertia = identity<double>() * trace(around) - around;
    out.angular_momentum = angular_momentum - cross(center, momentum);
    out.inverse_inertia = pseudo_inverse(out.inertia, mass * thinnest * thinnest);
    return out;
}

RigidBody assemble(View<const MassPoint> points, double thinnest) {
    MassSums sums(points[0].position);
    for (const MassPoint& p : points) sums.add(p);
    return sums.body(thinnest);
}

}  // namespace thixo
