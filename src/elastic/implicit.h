#pragma once

#include <vector>

#include "elastic/body_momentum.h"
#include "elastic/elastic_system.h"

namespace thixo {

/// Steps of elastic bodies that the elastic wave does not limit: accelerations are those that
///
///     (M + α K + ½ Δt C) a = F(x, v) − θ Δt K v,   α = (β + ½ θ) Δt²
///
/// gives, with F all forces, K and C stiffness and damping of the corotated linear model with the rotations
/// of this step. Put into leapfrog this is Newmark's method, and θ adds a damping that grows with the
/// frequency times the step ([theory](docs/theory/implicit_elasticity.md)). Conjugate gradients, without a
/// matrix.
class ImplicitElasticity {
public:
    explicit ImplicitElasticity(const ElasticMethods& methods, const ImplicitScheme& scheme = for_forces());

    /// Where all that acts on bodies is a force.
    static ImplicitScheme for_forces();
    /// Where impulses that are solved for act on them as well (`ImpulseResponse`).
    static ImplicitScheme for_impulses();

    /// Begins a step: `acceleration` is what all forces give.
    void begin(const Device& device, const ElasticBodies& bodies, const ParticleTable& particles,
               View<const Vec3f> acceleration, RigidParts rigid = {});

    /// Puts the accelerations of a kick of `kick` s, followed by a drift of `dt` s, in place of those of the
    /// elastic rows; may be called again for another step. Kinematic rows keep theirs.
    void solve(const Device& device, ElasticBodies& bodies, const ParticleTable& particles, double kick,
               double dt, View<Vec3f> acceleration);

    /// The parts of `begin`, and by how much more they are accelerated than the forces on them give.
    const RigidRows& rigid() const { return rigid_; }

    /// Where the search for the next accelerations starts, in the order of indices; part of the state.
    const std::vector<Vec3f>& guess() const { return a_; }
    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        visit("elastic_guess", self.a_, StateOrder::listed);
    }

    int iterations() const { return iterations_; }  ///< of the last step
    std::size_t bytes() const;

private:
    void keep_momentum(const Device& device);

    RigidRows rigid_;  ///< what accelerates them beside the forces they feel

    ImplicitScheme scheme_;
    BodyMomentum momentum_;
    double tolerance_;
    int most_iterations_;
    int iterations_ = 0;
    std::vector<Vec3f> free_;     ///< F/m of each index
    std::vector<float> mass_;     ///< of each index; 0 for kinematic ones
    std::vector<Vec3f> a_, r_;    ///< solution; residual, N
    std::vector<Vec3f> product_;  ///< −(α K + ½ Δt C) p
    std::vector<Packed4> p_;      ///< direction of search
};

}  // namespace thixo
