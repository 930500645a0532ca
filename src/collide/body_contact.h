#pragma once

#include <vector>

#include "core/launch.h"
#include "core/simd.h"
#include "particles/table.h"
#include "sph/neighbours.h"

namespace thixo {

/// The particles of solid bodies that have strangers of other bodies within reach, and who those are. A member is a row that has
/// such a neighbour; members are in the order of the rows.
struct ContactPairs {
    std::vector<Index> row;    ///< of each member
    std::vector<Index> begin;  ///< of each member's strangers, and behind the last
    std::vector<Index> other;  ///< members

    Index size() const { return static_cast<Index>(row.size()); }
};

/// Where the members are, how fast, and how near others may come: what contact works on.
struct ContactState {
    std::vector<Packed4> position;  ///< x; w: how much farther apart than at rest its surroundings are, ≥ 1
    std::vector<Packed4> velocity;  ///< v; w: 1/m

    Vec3f x(Index a) const { return {position[a].x, position[a].y, position[a].z}; }
    Vec3f v(Index a) const { return {velocity[a].x, velocity[a].y, velocity[a].z}; }
};

/// Smallest distance of two points on the way x + t v, 0 ≤ t ≤ dt.
float nearest_approach(const Vec3f& x, const Vec3f& v, float dt);

/// The last resort against fast impacts: solids do not pass through each other, however fast they meet. Changes velocities before
/// the positions follow them, so that particles of different bodies (or far apart in one body) end no nearer than
/// `soft_distance` spacings:
///
///     n·(vᵢ − vⱼ) + (|xᵢⱼ| − d)/Δt ≥ 0   ⊥   λᵢⱼ ≥ 0,   vᵢ = vᵢ* + Σⱼ λᵢⱼ n/mᵢ,   n = xᵢⱼ/|xᵢⱼ|
///
/// Impulses λ act along the line of centres, equal and opposite: momentum and angular momentum stay. They are found by projected
/// Jacobi steps with Nesterov's momentum in gather form: both ends of a pair keep its impulse and change it by the same bits. What
/// is then still on its way to less than `hard_distance` is frozen into zones that move rigidly (impact_zones.h): that
/// always succeeds. docs/theory/contact.md tells why nothing gets through.
class BodyContact {
public:
    BodyContact(double spacing, double support);

    /// Takes up the pairs of solids in the lists; to be called whenever those have changed.
    void collect(const Device& device, const ParticleTable& particles, const Neighbours& neighbours);

    /// Rows that could touch somebody.
    View<const Index> rows() const { return pairs_.row; }
    bool empty() const { return pairs_.row.empty(); }

    /// Changes the velocities of `rows`, whose surroundings are `stretch` times as wide as at rest. Returns whether it had to.
    /// `mass` is that of each row: what somebody holds can be told to be as good as immovable.
    bool solve(const Device& device, ParticleTable& particles, View<const float> mass,
               View<const float> stretch, double dt);

    /// The farthest that a particle may move in a step (m): two that are not listed cannot meet then.
    double longest_way() const;

    int iterations() const { return iterations_; }  ///< of the last step
    Index frozen() const { return frozen_; }        ///< members of rigid zones in the last step
    std::size_t bytes() const;

private:
    /// One end of a pair that may touch in this step.
    struct Touch {
        Index other;
        Vec3f n;               ///< from the other to this one
        float bound;           ///< n·(vᵢ − vⱼ) + bound ≥ 0, m/s
        float impulse, ahead;  ///< λ, and where its momentum leads (N s)
    };
    /// What is left to do.
    struct Excess {
        float depth = 0;       ///< how far the worst pair would go too far (m)
        bool crosses = false;  ///< some pair comes nearer than the hard distance
    };

    void gather_state(const Device& device, const ParticleTable& particles, View<const float> mass,
                      View<const float> stretch);
    Excess find_touches(const Device& device, float dt);
    void apply(const Device& device, float Touch::*impulse);
    int iterate(const Device& device, float dt);

    double support_;
    float spacing_;
    float most_stretch_;
    ContactPairs pairs_;
    ContactState state_;
    std::vector<Touch> touches_;         ///< of member a from pairs_.begin[a] on
    std::vector<Index> touch_count_;     ///< of each member
    std::vector<Vec3f> start_velocity_;  ///< v*
    int iterations_ = 0;
    Index frozen_ = 0;
};

}  // namespace thixo
