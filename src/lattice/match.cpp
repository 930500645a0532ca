#include "lattice/match.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/eight.h"
#include "core/symmetric_eigen.h"

namespace thixo {

namespace {

/// Singular values beyond these, 1/√3 and √3, would let lattice points of another shell come to lie where
/// neighbours are: on the triangular lattice that is √3 times as far.
constexpr double least_stretch = 0.6, most_stretch = 1.7;

/// A with its singular values brought into that range; R where it mirrors, or says nothing.
Mat3d bounded(const Mat3d& a, const Mat3d& rotation) {
    if (!(determinant(a) > 0)) return rotation;
    // A = Σ σₖ uₖ vₖᵀ, so A f(AᵀA) with f = clamp(σ)/σ.
    const SymmetricEigen right = symmetric_eigen(transposed(a) * a);
    Mat3d factor{};
    const double squares[] = {right.values.x, right.values.y, right.values.z};
    const Vec3d vectors[] = {right.vectors.x, right.vectors.y, right.vectors.z};
    for (int k = 0; k < 3; ++k) {
        const double sigma = std::sqrt(std::max(squares[k], 1e-12));
        factor += outer(vectors[k], vectors[k]) * (std::clamp(sigma, least_stretch, most_stretch) / sigma);
    }
    return a * factor;
}

/// J⁺ L for neighbourhoods on a line, which cannot spin about it.
Vec3d spin_of_line(const Mat3d& inertia, const Vec3d& momentum) {
    const SymmetricEigen axes = symmetric_eigen(inertia);
    const double values[] = {axes.values.x, axes.values.y, axes.values.z};
    const Vec3d vectors[] = {axes.vectors.x, axes.vectors.y, axes.vectors.z};
    Vec3d out{};
    for (int k = 0; k < 3; ++k) {
        if (values[k] > 1e-3 * values[0]) out += vectors[k] * (dot(vectors[k], momentum) / values[k]);
    }
    return out;
}

/// Sums over the members of eight neighbourhoods, relative to their centres' sites.
struct Members {
    Mat3<Lanes> match;  ///< Σ d lᵀ
};
struct MovingMembers : Members {
    Vec3<Lanes> place, velocity;    ///< Σ d, Σ v
    Vec3<Lanes> squares, products;  ///< Σ d dᵀ: xx, yy, zz; xy, xz, yz
    Vec3<Lanes> momentum;           ///< Σ d × v
};

/// Aᵢ = Σ xⱼᵢ lᵀ (Σ l lᵀ)⁻¹ [WHP06, eq. 4] and Rᵢ = polar(Σ xⱼᵢ lᵀ), and with `damped` the rigid motion that
/// is nearest to that of a site and those docked on it,
///
///     c = x̄,   v̄,   ω = J⁺ Σ q × (v − v̄),   J = Σ (|q|² I − q qᵀ),   q = x − c
template <bool damped>
struct Match {
    LatticePoints points;
    Index n;
    bool planar;
    float inverse_spacing;
    const PointMoments* moments;
    const LatticeConstants* constants;
    const std::uint16_t* material;
    const float* softness;
    const Packed4 *x, *v;
    const std::uint32_t* docked;
    SiteBlock* blocks;
    SiteMotion* motion;

    using Sums = std::conditional_t<damped, MovingMembers, Members>;

    void operator()(Index first) const {
        EightSums<Sums> sums;
        unsigned sets[lane_count] = {};
        for (Index s = first; s < std::min(first + lane_count, n); ++s)
            sums.set(s - first, add_up(s, sets[s - first]));
        const Sums total = sums.sums();
        Lanes members;
        for (Index l = 0; l < lane_count; ++l) members[l] = static_cast<float>(std::popcount(sets[l]));

        fit(blocks[first / lane_count], total.match * spread<Lanes>(inverse_spacing), sets, members);
        const Quaternion<Lanes>& q = blocks[first / lane_count].rotation;
        for (Index s = first; s < std::min(first + lane_count, n); ++s) {
            const Index l = s - first;
            motion[s].position = {x[s].x, x[s].y, x[s].z, constants[material[s]].stiffness * softness[s]};
            motion[s].rotation = {q.v.x[l], q.v.y[l], q.v.z[l], q.w[l]};
        }
        if constexpr (damped) move(first, total, members + 1);
    }

private:
    Sums add_up(Index s, unsigned& set) const {
        Sums out{};
        const Vec3<Lanes> self = spread(x[s]), self_v = spread(v[s]);
        for (Index p = 0; p < points.lanes(); p += lane_count) {
            const LaneMask entries = load(docked + std::size_t{s} * points.lanes() + p);
            const LaneMask there = entries >= 0;
            set |= bits(there) << p;
            // A lattice point that is free adds nothing if its site itself is there.
            const LaneMask others = there ? entries : LaneMask{} + static_cast<std::int32_t>(s);
            alignas(32) Index rows[lane_count];
            __builtin_memcpy(rows, &others, sizeof rows);
            const Vec3<Lanes> d = gather(x, rows).xyz - self;
            out.match += outer(d, points.points(p));
            if constexpr (damped) {
                const Vec3<Lanes> w = gather(v, rows).xyz - self_v;
                out.place += d;
                out.velocity += w;
                out.squares += {d.x * d.x, d.y * d.y, d.z * d.z};
                out.products += {d.x * d.y, d.x * d.z, d.y * d.z};
                out.momentum += cross(d, w);
            }
        }
        return out;
    }

