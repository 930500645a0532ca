#include "lattice/lattice_stiffness.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/disjoint_sets.h"
#include "core/eight.h"
#include "core/rotation.h"
#include "core/symmetric_eigen.h"
#include "lattice/volume_pressure.h"

namespace thixo {

namespace {

/// In D: particles that are not docked repel each other from here on. Those that come so near within the step
/// are to find the stiffness there already.
constexpr float repulsion_begins = 1.2f;

/// The stiffness of particles that are not docked on each other, over that of their repulsion: the pressure
/// that keeps the volume acts there most.
constexpr float repulsion_stiffness = 3;

/// J⁺ of J = Σ (|l|² I − l lᵀ); of lines without the turn about themselves, which displaces nothing.
Mat3d inverse_inertia(const Mat3d& moment) {
    const Mat3d inertia = identity<double>() * trace(moment) - moment;
    const SymmetricEigen axes = symmetric_eigen(inertia);
    const double values[] = {axes.values.x, axes.values.y, axes.values.z};
    const Vec3d vectors[] = {axes.vectors.x, axes.vectors.y, axes.vectors.z};
    Mat3d out{};
    for (int k = 0; k < 3; ++k)
        if (values[k] > 1e-3) out += outer(vectors[k], vectors[k]) * (1 / values[k]);
    return out;
}

Vec3f displacement_of(const Packed4& a) { return {a.x, a.y, a.z}; }

}  // namespace

LatticeStiffness::LatticeStiffness(const LatticePoints& points, int dimensions, double spacing)
    : points_(points), spacing_(static_cast<float>(spacing)), sets_(std::size_t{1} << points.count()) {
    // c (Σ r·u)² of a full neighbourhood, where Σ r rᵀ = z/d D² I, is K V (div u)².
    const double full = dimensions == 2 ? 3 : 4,
                 modulus =
                     VolumePressure::stiffness * (dimensions == 2 ? std::sqrt(3.0) : 2 * std::sqrt(2.0)),
                 volume = dimensions == 2 ? std::sqrt(3.0) / 2 : std::sqrt(0.5);
    volumetric_ = static_cast<float>(modulus * volume / (full * full));
    for (std::size_t set = 0; set < sets_.size(); ++set) {
        Mat3d moment{};
        Vec3d sum{};
        for (Index p = 0; p < points_.count(); ++p) {
            if (!(set >> p & 1)) continue;
            const Vec3d l = to_double(points_.point(p));
            moment += outer(l, l);
            sum += l;
        }
        sets_[set] = {Sym3f(to_float(inverse_inertia(moment))), to_float(sum)};
    }
}

void LatticeStiffness::prepare(const Device& device, const Inputs& in) {
    const Index n = in.sites.size(), lanes = points_.lanes();
    const auto whole = static_cast<Index>(whole_blocks(n));
    blocks_.resize(whole / lane_count);
    docked_.assign(in.docked, in.docked + std::size_t{n} * lanes);
    back_.resize(std::size_t{n} * lanes);
    answers_.resize(n + 1);
    answers_[n] = {};
    forward_.resize(n);
    odd_count_.resize(n);
    launch_blocks<site_grain>(device, n, [=, this, points = points_](Index first) {
        Block& block = blocks_[first / lane_count];
        for (Index l = 0; l < lane_count; ++l) {
            const Index s = std::min(first + l, n - 1);
            const Docked docked{in.docked, lanes};
            unsigned set = 0;
            Index both_ways = 0;
            for (Index p = 0; p < lanes; ++p) {
                const std::uint32_t j = docked.of(s)[p];
                const bool there = p < points.count() && j < failed_draw;
                const bool back = there && docked.of(j)[points.opposite(p)] == s;
                if (first + l == s) back_[std::size_t{s} * lanes + p] = back ? j : n;
                set |= unsigned{there} << p;
                both_ways += back;
            }
            const Set& of = sets_[set];
            for (int k = 0; k < 6; ++k) (&block.spin.xx)[k][l] = (&of.spin.xx)[k];
            for (int k = 0; k < 3; ++k) (&block.sum.x)[k][l] = (&of.sum.x)[k];
            set_lane(block.rotation, l, quaternion_of(in.motion[s].rotation));
            block.stiffness[l] = in.motion[s].position.w;
            block.damping[l] = in.damped ? in.motion[s].velocity.w : 0;
            if (first + l == s) odd_count_[s] = in.near_count[s] - std::min(both_ways, in.near_count[s]);
        }
    });
    find_odd(device, in);
    find_components();
}

void LatticeStiffness::find_odd(const Device& device, const Inputs& in) {
    const Index n = in.sites.size();
    odd_begin_.resize(n + 1);
    odd_begin_[0] = 0;
    for (Index s = 0; s < n; ++s) odd_begin_[s + 1] = odd_begin_[s] + odd_count_[s];
    odd_.resize(odd_begin_[n]);
    launch<site_grain>(device, n, [=, this](Index s) {
        if (odd_count_[s] == 0) return;
        const Docked docked{in.docked, points_.lanes()};
        Index next = odd_begin_[s];
        const Packed4& own = in.motion[s].position;
        for (Index k = 0; k < in.near_count[s] && next < odd_begin_[s + 1]; ++k) {
            const Index j = in.near[in.near_begin[s] + k];
            const Index mine = docked.point(s, j), theirs = docked.point(j, s);
            const bool docks = mine < points_.count(), is_docked = theirs < points_.count();
            if (docks && is_docked && theirs == points_.opposite(mine)) continue;
            const Packed4& other = in.motion[j].position;
            const Vec3f d = displacement_of(other) - displacement_of(own);
            const float distance = norm(d);
            OddBond bond{j, is_docked ? points_.opposite(theirs) : points_.lanes(), {}};
            if (distance < repulsion_begins * spacing_) {
                const float c =
                    0.5f * repulsion_stiffness * ((docks ? 0 : own.w) + (is_docked ? 0 : other.w));
                bond.push = d * (std::sqrt(c) / std::max(distance, 1e-6f * spacing_));
            }
            odd_[next++] = bond;
        }
        for (; next < odd_begin_[s + 1]; ++next) odd_[next] = {s, points_.lanes(), {}};
    });
}

/// Serial.
void LatticeStiffness::find_components() {
    const auto n = static_cast<Index>(forward_.size());
    const Index lanes = points_.lanes();
    DisjointSets sets(n);
    for (Index s = 0; s < n; ++s) {
        for (Index p = 0; p < points_.count() / 2; ++p)
            if (const Index j = back_[std::size_t{s} * lanes + p]; j < n) sets.join(s, j);
        for (Index k = odd_begin_[s]; k < odd_begin_[s + 1]; ++k)
            if (odd_[k].point < lanes || norm2(odd_[k].push) > 0) sets.join(s, odd_[k].other);
    }
    component_.resize(n);
    for (Index s = 0; s < n; ++s) component_[s] = sets.find(s);
}

/// The first pass, for eight sites.
struct LatticeStiffness::Respond {
    LatticePoints points;
    Index n;
    float a, b, volumetric;
    const std::uint32_t* docked;
    const Block* blocks;
    const Packed4* u;
    LatticeAnswer* answers;
    Vec3f* forward;

