#pragma once

#include <vector>

#include "elastic/body_momentum.h"
#include "elastic/elastic_system.h"

namespace thixo {

/// How elastic bodies answer impulses on single particles within an implicit step. What would change
/// velocities of free particles by Δv* changes those of the body by
///
///     (M + α K + ½ Δt C) Δv = M Δv*
///
/// the same inertia that accelerations have in such a step: stiff bodies answer as a whole. A solver of
/// impulses calls `answer` behind each change it makes, so that what it solves for is the response of the
/// bodies; impulses do no work in this norm but what they are for.
///
/// Each call continues from the last solution, first by the rigid motions of whole bodies, which keep
/// momentum and angular momentum, then by some conjugate gradients. What these leave is part of the residual
/// of the next call.
class ImpulseResponse {
public:
    ImpulseResponse(const ElasticMethods& methods, const ImplicitScheme& scheme)
        : scheme_(scheme), most_iterations_(methods.elasticity_iterations) {}

    /// Begins a solve at velocities as they are, over a step of dt (s).
    void begin(const Device& device, const ElasticBodies& bodies, const ParticleTable& particles, double dt,
               RigidParts rigid = {});
    /// Begins another one at the velocities that the last one ended with.
    void begin_again(const Device& device);

    /// What `answer` is to take up, N s of each index: callers add to it.
    View<Vec3f> impulses() { return pending_; }
    void answer(const Device& device, ElasticBodies& bodies);

    float mass(Index s) const {
        return mass_[s];
    }  ///< kg, 0 for particles that are kinematic or of a rigid part
    Vec3f velocity(Index s) const { return start_[s] + change_[s]; }
    /// The rigid parts of `begin`.
    const RigidParts& rigid() const { return rigid_.of; }
    /// An impulse that would change the motion of a free part by that much, for `answer` to take up.
    void push(Index part, const Twist& change) {
        const Twist impulse = rigid_.of.times_mass(part, change);
        rigid_.residual[part] += impulse;
        part_total_[part] += impulse;
    }
    /// By how much the motion of a part has changed since `begin`.
    Twist part_change(Index part) const {
        Twist out = earlier_[part];
        return out += rigid_.solution[part];
    }
    /// Sets the velocities of elastic rows.
    void write(const Device& device, const ElasticBodies& bodies, ParticleTable& particles) const;

    /// All of it for solvers that work on records (x, ·), (V⁰v, ·) of each row: what changed there since
    /// `begin` or the last call becomes an impulse, and the velocity the answer. `position_volume`: V⁰ of
    /// each row in w.
    void spread(const Device& device, ElasticBodies& bodies, const Packed4* position_volume,
                View<Packed4> records);

    int iterations() const { return iterations_; }  ///< since `begin`
    std::size_t bytes() const;

private:
    void keep_momentum(const Device& device);

    ImplicitScheme scheme_;
    int most_iterations_;
    int iterations_ = 0;
    double alpha_ = 0, half_step_ = 0;
    BodyMomentum momentum_;
    RigidRows rigid_;
    std::vector<Twist> part_total_;    ///< all impulses on a part
    std::vector<Twist> earlier_;       ///< changes of parts before `begin_again`
    std::vector<std::uint8_t> held_;   ///< whether an index is kinematic
    std::vector<float> mass_;          ///< of each index; 0 for those that do not take part
    std::vector<Vec3f> start_, last_;  ///< velocities at the beginning, and as they were given back
    std::vector<Vec3f> pending_;       ///< impulses that `answer` takes up, N s
    std::vector<Vec3f> change_, r_;    ///< Δv; residual, N s
    std::vector<Vec3f> total_;         ///< all impulses, N s
    std::vector<Vec3f> product_;
    std::vector<Packed4> p_;
};

}  // namespace thixo
