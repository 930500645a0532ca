#include "lattice/docking.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/eight.h"
#include "core/random.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

/// How near a lattice point a particle must come to dock there anew, in D.
constexpr float farthest_gain = 0.15f;

Mat3<Lanes> inverse(const Mat3<Lanes>& a) {
    const Vec3<Lanes> yz = cross(a.y, a.z), zx = cross(a.z, a.x), xy = cross(a.x, a.y);
    return transposed(Mat3<Lanes>{yz, zx, xy}) * (1 / dot(a.x, yz));
}

/// Which of the particles that are assigned to the lattice points of a site dock there [WHP06, sec. 4.2]:
/// each with the probability
///
///     P = 1 − exp(−λ Δt),   then   λ ← clamp(λ ± κ Δt, 0, λ_max)
///
/// by whether it did. A rate of zero stays so: what cracked does not heal. A negative one is that of a bond
/// that was torn: no particle docks, and it is zero after this. A site that is fresh docks wherever it is
/// assigned, others reset their rates for it, and that is where docking is possible from now on: at the
/// start, and when something freezes.
struct DrawDocking {
    std::uint64_t seed, step;
    float dt;
    const std::uint8_t* fresh;  ///< each site; none if no site is
    Index points;
    const std::uint32_t* id;
    const Index* row;
    const float* certainty;  ///< P at the highest rate, by material
    float* rates;            ///< with room for whole lanes behind the last
    std::uint16_t* rim;
    std::uint8_t* lost;

    void operator()(Index s, std::uint16_t material, const LatticeConstants& constants,
                    std::uint32_t* docked) const {
        float* rate = rates + std::size_t{s} * points;
        if (fresh) reset_rates(s, constants.docking_rate, docked, rate);
        if (fresh && fresh[s]) return;
        alignas(32) float draws[most_point_lanes] = {};
        for (Index q = 0; q < points; q += 4) {
            const auto words = random_words(seed, id[s], step, Purpose::docking, q / 4);
            for (Index k = 0; k < 4; ++k) draws[q + k] = to_unit(words[k]);
        }
        if (dt > 0 && nothing_changes(rate, draws, certainty[material], constants.docking_rate, docked))
            return;
        for (Index p = 0; p < points; ++p) {
            const bool there = docked[p] != no_index;
            if (rate[p] == 0) docked[p] = no_index;
            if (rate[p] == 0) continue;
            const bool docks = there && docks_by(draws[p], rate[p], material, constants);
            if (there && !docks) docked[p] = rate[p] > 0 ? docked[p] | failed_draw : no_index;
            const float change = constants.rate_change * dt;
            rate[p] = std::clamp(rate[p] + (docks ? change : -change), 0.f, constants.docking_rate);
            if (rate[p] > 0) continue;
            docked[p] = no_index;
            lost[s] = 1;
            ++rim[row[s]];
        }
    }

private:
    void reset_rates(Index s, float highest, const std::uint32_t* docked, float* rate) const {
        for (Index p = 0; p < points; ++p) {
            const bool there = docked[p] != no_index;
            if (fresh[s]) rate[p] = there ? highest : 0;
            if (there && fresh[docked[p]]) rate[p] = highest;
        }
    }

    /// The usual case, eight points at a time: a particle that was there with the highest rate docks again,
    /// and rates of zero stay so.
    bool nothing_changes(const float* rate, const float* draws, float probability, float highest,
                         std::uint32_t* docked) const {
        for (Index p = 0; p < points; p += lane_count) {
            const LaneMask number = LaneMask{0, 1, 2, 3, 4, 5, 6, 7} + static_cast<std::int32_t>(p);
            const LaneMask beyond = number >= static_cast<std::int32_t>(points),
                           there = load(docked + p) >= 0;
            const Lanes rates_here = load(rate + p);
            const LaneMask holds = (rates_here == highest) & there & (load(draws + p) < probability);
            if (!all(beyond | holds | (rates_here == 0))) return false;
        }
        for (Index p = 0; p < points; ++p) docked[p] = rate[p] == 0 ? no_index : docked[p];
        return true;
    }

    bool docks_by(float draw, float rate, std::uint16_t material, const LatticeConstants& constants) const {
        if (dt == 0) return rate > 0;  // no time to lose hold in
        const float probability =
            rate == constants.docking_rate ? certainty[material] : -std::expm1(-rate * dt);
        return draw < probability;
    }
};

/// lᵢⱼ = argmin |l − Aᵢ⁻¹ xⱼᵢ| over the whole lattice [WHP06, eq. 2]. A particle that is nearest to a point
/// next to the origin is assigned to it, and of several the nearest one. One that was not docked in the last
/// step must come closer to the point than that (`farthest_gain`): a bond that begins stretched begins with
/// energy that nothing has paid for.
template <class Kernel>
struct Assign {
    Kernel kernel;
    LatticePoints points;
    Index n;
    float inverse_spacing;
    const LatticeConstants* constants;
    const std::uint16_t* material;
    const Packed4* x;
    const std::size_t* begin;
    const Index* candidates;
    const SiteBlock* blocks;
    bool breakable;
    DrawDocking draw;
    Index* near;
    Index* near_count;
    const std::uint8_t* fresh;  ///< each site; none if no site is
    std::uint32_t* docked;
    float* contact_sum;