    struct Sums {
        Mat3<Lanes> moment;  ///< Σ d lᵀ
        Vec3<Lanes> sum;     ///< Σ d
    };

    void operator()(Index first) const {
        const Index count = std::min(lane_count, n - first);
        EightSums<Sums> each;
        for (Index l = 0; l < count; ++l) each.set(l, add_up(first + l));
        const Sums total = each.sums();
        const Block& here = blocks[first / lane_count];
        const Mat3<Lanes> r = matrix(here.rotation), in_lattice = transposed(r) * total.moment;
        const Lanes half = here.stiffness * (0.5f * a) + here.damping * b,
                    pressure = here.stiffness * (a * volumetric) * trace(in_lattice), zero{};
        const Vec3<Lanes> spin = (here.spin.full() * axial(in_lattice)) * half;
        const Vec3<Lanes> own = total.sum * half + r * (here.sum * pressure - cross(spin, here.sum));
        const Mat3<Lanes> exerted = r * Mat3<Lanes>{{pressure, zero + spin.z, zero - spin.y},
                                                    {zero - spin.z, pressure, zero + spin.x},
                                                    {zero + spin.y, zero - spin.x, pressure}};
        const auto record = [](const Vec3<Lanes>& v, Index l) { return Packed4{v.x[l], v.y[l], v.z[l], 0}; };
        for (Index l = 0; l < count; ++l) {
            const Index s = first + l;
            answers[s] = {{u[s].x, u[s].y, u[s].z, half[l]},
                          record(exerted.x, l),
                          record(exerted.y, l),
                          record(exerted.z, l)};
            forward[s] = {own.x[l], own.y[l], own.z[l]};
        }
    }

private:
    Sums add_up(Index s) const {
        Sums out{};
        const Vec3<Lanes> self = spread(u[s]);
        for (Index p = 0; p < points.lanes(); p += lane_count) {
            const LaneMask entries = load(docked + std::size_t{s} * points.lanes() + p);
            // A lattice point that is free adds nothing if its site itself is there.
            const LaneMask others = entries >= 0 ? entries : LaneMask{} + static_cast<std::int32_t>(s);
            alignas(32) Index rows[lane_count];
            __builtin_memcpy(rows, &others, sizeof rows);
            const Vec3<Lanes> d = gather(u, rows).xyz - self;
            out.moment += outer(d, points.points(p));
            out.sum += d;
        }
        return out;
    }
};

LatticeResponseForces LatticeStiffness::respond(const Device& device, double a, double b,
                                                View<const Packed4> displacement) {
    const auto n = static_cast<Index>(forward_.size());
    launch_blocks<site_grain>(device, n,
                              Respond{.points = points_,
                                      .n = n,
                                      .a = static_cast<float>(a),
                                      .b = static_cast<float>(b),
                                      .volumetric = volumetric_,
                                      .docked = docked_.data(),
                                      .blocks = blocks_.data(),
                                      .u = displacement.data(),
                                      .answers = answers_.data(),
                                      .forward = forward_.data()});
    return {.points = points_,
            .back = back_.data(),
            .answers = answers_.data(),
            .forward = forward_.data(),
            .odd_begin = odd_begin_.data(),
            .odd = odd_.data(),
            .repulsion = static_cast<float>(a)};
}

Vec3f LatticeResponseForces::force(Index s) const {
    const Vec3<Lanes> self = spread(answers[s].displacement);
    Vec3<Lanes> sum{};
    for (Index p = 0; p < points.lanes(); p += lane_count) {
        const Index* others = back + std::size_t{s} * points.lanes() + p;
        const Packed4* records = &answers->displacement;
        const PackedLanes u = gather<4>(records, others);
        const Vec3<Lanes> l = points.points(p);
        const auto row = [&](Index k) { return dot(gather<4>(records + k, others).xyz, l); };
        sum += (u.xyz - self) * u.w + Vec3<Lanes>{row(1), row(2), row(3)};
    }
    Vec3f out = forward[s] + thixo::sum(sum);
    for (Index k = odd_begin[s]; k < odd_begin[s + 1]; ++k) {
        const OddBond& bond = odd[k];
        const LatticeAnswer& other = answers[bond.other];
        const Vec3f d = displacement_of(other.displacement) - displacement_of(answers[s].displacement);
        out += bond.push * (repulsion * dot(bond.push, d));
        if (bond.point >= points.count()) continue;
        const Vec3f l = points.point(bond.point);
        out += d * other.displacement.w + Vec3f{dot(displacement_of(other.x), l),
                                                dot(displacement_of(other.y), l),
                                                dot(displacement_of(other.z), l)};
    }
    return out;
}

std::size_t LatticeStiffness::bytes() const {
    return sets_.capacity() * sizeof(Set) + blocks_.capacity() * sizeof(Block) +
           docked_.capacity() * sizeof(std::uint32_t) + odd_.capacity() * sizeof(OddBond) +
           (back_.capacity() + odd_count_.capacity() + odd_begin_.capacity() + component_.capacity()) *
               sizeof(Index) +
           answers_.capacity() * sizeof(LatticeAnswer) + forward_.capacity() * sizeof(Vec3f);
}

}  // namespace thixo
