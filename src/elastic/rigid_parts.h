#pragma once

#include <cstdint>
#include <vector>

#include "core/conjugate_gradient.h"
#include "core/mat3.h"
#include "elastic/stiffness_links.h"

namespace thixo {

/// Velocity and spin of a rigid part, momentum and angular momentum, or force and torque; about its centre of
/// mass.
struct Twist {
    Vec3d linear, angular;

    Twist& operator+=(const Twist& other) {
        linear += other.linear;
        angular += other.angular;
        return *this;
    }
    friend Twist operator-(const Twist& a, const Twist& b) {
        return {a.linear - b.linear, a.angular - b.angular};
    }
    friend Twist operator*(double a, const Twist& b) { return {a * b.linear, a * b.angular}; }
    friend double dot(const Twist& a, const Twist& b) {
        return dot(a.linear, b.linear) + dot(a.angular, b.angular);
    }
};

/// The rigid clusters of partly rigid bodies that elastic links end at. Their particles move as one, so what
/// links exert on them sums up.
struct RigidParts {
    struct Part {
        double mass = 0;  ///< kg
        Mat3d inertia{}, inverse_inertia{};
        Vec3d center;
        std::uint32_t body = 0;     ///< the body it belongs to
        std::uint32_t cluster = 0;  ///< place in the list of rigid bodies
    };
    struct Member {
        Index elastic, part;
        Vec3d arm;  ///< from the centre of the part

        Vec3f at(const Twist& motion) const { return to_float(motion.linear + cross(motion.angular, arm)); }
        Twist moment(const Vec3d& force) const { return {force, cross(arm, force)}; }
    };

    std::vector<Part> parts;
    std::vector<Member> members;

    bool empty() const { return parts.empty(); }
    Twist times_mass(Index k, const Twist& a) const {
        return {parts[k].mass * a.linear, parts[k].inertia * a.angular};
    }
    Twist over_mass(Index k, const Twist& a) const {
        return {a.linear / parts[k].mass, parts[k].inverse_inertia * a.angular};
    }
};

/// Their rows of the system of an implicit step, (M + αK) x = b with the inertia of whole parts. Serial: the
/// parts that elastic links end at have few such particles.
struct RigidRows {
    RigidParts of;
    std::vector<Twist> solution, residual;

    void begin(RigidParts parts);

    /// Adds to the residual what forces on the members sum up to, of each elastic index.
    template <class Force>
    void add_forces(const Force& force) {
        for (const RigidParts::Member& member : of.members)
            residual[member.part] += member.moment(to_double(force(member.elastic)));
    }
    /// The first direction of search is the preconditioned residual r; writes it for the members, and returns
    /// rᵀM⁻¹r.
    double begin_search(View<Packed4> direction);
    DirectionProducts multiply(const Device& device, const LinearResponse& response);
    double advance(double step, double turn, View<Packed4> direction);

    std::size_t bytes() const {
        return of.members.capacity() * (sizeof(RigidParts::Member) + sizeof(Vec3f)) +
               solution.capacity() * (4 * sizeof(Twist) + sizeof(RigidParts::Part));
    }

private:
    void write(View<Packed4> direction) const;

    std::vector<Twist> search_, product_;
    std::vector<Vec3f> pull_;  ///< on each member
};

}  // namespace thixo
