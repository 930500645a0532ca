#include "core/rotation.h"
#include "elastic/elastic_bodies.h"
#include "elastic/stress.h"
#include "elastic/sums.h"

namespace thixo {

namespace {

/// Σⱼ wᵢⱼ (xⱼᵢ − R Xⱼᵢ) Xⱼᵢᵀ of eight slots. What differs from the turned neighbourhood is summed, rather than xⱼᵢ: where
/// strains are small, so is what rounding makes of them.
Mat3<Lanes> deviations(const Reference& reference, const Packed4* x, const Mat3<Lanes>& r, Index first) {
    return sum_eight(reference, first, [&](Index s) {
        const Mat3f turn = lane(r, s - first);
        const auto turned = [&](const Vec3<Lanes>& X) {
            const auto row = [&](const Vec3f& a) { return a.x * X.x + a.y * X.y + a.z * X.z; };
            return Vec3<Lanes>{row(turn.x), row(turn.y), row(turn.z)};
        };
        Mat3<Lanes> sum{};
        const Vec3<Lanes> self = spread(x[s]);
        reference.for_each_block(s, [&](const ReferenceBlock& block) {
            const Vec3<Lanes> X = block.X();
            sum += outer(gather(x, block.neighbour).xyz - self - turned(X), X * block.w());
        });
        return sum;
    });
}

/// Σⱼ mⱼ W(Xⱼᵢ) xⱼᵢ Xⱼᵢᵀ [BIT09, eq. 9] of eight slots: the second weights of the links.
Mat3<Lanes> moments_by_mass(const Reference& reference, const Packed4* x, Index first) {
    return sum_eight(reference, first, [&](Index s) {
        Mat3<Lanes> sum{};
        const Vec3<Lanes> self = spread(x[s]);
        reference.for_each_block_twice(s, [&](const ReferenceBlock& block, Lanes w) {
            sum += outer(gather(x, block.neighbour).xyz - self, block.X() * w);
        });
        return sum;
    });
}

/// Rotations of eight slots, found from where they were.
struct Rotations {
    Packed4* records;
    bool planar;

    /// As matrices. In double precision, for lengths that are off by rounding would be strains.
    Mat3<Lanes> matrices(Index first) const {
        Mat3<Lanes> out;
        for (Index l = 0; l < lane_count; ++l) {
            const Packed4& q = records[first + l];
            set_lane(out, l, to_float(matrix(normalized(Quaternion<double>{{q.x, q.y, q.z}, q.w}))));
        }
        return out;
    }

    /// The rotations closest to a; where two Newton steps do not reach them, by the exact path.
    Quaternion<Lanes> follow(Index first, LaneMask turned, const Mat3<Lanes>& a) const {
        const Quaternion<Lanes> last = load_quaternions(records, first);
        const Quaternion<Lanes> found = closest_rotations(a, last, turned, planar);
        const Lanes zero{};
        const Quaternion<Lanes> q{select(turned, found.v, Vec3<Lanes>{}), turned ? found.w : zero + 1};
        for (Index l = 0; l < lane_count; ++l) records[first + l] = {q.v.x[l], q.v.y[l], q.v.z[l], q.w[l]};
        return q;
    }
};

/// Kelvin and Voigt: τ times the stress by the rate of Green's strain of the fitted gradient F = A M⁺,
///
///     Ė = sym(Fᵀ Ḟ),   Q = F τ(2μ Ė + λ tr(Ė) I) M⁺
///
/// Ė does not know rigid motion, of deformed bodies either, and the stress in space is symmetric: angular momentum is kept.
Mat3<Lanes> damping_of(const SlotBlock& slot, const Mat3<Lanes>& gradient, const Mat3<Lanes>& rate) {
    const Mat3<Lanes> strain_rate = symmetric_part(transposed(gradient) * rate);
    return gradient * (hooke(slot, strain_rate) * slot.damping) * slot.fit.full();
}

/// 1 + τ d/dt ln|δ| of eight slots, |δ|² = Σⱼ wᵢⱼ |xⱼᵢ − F Xⱼᵢ|²: what the resistance to that which F leaves unexplained is to be
/// multiplied by so that its rate is damped as well. |δ| does not know rigid motion, and forces along its gradient keep both
/// momenta. Where |δ| passes through zero the factor is cut off.
Lanes damping_of_unexplained(const Reference& reference, const Packed4* x, const Packed4* v, Index first,
                             const SlotBlock& slot, const Mat3<Lanes>& gradient, const Mat3<Lanes>& rate) {
    Lanes factor{};
    for (Index s = first; s < std::min(first + lane_count, reference.size()); ++s) {
        const Vec3<Lanes> self_x = spread(x[s]), self_v = spread(v[s]);
        const Mat3<Lanes> f = spread(lane(gradient, s - first)), f_rate = spread(lane(rate, s - first));
        Lanes square{}, growth{};
        reference.for_each_block(s, [&](const ReferenceBlock& block) {
            const Vec3<Lanes> X = block.X();
            const Vec3<Lanes> delta = gather(x, block.neighbour).xyz - self_x - f * X;
            const Vec3<Lanes> delta_rate = gather(v, block.neighbour).xyz - self_v - f_rate * X;
            square += dot(delta, delta) * block.w();
            growth += dot(delta, delta_rate) * block.w();
        });
        const float size = sum(square);
        factor[s - first] = size > 0 ? sum(growth) / size : 0;
    }
    const Lanes most = spread<Lanes>(4.f);
    return 1 + larger(smaller(slot.damping * factor, most), -most);
}

/// The first pass: how the neighbourhoods of eight slots are deformed, and what they exert because of it.
template <bool damped>
struct Respond {
    Reference reference;
    const Packed4 *x, *v;
    const SlotBlock* slots;
    bool by_mass;
    Rotations rotations;
    PlasticBlock* plastic;
    Exerted* exerted;
    Sym3f* stress;  ///< or none