    void operator()(Index first) const {
        const Mat3<Lanes> to_lattice =
            inverse(blocks[first / lane_count].deformation) * spread<Lanes>(inverse_spacing);
        for (Index s = first; s < std::min(first + lane_count, n); ++s) {
            list_near(s);
            std::uint32_t* out = docked + std::size_t{s} * points.lanes();
            assign(s, spread(lane(to_lattice, s - first)), out);
            const LatticeConstants& own = constants[material[s]];
            if (breakable && own.docking_rate > 0) draw(s, material[s], own, out);
            contact_sum[s] = kernel_sum(s, out);
        }
    }

private:
    /// (1 − V⁰ᵢ W(0)) n/z, with n of the z nearest lattice points taken: what those add at rest, to a few per
    /// cent. It does not follow from distances: no force would go with its changes, and walls would return
    /// more than was put into them.
    float kernel_sum(Index s, const std::uint32_t* out) const {
        Index taken = 0;
        for (Index p = 0; p < points.count(); ++p) taken += out[p] != no_index;
        return (1 - x[s].w * kernel.value(0.f)) * static_cast<float>(taken) /
               static_cast<float>(points.count());
    }

    /// Candidates within reach.
    void list_near(Index s) const {
        const Vec3<Lanes> self = spread(x[s]);
        const float reach2 = constants[material[s]].reach2;
        Index* out = near + begin[s];
        Index count = 0;
        for (std::size_t k = begin[s]; k < begin[s + 1]; k += lane_count) {
            const PackedLanes other = gather(x, candidates + k);
            const Lanes r2 = norm2(other.xyz - self);
            count += append_rows(out + count, r2 < reach2, load(candidates + k));
        }
        near_count[s] = count;
        while (count % lane_count != 0) out[count++] = n;
    }

    /// Whether a particle was not docked on this one before, and neither of them is new.
    bool is_gained(Index s, Index other, const std::uint32_t* last) const {
        if (fresh && (fresh[s] || fresh[other])) return false;
        for (Index p = 0; p < points.count(); ++p)
            if (last[p] != no_index && (last[p] & ~failed_draw) == other) return false;
        return true;
    }

    void assign(Index s, const Mat3<Lanes>& to_lattice, std::uint32_t* out) const {
        std::uint32_t last[most_point_lanes];
        std::copy_n(out, points.lanes(), last);
        std::fill_n(out, points.lanes(), no_index);
        float nearest[most_points];
        std::fill_n(nearest, most_points, std::numeric_limits<float>::infinity());
        const Vec3<Lanes> self = spread(x[s]);
        for (Index k = 0; k < near_count[s]; k += lane_count) {
            const Index* others = near + begin[s] + k;
            const NearestPoints found = points.nearest(to_lattice * (gather(x, others).xyz - self));
            const LaneMask place =
                __builtin_convertvector(LatticePoints::table_place(found.numbers), LaneMask);
            for (unsigned left = bits(points.next_to_origin(found.numbers)); left != 0; left &= left - 1) {
                const int l = std::countr_zero(left);
                const Index p = points.number(place[l]);
                const float distance2 = found.distance2[l];
                if (distance2 > farthest_gain * farthest_gain && is_gained(s, others[l], last)) continue;
                if (distance2 < nearest[p] || (distance2 == nearest[p] && others[l] < out[p])) {
                    nearest[p] = distance2;
                    out[p] = others[l];
                }
            }
        }
    }
};

}  // namespace

void Docking::resize(Index n, bool rates, bool tears) {
    rates_.resize(rates ? std::size_t{n} * points_.count() + lane_count : 0, 0);
    docked_.resize(std::size_t{n} * points_.lanes(), no_index);
    fresh_.resize(n, 0);
    contact_sum_.resize(n);
    torn_.resize(tears ? n : 0);
    lost_.resize(rates ? n : 0);
    begin_.resize(n + 1, begin_.empty() ? 0 : begin_.back());
    near_begin_.resize(n + 1);
    near_count_.resize(n);
}

void Docking::clear() {
    rates_.clear();
    docked_.clear();
    begin_.clear();
}

std::vector<float> Docking::rates() const {
    if (rates_.empty()) return {};
    return {rates_.begin(), rates_.end() - lane_count};
}

void Docking::restore(const std::vector<float>& rates, const std::vector<std::uint32_t>& docked) {
    std::copy(rates.begin(), rates.end(), rates_.begin());
    std::copy(docked.begin(), docked.end(), docked_.begin());
}

void Docking::mark_fresh(View<const Index> sites) {
    for (const Index s : sites) fresh_[s] = 1;
    any_fresh_ = true;
}

void Docking::mark_all_fresh() {
    std::fill(fresh_.begin(), fresh_.end(), std::uint8_t{1});
    any_fresh_ = true;
}

void Docking::end_fresh() {
    if (!any_fresh_) return;
    std::fill(fresh_.begin(), fresh_.end(), std::uint8_t{0});
    any_fresh_ = false;
    touching_.clear();
}

