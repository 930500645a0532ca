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

/// Contact constraint for fast impacts: solids do not pass through each other at any speed.
/// Changes velocities before the positions follow them, so that particles of different bodies (or far apart
/// in one body) end no nearer than `soft_distance` spacings:
///
///     n·(vᵢ − vⱼ) + (|xᵢⱼ| − d)/Δt ≥ 0   ⊥   λᵢⱼ ≥ 0,   vᵢ = vᵢ* + Σⱼ λᵢⱼ n/mᵢ,   n = xᵢⱼ/|xᵢⱼ|
///
/// Links near contact pairs are kept too short for a particle to pass between them: the same condition with n
/// and the gap reversed. Impulses λ act along the line of centres, equal and opposite: momentum and angular
/// momentum are conserved. They are solved by projected Jacobi steps with Nesterov momentum in gather form:
/// both ends of a pair store its impulse and change it by the same bits. Pairs that after friction
/// (body_friction.h) would still come closer than `hard_distance`, and links that would become too long, are
/// joined into rigid impact zones (impact_zones.h), which always succeeds. Proof: docs/theory/contact.md.
class BodyContact {
public:
    BodyContact(const std::vector<Material>& materials, const Discretisation& discretisation);

    /// Collects the contact pairs of solids from the neighbour lists; call it when the lists have changed.
    void collect(const Device& device, const ParticleTable& particles, const Neighbours& neighbours);

    /// Rows with contact pairs, in the order in which they were collected.
    View<const Index> rows() const { return {pairs_.row.data(), meeting_}; }
    bool empty() const { return pairs_.row.empty(); }

    /// Sets the links of `rows`, in their order: stretched links increase the contact distance and are not
    /// stretched further.
    void link(const RestLinks& links);

    /// Changes velocities, on which pressure has acted for `kick` seconds. Returns whether any changed.
    /// `mass` is that of each row; infinite where the motion is prescribed.
    bool solve(const Device& device, ParticleTable& particles, View<const float> mass, double kick, double dt,
               const BodyAnswer& answer = {});

    /// Largest motion of a particle in a step (m), such that pairs outside the lists cannot touch.
    double longest_way() const;

    int iterations() const { return iterations_; }  ///< of the last step
    const BodyFriction& friction() const { return friction_; }
    Index frozen() const { return frozen_; }  ///< members of rigid zones in the last step
    std::size_t bytes() const;

private:
    static constexpr Index no_member = std::numeric_limits<Index>::max();

    /// One end of a pair that may touch in this step, or of a link that may get too long.
    struct Touch {
        Index other;
        Vec3f n;               ///< direction of the impulse: away from the other, or for a link towards it
        float bound;           ///< n·(vᵢ − vⱼ) + bound ≥ 0, m/s
        float impulse, ahead;  ///< λ, and its extrapolation by Nesterov momentum (N s)
    };
    /// Residual.
    struct Excess {
        float depth = 0;       ///< largest violation (m)
        bool crosses = false;  ///< some pair exceeds the hard limits
    };

    void gather_state(const Device& device, const ParticleTable& particles, View<const float> mass);
    std::optional<Touch> meeting(Index a, Index b, float dt) const;
    std::optional<Touch> strain(Index a, Index b, float length, float dt) const;
    Index first_touch(Index a) const { return pairs_.begin[a] + pairs_.link_begin[a]; }
    Excess find_touches(const Device& device, float dt);
    void apply(const Device& device, float Touch::*impulse, const BodyAnswer& answer);
    int iterate(const Device& device, float dt, const BodyAnswer& answer);
    void tell_impulses(const Device& device);

    double support_;
    ContactLimits limits_;
    ContactPairs pairs_;
    Index meeting_ = 0;          ///< members with contact pairs
    std::vector<Index> member_;  ///< number of each row, or `no_member`
    ContactState state_;
    std::vector<Touch> touches_;         ///< of member a from first_touch(a) on
    std::vector<Index> touch_count_;     ///< of each member
    std::vector<Vec3f> start_velocity_;  ///< v*
    std::vector<float> stretch_;         ///< of each member, before it is exchanged
    BodyFriction friction_;
    std::vector<float> pushed_;  ///< λ of each contact pair
    int iterations_ = 0;
    Index frozen_ = 0;
};

}  // namespace thixo