    void fit(SiteBlock& block, Mat3<Lanes> match, const unsigned (&sets)[lane_count], Lanes members) const {
        Sym3<Lanes> moment, inverse;
        for (Index l = 0; l < lane_count; ++l) {
            const PointMoments& set = moments[sets[l]];
            for (int k = 0; k < 6; ++k) {
                (&moment.xx)[k][l] = (&set.moment.xx)[k];
                (&inverse.xx)[k][l] = (&set.inverse.xx)[k];
            }
        }
        if (planar) match.z.z += out_of_plane;
        const LaneMask any = members > 0;
        const Quaternion<Lanes> q = closest_rotations(match, block.rotation, any, planar);
        // Two of Newton's steps, slightly short ones for the sake of lines, leave 10⁻⁶ of the turn since the
        // last step: that it lags behind is a torque, always of the same sign, so there is a third.
        const auto last = turn_towards(Mat3<Lanes>{}, match, q);
        block.rotation = {select(any, select(last.converged, last.q.v, q.v), block.rotation.v),
                          any ? (last.converged ? last.q.w : q.w) : block.rotation.w};
        const Mat3<Lanes> r = matrix(block.rotation);
        const Mat3<Lanes> stretch = (match - r * moment.full()) * inverse.full();
        block.deformation = r + stretch;
        // No singular value of A is farther from 1 than |A − R|.
        const LaneMask usual = norm2(stretch) < 0.15f;
        for (Index l = 0; l < lane_count && !all(usual); ++l) {
            if (!usual[l])
                set_lane(block.deformation, l,
                         to_float(bounded(to_double(lane(block.deformation, l)), to_double(lane(r, l)))));
        }
    }

    /// `count` is that of the members, their centre's site among them.
    void move(Index first, const MovingMembers& total, Lanes count) const {
        const Vec3<Lanes> c = total.place * (1 / count), mean = total.velocity * (1 / count);
        const Vec3<Lanes> d2 =
            total.squares - Vec3<Lanes>{c.x * total.place.x, c.y * total.place.y, c.z * total.place.z};
        const Vec3<Lanes> dd =
            total.products - Vec3<Lanes>{c.x * total.place.y, c.x * total.place.z, c.y * total.place.z};
        const Vec3<Lanes> momentum = total.momentum - cross(c, total.velocity);
        const Mat3<Lanes> inertia{
            {d2.y + d2.z, -dd.x, -dd.y}, {-dd.x, d2.x + d2.z, -dd.z}, {-dd.y, -dd.z, d2.x + d2.y}};

        const Vec3<Lanes> yz = cross(inertia.y, inertia.z), zx = cross(inertia.z, inertia.x),
                          xy = cross(inertia.x, inertia.y);
        const Lanes det = dot(inertia.x, yz), size = trace(inertia);
        Vec3<Lanes> spin = (yz * momentum.x + zx * momentum.y + xy * momentum.z) * (1 / det);
        const LaneMask solid = det > size * size * size * 1e-4f;
        for (Index l = 0; l < lane_count && !all(solid); ++l) {
            if (solid[l]) continue;
            const Vec3d line = count[l] > 1 ? spin_of_line(to_double(lane(inertia, l)),
                                                           {momentum.x[l], momentum.y[l], momentum.z[l]})
                                            : Vec3d{};
            spin.x[l] = static_cast<float>(line.x);
            spin.y[l] = static_cast<float>(line.y);
            spin.z[l] = static_cast<float>(line.z);
        }
        const Vec3<Lanes> velocity = mean - cross(spin, c);
        for (Index s = first; s < std::min(first + lane_count, n); ++s) {
            const Index l = s - first;
            motion[s].velocity = {v[s].x + velocity.x[l], v[s].y + velocity.y[l], v[s].z + velocity.z[l],
                                  constants[material[s]].damping * softness[s]};
            motion[s].spin = {spin.x[l], spin.y[l], spin.z[l], 0};
        }
    }
};

}  // namespace

void match_neighbourhoods(const Device& device, const MatchInputs& in, std::vector<SiteBlock>& blocks,
                          std::vector<SiteMotion>& motion) {
    const auto run = [&]<bool damped>() {
        launch_blocks<site_grain>(device, in.sites.size(),
                                  Match<damped>{.points = in.points,
                                                .n = in.sites.size(),
                                                .planar = in.dimensions == 2,
                                                .inverse_spacing = static_cast<float>(1 / in.spacing),
                                                .moments = in.moments.data(),
                                                .constants = in.constants.data(),
                                                .material = in.sites.material.data(),
                                                .softness = in.sites.softness.data(),
                                                .x = in.x.data(),
                                                .v = in.v.data(),
                                                .docked = in.docked.data(),
                                                .blocks = blocks.data(),
                                                .motion = motion.data()});
    };
    in.damped ? run.template operator()<true>() : run.template operator()<false>();
}

}  // namespace thixo
