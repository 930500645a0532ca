#pragma once

#include <vector>

#include "lattice/lattice_momentum.h"
#include "lattice/lattice_system.h"

namespace thixo {

/// Steps of lattice solids that the elastic wave does not limit: accelerations are those that
///
///     (M + α K + ½ Δt C) a = F(x, v) − θ Δt K v
///
/// gives, with the lattice points as they are in this step and K of `LatticeStiffness`
/// (docs/theory/lattice.md, "Implicit steps"). Conjugate gradients, without a matrix.
class ImplicitLattice {
public:
    ImplicitLattice(double tolerance, int most_iterations, const LatticeScheme& scheme)
        : scheme_(scheme), tolerance_(tolerance), most_iterations_(most_iterations) {}

    /// Begins a step: `acceleration` is what all forces give, `outside` what all but those of lattices do,
    /// which have the momentum and the angular momentum: between particles of a stiff lattice forces are so
    /// large that their rounding is seen in the sum.
    void begin(const Device& device, const LatticeSolids& solids, const ParticleTable& particles,
               View<const Vec3f> acceleration, View<const Vec3f> outside);

    /// Puts the accelerations of a kick of `kick` s, followed by a drift of `dt` s, in place of those of the
    /// rows of lattices; may be called again for another step. Kinematic rows keep theirs.
    void solve(const Device& device, LatticeSolids& solids, const ParticleTable& particles, double kick,
               double dt, View<Vec3f> acceleration);

    int iterations() const { return iterations_; }  ///< of the last step
    std::size_t bytes() const;

private:
    LatticeScheme scheme_;
    LatticeMomentum momentum_;
    double tolerance_;
    int most_iterations_;
    int iterations_ = 0;
    std::vector<Vec3f> free_, outside_;  ///< F/m of each site, by all forces and by those from outside
    std::vector<float> mass_;            ///< of each site; 0 for kinematic ones
    std::vector<Vec3f> a_, r_, product_;
    std::vector<Packed4> p_;
};

/// How lattice solids answer impulses on single particles within an implicit step: as elastic bodies do,
///
///     (M + α K + ½ Δt C) Δv = M Δv*
///
/// Each call continues from the last solution: first by the rigid motions of whole components, which keep
/// momentum and angular momentum, then by some conjugate gradients. What these leave is part of the residual
/// of the next call.
class LatticeResponse {
public:
    LatticeResponse(int most_iterations, const LatticeScheme& scheme)
        : scheme_(scheme), most_iterations_(most_iterations) {}

    /// Begins a solve at velocities as they are, over a step of dt (s).
    void begin(const Device& device, const LatticeSolids& solids, const ParticleTable& particles, double dt);
    /// Begins another one at the velocities that the last one ended with.
    void begin_again(const Device& device);

    /// What `answer` is to take up, N s of each site: callers add to it.
    View<Vec3f> impulses() { return pending_; }
    void answer(const Device& device, LatticeSolids& solids);

    float mass(Index s) const { return mass_[s]; }  ///< kg, 0 for particles that are kinematic
    Vec3f velocity(Index s) const { return start_[s] + change_[s]; }
    /// Sets the velocities of the rows of lattices.
    void write(const Device& device, const LatticeSolids& solids, ParticleTable& particles) const;

    /// Takes the impulses from records (x, ·), (V⁰v, ·) of each row, which solvers have changed since `begin`
    /// or the last call, and writes the velocities of the answer into them (core/impulse_passes.h).
    /// `position_volume`: V⁰ of each row in w.
    void spread(const Device& device, LatticeSolids& solids, const Packed4* position_volume,
                View<Packed4> records);

    int iterations() const { return iterations_; }  ///< since `begin`
    std::size_t bytes() const;

private:
    LatticeScheme scheme_;
    int most_iterations_;
    int iterations_ = 0;
    double alpha_ = 0, half_step_ = 0;
    LatticeMomentum momentum_;
    std::vector<std::uint8_t> held_;   ///< whether a site is kinematic
    std::vector<float> mass_;          ///< of each site; 0 for those that do not take part
    std::vector<Vec3f> start_, last_;  ///< velocities at the beginning, and as they were given back
    std::vector<Vec3f> pending_;       ///< impulses that `answer` takes up, N s
    std::vector<Vec3f> change_, r_;    ///< Δv; residual, N s
    std::vector<Vec3f> total_;         ///< all impulses, N s
    std::vector<Vec3f> product_;
    std::vector<Packed4> p_;
};

}  // namespace thixo
