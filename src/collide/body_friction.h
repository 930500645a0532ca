#pragma once

#include <vector>

#include "collide/contact_pairs.h"
#include "core/mat3.h"
#include "particles/material.h"
#include "particles/table.h"
#include "sph/discretisation.h"

namespace thixo {

/// Coulomb's friction between solids that touch. Strangers i and j are pressed together by the impulse of their pressures and that
/// of the contact constraint,
///
///     Nᵢⱼ = (Δt V⁰ᵢ V⁰ⱼ (pᵢ/sᵢ² + pⱼ/sⱼ²) |W'ᵢⱼ| + λᵢⱼ) max(0, n·m),   m = (Pᵢ − Pⱼ)/|Pᵢ − Pⱼ|
///     |Jᵢⱼ| ≤ μ Nᵢⱼ, J ⊥ m against the sliding,   μ = √(μᵢ μⱼ)
///     |Aᵢⱼ| ≤ μ Nᵢⱼ, A ∥ m against coming and going, where less is enough ρ₀c ℓ² Δt m·(vᵢ − vⱼ) for all pairs of a particle
///
/// P is the sum of what presses a particle, and m so the normal of the surface that both meet at, unlike the line of centres n, which
/// leads over the bumps of a lattice. A absorbs what hits the surface, as matter of its sound speed c would: pressure alone gives
/// all back, and what lies on something would rattle on, and creep. Both impulses act half-way between the particles: what lacks
/// of their moment at the centres goes to each one's links as a couple, so that momentum and angular momentum stay. Both ends
/// of a pair compute them by the same bits.
class BodyFriction {
public:
    BodyFriction(const std::vector<Material>& materials, const Discretisation& discretisation);

    /// Changes the velocities of the state after `kick` seconds of pressure and, in the order of the pairs' strangers, the
    /// impulses `pushed` (N s). Returns whether it had to.
    bool solve(const Device& device, const ParticleTable& particles, const ContactPairs& pairs,
               View<const float> pushed, double kick, double dt, ContactState& state);

    int iterations() const { return iterations_; }  ///< of the last step
    std::size_t bytes() const;

private:
    /// One end of a pair that is pressed together.
    struct Rub {
        Index other;
        Vec3f n;        ///< from the other to this one, then normal of the surface
        float most;     ///< N without n·m, then μ N (N s)
        Vec3f absorb;   ///< A on this one
        Vec3f impulse;  ///< J on this one
    };

    bool press(const Device& device, const ParticleTable& particles, const ContactPairs& pairs,
               View<const float> pushed, double kick, const ContactState& state);
    void limit(const Device& device, const ParticleTable& particles, const ContactPairs& pairs,
               const ContactState& state);
    void absorb(const Device& device, const ParticleTable& particles, const ContactPairs& pairs,
                const ContactState& state, double dt);
    void weigh_links(const Device& device, const ContactPairs& pairs, const ContactState& state);
    float rub(const Device& device, const ContactPairs& pairs, const ContactState& state);
    void apply(const Device& device, const ContactPairs& pairs, ContactState& state);

    Discretisation discretisation_;
    float spacing_;
    bool any_ = false;                                     ///< material has friction
    std::vector<float> density_, friction_, sound_speed_;  ///< ρ₀, μ and c of each material
    std::vector<Rub> rubs_;                                ///< of member a from pairs.begin[a] on
    std::vector<Index> count_;                             ///< of each member
    std::vector<Vec3f> pressed_;                           ///< P of each member, N s
    std::vector<float> give_;                              ///< Σ μ N / m of each member, m/s
    std::vector<Mat3f> lever_;         ///< a couple on the links of each member, by the moment it has
    std::vector<Vec3f> sum_, couple_;  ///< of the impulses on each member; what turns its links
    std::vector<Vec3f> start_;         ///< velocity of each member without friction
    int iterations_ = 0;
};

}  // namespace thixo
