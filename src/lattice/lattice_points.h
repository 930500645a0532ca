#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/mat3.h"
#include "core/simd.h"

namespace thixo {

/// Most lattice points next to one, and room for them in whole lanes.
inline constexpr Index most_points = 12, most_point_lanes = 16;

/// The lattice points nearest to eight places.
struct NearestPoints {
    Vec3<Lanes> numbers;  ///< (i, j, k)
    Lanes distance2;      ///< to them, in D²
};

/// The closest packed lattice of [WHP06, eq. 1] around one of its points, in units of the distance D of
/// nearest neighbours: points (i, j, k) · pitch with i + j + k even. In 2D, where k = 0, it is hexagonal with
/// 6 points next to the origin; in 3D cubic closest packed with 12. Those are numbered such that point s and
/// `count − 1 − s` are opposite each other.
class LatticePoints {
public:
    explicit LatticePoints(int dimensions);

    Index count() const { return count_; }
    Index lanes() const { return (count_ + lane_count - 1) / lane_count * lane_count; }
    Index opposite(Index s) const { return count_ - 1 - s; }
    Vec3f point(Index s) const { return {x_[s], y_[s], z_[s]}; }

    /// Points s, s + 1, …, s + 7; the origin for numbers from `count` on.
    Vec3<Lanes> points(Index s) const { return {load(&x_[s]), load(&y_[s]), load(&z_[s])}; }

    /// The exactly nearest point of the whole lattice, after Conway and Sloane (1982): the nearest point of
    /// the rectangular grid, and where that is none of the lattice, the one that a single step to the second
    /// nearest number of one coordinate leads to: the cheapest step, which costs pitch² (1 − 2|δ|). Any other
    /// point of the lattice is at least such a step away.
    NearestPoints nearest(const Vec3<Lanes>& y) const {
        const Vec3<Lanes> u{y.x * inverse_pitch_.x, y.y * inverse_pitch_.y, y.z * inverse_pitch_.z};
        Vec3<Lanes> n{nearest_whole(u.x), nearest_whole(u.y), nearest_whole(u.z)};
        const Vec3<Lanes> delta = u - n;
        const Vec3<Lanes> cost{step_cost(delta.x, pitch2_.x), step_cost(delta.y, pitch2_.y),
                               step_cost(delta.z, step_cost_z_)};
        const Lanes half = (n.x + n.y + n.z) * 0.5f, none{};
        const LaneMask odd = half != nearest_whole(half);
        const LaneMask by_x = odd & (cost.x <= cost.y) & (cost.x <= cost.z);
        const LaneMask by_y = odd & ~by_x & (cost.y <= cost.z);
        const LaneMask by_z = odd & ~by_x & ~by_y;
        n += {by_x ? towards(delta.x) : none, by_y ? towards(delta.y) : none, by_z ? towards(delta.z) : none};
        const Vec3<Lanes> e = u - n;
        return {n, pitch2_.x * e.x * e.x + pitch2_.y * e.y * e.y + pitch2_.z * e.z * e.z};
    }

    /// Whether lattice points are next to the origin.
    LaneMask next_to_origin(const Vec3<Lanes>& n) const {
        const Lanes d2 = pitch2_.x * n.x * n.x + pitch2_.y * n.y * n.y + pitch2_.z * n.z * n.z;
        return (d2 > 0.9f) & (d2 < 1.1f);
    }

    /// The place of lattice points next to the origin in the table of their numbers.
    template <class T>
    static T table_place(const Vec3<T>& n) {
        return (n.x + 2) + 5 * (n.y + 1) + 15 * (n.z + 1);
    }
    Index number(int table_place) const { return number_[static_cast<std::size_t>(table_place)]; }

private:
    static Lanes step_cost(Lanes delta, float pitch2) { return pitch2 * (1 - 2 * larger(delta, -delta)); }
    static Lanes towards(Lanes delta) {
        const Lanes one = spread<Lanes>(1.f);
        return delta < 0 ? -one : one;
    }

    Index count_;
    Vec3f inverse_pitch_, pitch2_;
    float step_cost_z_;  ///< pitch², or in 2D so much that no step leads out of the plane
    std::array<float, most_point_lanes> x_{}, y_{}, z_{};
    std::array<std::uint8_t, 45> number_{};
};

/// What the lattice points that are taken, as bits of a number, are like: Q = Σ l lᵀ and G, its inverse.
/// Where they lie in a plane or on a line, G = (Q + 0.01 I)⁻¹, which leaves out what they do not determine.
/// In units of D.
struct PointMoments {
    Sym3f moment, inverse;
};

/// In 2D there is this much besides along z, so that nothing turns or stretches out of the plane.
inline constexpr float out_of_plane = 16;

/// Of all sets of lattice points, by their bits.
std::vector<PointMoments> moments_of_sets(const LatticePoints& points, int dimensions);

}  // namespace thixo
