#pragma once

#include <algorithm>
#include <vector>

#include "core/simd.h"
#include "core/vec.h"
#include "core/view.h"

namespace thixo {

/// The particles of solid bodies that have strangers of other bodies within reach, who those are, and the links of their own
/// bodies that strangers must not get through. Members are rows that have such a neighbour, in the order of the rows, and behind
/// them those that they are linked with.
struct ContactPairs {
    std::vector<Index> row;            ///< of each member
    std::vector<Index> begin{0};       ///< of each member's strangers, and behind the last
    std::vector<Index> other;          ///< members
    std::vector<Index> link_begin{0};  ///< of each member's links, and behind the last
    std::vector<Index> linked;         ///< members
    std::vector<float> length;         ///< of each link at rest, m

    Index size() const { return static_cast<Index>(row.size()); }
};

/// Where the members are, how fast, and how near others may come: what contact works on.
struct ContactState {
    std::vector<Packed4> position;  ///< x; w: how much farther apart than at rest its surroundings are, ≥ 1
    std::vector<Packed4> velocity;  ///< v; w: 1/m

    Vec3f x(Index a) const { return {position[a].x, position[a].y, position[a].z}; }
    Vec3f v(Index a) const { return {velocity[a].x, velocity[a].y, velocity[a].z}; }
    float stretch(Index a, Index b) const { return std::max(position[a].w, position[b].w); }
};

/// How far solids may come near each other, and their links be stretched.
struct ContactLimits {
    ContactLimits(double spacing, double support);  ///< both in m

    float spacing;  ///< m
    float
        most_stretch;  ///< that counts for the distance of strangers: beyond it, lists do not reach far enough
    float soft_stretch, hard_stretch;  ///< of links beside strangers
};

/// Smallest distance of two points on the way x + t v, 0 ≤ t ≤ dt.
float nearest_approach(const Vec3f& x, const Vec3f& v, float dt);

}  // namespace thixo
