#pragma once

#include <vector>

#include "collide/contact_pairs.h"
#include "core/mat3.h"
#include "particles/material.h"
#include "particles/table.h"
#include "sph/discretisation.h"

namespace thixo {

/// Coulomb friction between solids. The normal impulse of a contact pair i, j is that of its pressures and of
/// the contact constraint,
///
///     Nᵢⱼ = (Δt V⁰ᵢ V⁰ⱼ (pᵢ/sᵢ² + pⱼ/sⱼ²) |W'ᵢⱼ| + λᵢⱼ) max(0, n·m),   m = (Pᵢ − Pⱼ)/|Pᵢ − Pⱼ|
///     |Jᵢⱼ| ≤ μ Nᵢⱼ, J ⊥ m against the sliding,   μ = √(μᵢ μⱼ)
///     |Aᵢⱼ| ≤ μ Nᵢⱼ, A ∥ m against approach and separation, at most ρ₀c ℓ² Δt m·(vᵢ − vⱼ) for all pairs of a particle
///
/// P is the sum of normal impulses on a particle, so m is the normal of the contact surface; the line of
/// centres n follows the bumps of the lattice instead. A absorbs impacts like matter of sound speed c:
/// pressure alone is elastic, and a resting body would vibrate and creep. Both impulses act half-way between
/// the particles: the missing moment about the centres is applied to the links of each particle as a couple,
/// so that momentum and angular momentum are conserved. Both ends of a pair compute them by the same bits.
class BodyFriction {
public:
    BodyFriction(const std::vector<Material>& materials, const Discretisation& discretisation);

    /// Changes the velocities of the state, given `kick` seconds of pressure and the impulses `pushed` (N s)
    /// in the order of the contact pairs. Returns whether any changed.
    bool solve(const Device& device, const ParticleTable& particles, const ContactPairs& pairs,
               View<const float> pushed, double kick, double dt, const BodyAnswer& answer,
               ContactState& state);

    int iterations() const { return iterations_; }  ///< of the last step
    std::size_t bytes() const;

private:
    /// One end of a contact pair with a normal impulse.
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
    std::vector<Vec3f> sum_, couple_;  ///< of the impulses on each member; couple on its links
    std::vector<Vec3f> start_;         ///< velocity of each member without friction
    int iterations_ = 0;
};

}  // namespace thixo