void Docking::leave(const Device& device, const LatticeSites& sites) {
    for (Index s = 0; s < size(); ++s) {
        if (sites.row[s] != LatticeSites::vacant) continue;
        if (!lost_.empty()) lost_[s] = 0;
        near_count_[s] = 0;
    }
    launch(device, size(),
           [row = View<const Index>(sites.row), points = points_.count(), lanes = points_.lanes(),
            docked = View(docked_), rates = View(rates_)](Index s) {
               for (Index p = 0; p < points; ++p) {
                   std::uint32_t& other = docked[std::size_t{s} * lanes + p];
                   const bool gone = row[s] == LatticeSites::vacant ||
                                     (other != no_index && row[other & ~failed_draw] == LatticeSites::vacant);
                   if (!gone) continue;
                   other = no_index;
                   if (!rates.empty()) rates[std::size_t{s} * points + p] = 0;
               }
           });
}

void Docking::collect(const Device& device, const ParticleTable& particles, const LatticeSites& sites,
                      const DockingPairs& may_dock, const Neighbours& all) {
    constexpr Index vacant = LatticeSites::vacant;
    const View<const Index> row(sites.row);
    const View<std::size_t> begin(begin_);
    launch(device, size(), [=](Index s) {
        Index count = 0;
        if (row[s] == vacant) {
            begin[s + 1] = 0;
            return;
        }
        for (const Index j : all.of(row[s])) count += may_dock(row[s], j);
        begin[s + 1] = whole_blocks(count);
    });
    for (Index s = 0; s < size(); ++s) begin_[s + 1] += begin_[s];
    candidates_.resize(begin_.back());
    launch(device, size(),
           [=, site = View<const std::uint32_t>(particles.lattice_index), n = size(),
            out = View(candidates_)](Index s) {
               if (row[s] == vacant) return;
               std::size_t next = begin[s];
               for (const Index j : all.of(row[s]))
                   if (may_dock(row[s], j)) out[next++] = site[j];
               while (next < begin[s + 1]) out[next++] = n;
           });
}

void Docking::assign(const Device& device, const LatticeSites& sites, View<const LatticeConstants> constants,
                     const ContactKernel& contact, double spacing, View<const Packed4> x, double dt,
                     std::uint64_t step, View<std::uint16_t> rim) {
    near_begin_ = begin_;  // not when lists are made: until now the last forces may have been queried
    near_.resize(begin_.back());
    certainty_.resize(constants.size());
    for (std::size_t m = 0; m < constants.size(); ++m)
        certainty_[m] = static_cast<float>(-std::expm1(-constants[m].docking_rate * dt));
    const DrawDocking draw{.seed = seed_,
                           .step = step,
                           .dt = static_cast<float>(dt),
                           .fresh = any_fresh_ ? fresh_.data() : nullptr,
                           .points = points_.count(),
                           .id = sites.id.data(),
                           .row = sites.row.data(),
                           .certainty = certainty_.data(),
                           .rates = rates_.data(),
                           .rim = rim.data(),
                           .lost = lost_.data()};
    with_kernel(contact.name, contact.support, contact.dimensions, [&](const auto& kernel) {
        launch_blocks<site_grain>(
            device, size(),
            Assign<std::decay_t<decltype(kernel)>>{.kernel = kernel,
                                                   .points = points_,
                                                   .n = size(),
                                                   .inverse_spacing = static_cast<float>(1 / spacing),
                                                   .constants = constants.data(),
                                                   .material = sites.material.data(),
                                                   .x = x.data(),
                                                   .begin = begin_.data(),
                                                   .candidates = candidates_.data(),
                                                   .blocks = sites.blocks.data(),
                                                   .breakable = !rates_.empty(),
                                                   .draw = draw,
                                                   .near = near_.data(),
                                                   .near_count = near_count_.data(),
                                                   .fresh = any_fresh_ ? fresh_.data() : nullptr,
                                                   .docked = docked_.data(),
                                                   .contact_sum = contact_sum_.data()});
    });
}

void Docking::tear(const Device& device) {
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

bool Docking::cut(const Device& device, const ParticleTable& particles, const LatticeSites& sites,
                  const CutPlane& plane) {
    if (rates_.empty()) return false;
    const Docked docked{docked_.data(), points_.lanes()};
    return reduce_max(device, size(), 0, [&](Index s) {
               int found = 0;
               for (Index p = 0; p < points_.count(); ++p) {
                   const std::uint32_t j = docked.of(s)[p];
                   if (j == no_index) continue;
                   const Vec3f &x = particles.position[sites.row[s]],
                               &y = particles.position[sites.row[j & ~failed_draw]];
                   float& rate = rates_[std::size_t{s} * points_.count() + p];
                   if (rate == 0 || !plane.separates(x, y)) continue;
                   rate = -1;
                   found = 1;
               }
               return found;
           }) != 0;
}

bool Docking::holds(Index s, Index other) const {
    const Docked docked{docked_.data(), points_.lanes()};
    return docked.point(s, other) < points_.count() || docked.point(s, other | failed_draw) < points_.count();
}

}  // namespace thixo