    void operator()(Index first) const {
        const SlotBlock& slot = slots[first / lane_count];
        const Lanes large = spread<Lanes>(0.05f * 0.05f);
        Quaternion<Lanes> last, now, since;
        Mat3<Lanes> a, gradient;
        // Sums are taken relative to the last rotation; far from it, for instance at the start, once more.
        for (int round = 0; round < 2; ++round) {
            last = load_quaternions(rotations.records, first);
            const Mat3<Lanes> r = rotations.matrices(first);
            a = deviations(reference, x, r, first) * slot.inverse_volume;
            gradient = a * slot.fit.full() + r * slot.span.full();
            now = rotations.follow(first, slot.turned, turned(first, gradient));
            since = conjugate(now) * last;
            if (all(norm2(since.v) < large)) break;
        }

        // S = I + D, D = Rᵀ Σ V̄ w (x − R X) Xᵀ L = Rᵀ a L + (RᵀR_last − I) M L
        const Mat3<Lanes> r = matrix(now), l = slot.correction.full();
        const Mat3<Lanes> d = transposed(r) * (a * l) + turn_alone(since) * slot.rest.full();
        Mat3<Lanes> strain = strain_of(slot, d);
        if (plastic) strain = yield(slot, plastic[first / lane_count], strain);
        const Mat3<Lanes> sigma = hooke(slot, strain);
        if (stress) {
            for (Index s = first; s < std::min(first + lane_count, reference.size()); ++s)
                stress[s] = Sym3f(lane(sigma, s - first));
        }
        Mat3<Lanes> q = r * select(slot.green, sigma + d * sigma, sigma) * l;
        Lanes kappa = slot.kappa;
        if constexpr (damped) {
            const Mat3<Lanes> rate = moments(reference, v, first) * slot.inverse_volume * slot.fit.full();
            q += damping_of(slot, gradient, rate);
            kappa *= damping_of_unexplained(reference, x, v, first, slot, gradient, rate);
        }
        write(exerted, first, std::min(lane_count, reference.size() - first), x, kappa, q - gradient * kappa);
    }

private:
    /// Whose rotation it is.
    Mat3<Lanes> turned(Index first, const Mat3<Lanes>& gradient) const {
        const LaneMask mask = slots[first / lane_count].turned_by_mass;
        if (!by_mass || all(~mask)) return gradient;
        return select(mask, moments_by_mass(reference, x, first), gradient);
    }
};

}  // namespace

void ElasticBodies::respond(const Device& device) {
    const auto run = [&]<bool damped>() {
        launch_blocks(device, reference_.size(),
                      Respond<damped>{reference_.view(), x_.data(), v_.data(), blocks_.data(),
                                      turned_by_mass_, Rotations{rotation_.data(), dimensions_ == 2},
                                      plastic_.empty() ? nullptr : plastic_.data(), exerted_.data(),
                                      stress_.empty() ? nullptr : stress_.data()});
    };
    damped_ ? run.template operator()<true>() : run.template operator()<false>();
}

void ElasticBodies::exert(const Device& device, const ParticleTable& particles,
                          View<Vec3f> acceleration) const {
    launch(device, reference_.size(),
           [reference = reference_.view(), exerted = exerted_.data(), row = View<const Index>(row_),
            m = View<const float>(particles.mass), acceleration](Index s) {
               if (row[s] != vacant) acceleration[row[s]] += force_on(reference, exerted, s) / m[row[s]];
           });
}

}  // namespace thixo
