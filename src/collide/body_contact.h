#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "collide/body_friction.h"
#include "collide/contact_pairs.h"
#include "core/launch.h"
#include "particles/rest_links.h"
#include "particles/table.h"
#include "sph/neighbours.h"

namespace thixo {

/// The last resort against fast impacts: solids do not pass through each other, however fast they meet. Changes velocities before
/// the positions follow them, so that particles of different bodies (or far apart in one body) end no nearer than
/// `soft_distance` spacings:
///
///     n·(vᵢ − vⱼ) + (|xᵢⱼ| − d)/Δt ≥ 0   ⊥   λᵢⱼ ≥ 0,   vᵢ = vᵢ* + Σⱼ λᵢⱼ n/mᵢ,   n = xᵢⱼ/|xᵢⱼ|
///
/// and the links around them no longer than somebody could slip through: the same with n and the gap turned round.
/// Impulses λ act along the line of centres, equal and opposite: momentum and angular momentum stay. They are found by projected
/// Jacobi steps with Nesterov's momentum in gather form: both ends of a pair keep its impulse and change it by the same bits. What
/// is, after friction (body_friction.h), still on its way to less than `hard_distance`, or to a link that is too long, is frozen into zones that move rigidly
/// (impact_zones.h): that always succeeds. docs/theory/contact.md tells why nothing gets through.
class BodyContact {
public:
    BodyContact(const std::vector<Material>& materials, const Discretisation& discretisation);

    /// Takes up the pairs of solids in the lists; to be called whenever those have changed.
    void collect(const Device& device, const ParticleTable& particles, const Neighbours& neighbours);

    /// Rows that could touch somebody, as they were collected.
    View<const Index> rows() const { return {pairs_.row.data(), meeting_}; }
    bool empty() const { return pairs_.row.empty(); }

    /// Takes up the links of `rows`, in their order: what is stretched keeps others farther away, and is not stretched on.
    void link(const RestLinks& links);

    /// Changes velocities, which pressure acted on for `kick` seconds. Returns whether it had to. `mass` is that of each row: what
    /// somebody holds can be told to be as good as immovable.
    bool solve(const Device& device, ParticleTable& particles, View<const float> mass, double kick,
               double dt);

    /// The farthest that a particle may move in a step (m): two that are not listed cannot meet then.
    double longest_way() const;

    int iterations() const { return iterations_; }  ///< of the last step
    const BodyFriction& friction() const { return friction_; }
    Index frozen() const { return frozen_; }  ///< members of rigid zones in the last step
    std::size_t bytes() const;

private:
    static constexpr Index nobody = std::numeric_limits<Index>::max();

    /// One end of a pair that may touch in this step, or of a link that may get too long.
    struct Touch {
        Index other;
        Vec3f n;               ///< where this one is pushed: from the other, or for a link towards it
        float bound;           ///< n·(vᵢ − vⱼ) + bound ≥ 0, m/s
        float impulse, ahead;  ///< λ, and where its momentum leads (N s)
    };
    /// What is left to do.
    struct Excess {
        float depth = 0;       ///< how far the worst pair would go too far (m)
        bool crosses = false;  ///< some pair goes beyond the hard limits
    };

    void gather_state(const Device& device, const ParticleTable& particles, View<const float> mass);
    std::optional<Touch> meeting(Index a, Index b, float dt) const;
    std::optional<Touch> strain(Index a, Index b, float length, float dt) const;
    Index first_touch(Index a) const { return pairs_.begin[a] + pairs_.link_begin[a]; }
    Excess find_touches(const Device& device, float dt);
    void apply(const Device& device, float Touch::*impulse);
    int iterate(const Device& device, float dt);
    void tell_impulses(const Device& device);

    double support_;
    ContactLimits limits_;
    ContactPairs pairs_;
    Index meeting_ = 0;          ///< members that have strangers
    std::vector<Index> member_;  ///< number of each row, or `nobody`
    ContactState state_;
    std::vector<Touch> touches_;         ///< of member a from first_touch(a) on
    std::vector<Index> touch_count_;     ///< of each member
    std::vector<Vec3f> start_velocity_;  ///< v*
    std::vector<float> stretch_;         ///< of each member, before all know it
    BodyFriction friction_;
    std::vector<float> pushed_;  ///< λ of each pair of strangers
    int iterations_ = 0;
    Index frozen_ = 0;
};

}  // namespace thixo
