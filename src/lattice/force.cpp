#include <algorithm>
#include <bit>
#include <cmath>

#include "core/eight.h"
#include "lattice/docked.h"
#include "lattice/lattice_solids.h"
#include "sph/kernels.h"

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

/// Each direction of a pair has its half. Where j docked on i at l it is a spring, otherwise a push [WHP06, eq. 8, 14]:
///
///     F on i = ½ k (xⱼᵢ − Rᵢ l)   or   −½ k max(0, D − |xⱼᵢ|) xⱼᵢ/|xⱼᵢ|
///
/// and −β (vᵢ − v̄ − ω × (xᵢ − c)) by the rigid motion of every neighbourhood that it is a member of.
struct LatticeSolids::ForceOn {
    LatticePoints points;
    float spacing;
    Docked docked;
    const SiteMotion* motion;
    const Packed4* v;
    const std::size_t* begin;
    const Index* near;
    const Index* near_count;
    bool damped;
    const LatticeConstants* constants;
    const std::uint16_t* material;
    std::uint16_t* torn;  ///< or none

    Vec3f operator()(Index s) const {
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

    /// Those at eight lattice points of s.
    struct Hands {
        alignas(32) Index sites[lane_count];  ///< s itself where there is none
        LaneMask out;                         ///< a particle is there
        LaneMask back;                        ///< and has s at the opposite point
    };

    Hands hands_of(Index s, Index p) const {
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
    Vec3f odd_pairs(Index s) const {
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
};

LatticeSolids::ForceOn LatticeSolids::force_on(const std::vector<SiteMotion>& motion,
                                               const std::vector<Packed4>& v) const {
    return {.points = points_,
            .spacing = static_cast<float>(spacing_),
            .docked = {docked_.data(), points_.lanes()},
            .motion = motion.data(),
            .v = v.data(),
            .begin = near_begin_.data(),
            .near = near_.data(),
            .near_count = near_count_.data(),
            .damped = damped_,
            .constants = constants_.data(),
            .material = material_.data(),
            .torn = nullptr};
}

void LatticeSolids::exert(const Device& device, View<Vec3f> acceleration) {
    ForceOn force_at = force_on(motion_, v_);
    if (tears_) force_at.torn = torn_.data();
    launch<site_grain>(device, size(),
                       [=, row = View<const Index>(row_), m = View<const float>(mass_)](Index s) {
                           if (row[s] != vacant) acceleration[row[s]] += force_at(s) / m[s];
                       });
}

Vec3f LatticeSolids::acceleration(const ParticleTable& particles, Index row) const {
    const std::uint32_t s = particles.lattice_index[row];
    return s == no_index ? Vec3f{} : force_on(motion_, v_)(s) / mass_[s];
}

/// A bond that was pulled too hard is gone for either end of it.
void LatticeSolids::tear(const Device& device) {
    launch(device, size(),
           [docked = Docked{docked_.data(), points_.lanes()}, points = points_, rates = View(rates_),
            torn = View<const std::uint16_t>(torn_)](Index s) {
               for (Index p = 0; p < points.count(); ++p) {
                   const std::uint32_t j = docked.of(s)[p];
                   if (j >= failed_draw) continue;
                   const Index theirs = docked.point(j, s);
                   const bool by_other = theirs < points.count() && (torn[j] >> theirs & 1);
                   if ((torn[s] >> p & 1) || by_other) rates[std::size_t{s} * points.count() + p] = -1;
               }
           });
}

bool LatticeSolids::cut_bonds(const Device& device, const ParticleTable& particles, const CutPlane& cut) {
    if (!breakable_) return false;
    const Docked docked{docked_.data(), points_.lanes()};
    return reduce_max(device, size(), 0, [&](Index s) {
               int found = 0;
               for (Index p = 0; p < points_.count(); ++p) {
                   const std::uint32_t j = docked.of(s)[p];
                   if (j == no_index) continue;
                   const Vec3f &x = particles.position[row_[s]],
                               &y = particles.position[row_[j & ~failed_draw]];
                   float& rate = rates_[std::size_t{s} * points_.count() + p];
                   if (rate == 0 || !cut.separates(x, y)) continue;
                   rate = -1;
                   found = 1;
               }
               return found;
           }) != 0;
}

/// U = ¼ k Σᵢ Σⱼ |xⱼᵢ − Rᵢ l|², and ¼ k max(0, D − |xⱼᵢ|)² for those that did not dock.
double LatticeSolids::energy(const Device& device, const std::vector<SiteMotion>& motion) const {
    return reduce_sum(device, size(), [this, &motion](Index s) {
        const Docked docked{docked_.data(), points_.lanes()};
        const SiteMotion& own = motion[s];
        const Packed4& q = own.rotation;
        const Mat3d r = matrix(normalized(Quaternion<double>{{q.x, q.y, q.z}, q.w}));
        double sum = 0;
        for (Index k = 0; k < near_count_[s]; ++k) {
            const Index j = near_[near_begin_[s] + k];
            const Index p = docked.point(s, j);
            const Vec3d d = to_double(vector(motion[j].position)) - to_double(vector(own.position));
            const double pressed = std::max(0., spacing_ - norm(d));
            sum += p < points_.count() ? norm2(d - r * to_double(points_.point(p)) * spacing_)
                                       : pressed * pressed;
        }
        return 0.25 * own.position.w * sum;
    });
}

/// Σⱼ V⁰ⱼ W(xⱼᵢ) − 1 of each site and the particles that may dock on it, where that is positive.
double LatticeSolids::compression(const Device& device, const std::vector<Packed4>& x) const {
    return with_kernel(contact_kernel_, support_, dimensions_, [&](const auto& kernel) {
        return reduce_sum(device, size(), [&](Index s) {
            if (row_[s] == vacant) return 0.0;
            double sum = double{x[s].w} * double{kernel.value(0.f)};
            for (std::size_t k = begin_[s]; k < begin_[s + 1]; ++k) {
                const Index j = candidates_[k];
                if (j < size())
                    sum += double{x[j].w} * double{kernel.value(norm(vector(x[j]) - vector(x[s])))};
            }
            return std::max(0.0, sum - 1);
        });
    });
}

LatticeSolids::Ledger LatticeSolids::evaluate(const Device& device, const ParticleTable& particles,
                                              View<Vec3f> acceleration) const {
    if (empty()) return {};
    Motion now{x_, v_, blocks_, motion_};
    pack(device, particles, now.x, now.v);
    match(device, now.x, now.v, now.blocks, now.sites);
    const ForceOn force_at = force_on(now.sites, now.v);
    launch<site_grain>(device, size(),
                       [=, row = View<const Index>(row_), m = View<const float>(mass_)](Index s) {
                           if (row[s] != vacant) acceleration[row[s]] += force_at(s) / m[s];
                       });
    return {energy(device, now.sites), compression(device, now.x)};
}

}  // namespace thixo
