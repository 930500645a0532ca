#include "lattice/bond_forces.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/eight.h"

namespace thixo {

namespace {

/// R l of eight rotations, given by their quaternions.
Vec3<Lanes> turned(const PackedLanes& q, const Vec3<Lanes>& l) {
    const Vec3<Lanes> t = cross(q.xyz, l) * spread<Lanes>(2.f);
    return l + t * q.w + cross(q.xyz, t);
}

Mat3f rotation_of(const SiteMotion& motion) {
    const Packed4& q = motion.rotation;
    return matrix(Quaternion<float>{{q.x, q.y, q.z}, q.w});
}

Vec3f vector(const Packed4& a) { return {a.x, a.y, a.z}; }

}  // namespace

/// Those at eight lattice points of s.
struct BondForces::Hands {
    alignas(32) Index sites[lane_count];  ///< s itself where there is none
    LaneMask out;                         ///< a particle is there
    LaneMask back;                        ///< and has s at the opposite point
};

BondForces::Hands BondForces::hands_of(Index s, Index p) const {
    Hands hands;
    const LaneMask entries = load(docked.of(s) + p);
    hands.out = entries >= 0;
    const LaneMask sites = hands.out ? entries : LaneMask{} + static_cast<std::int32_t>(s);
    __builtin_memcpy(hands.sites, &sites, sizeof sites);
    LaneMask theirs;
    for (Index l = 0; l < lane_count; ++l) {
        const Index opposite = p + l < points.count() ? points.opposite(p + l) : 0;
        theirs[l] = static_cast<std::int32_t>(docked.of(hands.sites[l])[opposite]);
    }
    hands.back = hands.out & (theirs == static_cast<std::int32_t>(s));
    return hands;
}

/// What candidates within reach exert that have not docked on each other at opposite points.
Vec3f BondForces::odd_pairs(Index s) const {
    const SiteMotion& own = motion[s];
    Vec3f force{};
    for (Index k = 0; k < near_count[s]; ++k) {
        const Index j = near[begin[s] + k];
        const SiteMotion& other = motion[j];
        const Index mine = docked.point(s, j), theirs = docked.point(j, s);
        const bool docks = mine < points.count(), is_docked = theirs < points.count();
        if (docks && is_docked && theirs == points.opposite(mine)) continue;
        const Vec3f d = vector(other.position) - vector(own.position);
        const float distance = norm(d);
        const Vec3f push =
            d * (-0.5f * std::max(0.f, spacing - distance) / std::max(distance, 1e-6f * spacing));
        if (!docks) force += push * own.position.w;
        if (!is_docked) {
            force += push * other.position.w;
            continue;
        }
        const Vec3f rest = rotation_of(other) * points.point(theirs) * spacing;
        force += (rest + d) * (0.5f * other.position.w);
        if (damped)
            force +=
                (vector(other.velocity) - cross(vector(other.spin), d) - vector(v[s])) * other.velocity.w;
    }
    return force;
}
Vec3f BondForces::operator()(Index s) const {
    const SiteMotion& own = motion[s];
    const Mat3<Lanes> r = spread(rotation_of(own));
    const Vec3<Lanes> x = spread(own.position), self_v = spread(v[s]);
    const float pull_limit = torn ? constants[material[s]].breaking_pull : 0;
    Vec3<Lanes> springs{}, brakes{};
    unsigned both_ways = 0, overloaded = 0;
    for (Index p = 0; p < points.lanes(); p += lane_count) {
        const Hands hands = hands_of(s, p);
        both_ways |= bits(hands.back) << p;
        const auto gathered = [&](Index k) { return gather<4>(&motion->position + k, hands.sites); };
        const PackedLanes other = gathered(0);
        const Vec3<Lanes> d = other.xyz - x, l = points.points(p) * spread<Lanes>(spacing);
        const Lanes zero{};
        const Vec3<Lanes> spring = (d - r * l) * (hands.out ? zero + own.position.w : zero) +
                                   (d - turned(gathered(1), l)) * (hands.back ? other.w : zero);
        springs += spring;
        if (torn) {
            const Lanes pull = 0.5f * dot(spring, d) / square_root(larger(norm2(d), zero + 1e-30f));
            overloaded |= bits(hands.out & (pull > pull_limit)) << p;
        }
        if (damped) {
            const PackedLanes rigid = gathered(2);
            brakes += (rigid.xyz - cross(gathered(3).xyz, d) - self_v) * (hands.back ? rigid.w : zero);
        }
    }
    if (torn) torn[s] = static_cast<std::uint16_t>(overloaded);
    Vec3f force = sum(springs) * 0.5f;
    if (damped) force += sum(brakes) + (vector(own.velocity) - vector(v[s])) * own.velocity.w;
    if (static_cast<Index>(std::popcount(both_ways)) != near_count[s]) force += odd_pairs(s);
    return force;
}

double BondForces::energy_of(Index s, double distance) const {
    const SiteMotion& own = motion[s];
    const Packed4& q = own.rotation;
    const Mat3d r = matrix(normalized(Quaternion<double>{{q.x, q.y, q.z}, q.w}));
    double sum = 0;
    for (Index k = 0; k < near_count[s]; ++k) {
        const Index j = near[begin[s] + k];
        const Index p = docked.point(s, j);
        const Vec3d d = to_double(vector(motion[j].position)) - to_double(vector(own.position));
        const double pressed = std::max(0., distance - norm(d));
        sum += p < points.count() ? norm2(d - r * to_double(points.point(p)) * distance) : pressed * pressed;
    }
    return 0.25 * own.position.w * sum;
}

double BondForces::energy(const Device& device, Index sites, double distance) const {
    return reduce_sum(device, sites, [this, distance](Index s) { return energy_of(s, distance); });
}

void BondForces::add(const Device& device, const LatticeSites& sites, View<Vec3f> acceleration) const {
    launch<site_grain>(
        device, sites.size(),
        [=, forces = *this, row = View<const Index>(sites.row), m = View<const float>(sites.mass)](Index s) {
            if (row[s] != LatticeSites::vacant) acceleration[row[s]] += forces(s) / m[s];
        });
}

}  // namespace thixo
