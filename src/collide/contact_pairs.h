#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "core/simd.h"
#include "core/vec.h"
#include "core/view.h"

namespace thixo {

/// Contact pairs of solid particles, and the links of their bodies that other particles must not pass
/// through. Members are the rows with contact pairs, in row order, followed by the rows they are linked with.
struct ContactPairs {
    std::vector<Index> row;            ///< of each member
    std::vector<Index> begin{0};       ///< of each member's contact pairs, and behind the last
    std::vector<Index> other;          ///< members
    std::vector<Index> link_begin{0};  ///< of each member's links, and behind the last
    std::vector<Index> linked;         ///< members
    std::vector<float> length;         ///< of each link at rest, m

    Index size() const { return static_cast<Index>(row.size()); }
};

/// Position, velocity and contact distance of the members.
struct ContactState {
    std::vector<Packed4> position;  ///< x; w: stretch of the neighbourhood, ≥ 1
    std::vector<Packed4> velocity;  ///< v; w: 1/m, 0 where the motion is prescribed

    Vec3f x(Index a) const { return {position[a].x, position[a].y, position[a].z}; }
    Vec3f v(Index a) const { return {velocity[a].x, velocity[a].y, velocity[a].z}; }
    float stretch(Index a, Index b) const { return std::max(position[a].w, position[b].w); }
};

/// How bodies answer impulses on their particles, where these do not move alone (implicit elasticity). Empty:
/// they do.
struct BodyAnswer {
    /// A solve begins, at velocities as they are.
    std::function<void()> begin;
    /// `velocity` is `start` and what all impulses of the solve so far give free particles, of the members
    /// with these rows; it becomes that of their bodies.
    std::function<void(View<const Index> row, View<const Vec3f> start, View<Packed4> velocity)> change;
    /// All solves have ended: sets the velocities of rows that are not members.
    std::function<void()> end;
};

/// Limits of contact distances and of the stretch of links.
struct ContactLimits {
    ContactLimits(double spacing, double support);  ///< both in m

    float spacing;       ///< m
    float most_stretch;  ///< largest stretch that increases the contact distance: the lists reach no farther
    float soft_stretch, hard_stretch;  ///< of links near contact pairs
};

/// Smallest distance of two points on the way x + t v, 0 ≤ t ≤ dt.
float nearest_approach(const Vec3f& x, const Vec3f& v, float dt);

}  // namespace thixo
