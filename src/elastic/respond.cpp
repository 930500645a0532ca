#include "core/rotation.h"
#include "elastic/elastic_bodies.h"
#include "elastic/stress.h"
#include "elastic/sums.h"

namespace thixo {

namespace {

/// Σⱼ wᵢⱼ (xⱼᵢ − R Xⱼᵢ) Xⱼᵢᵀ of eight slots, and the same with the weights mⱼ W(Xⱼᵢ) of [BIT09, eq. 9].
struct Deviations {
    Mat3<Lanes> by_volume, by_mass;
};

/// What differs from the turned neighbourhood is summed, rather than xⱼᵢ: where strains are small, so is what rounding makes of
/// them.
template <bool by_mass>
Deviations deviations(const Reference& reference, const Places& x, const Mat3<Lanes>& r, Index first) {
    EightSums<Mat3<Lanes>> by_volume, weighed_by_mass;
    for (Index s = first; s < std::min(first + lane_count, reference.size()); ++s) {
        const Mat3f turn = lane(r, s - first);
        const auto away = x.around(s);
        Mat3<Lanes> sum{}, mass_sum{};
        const auto add = [&](const ReferenceBlock& block, Lanes by) {
            const Vec3<Lanes> X = block.X(), d = deviation(away(block.neighbour), turn, X);
            sum += outer(d, X * block.w());
            if constexpr (by_mass) mass_sum += outer(d, X * by);
        };
        if constexpr (by_mass) {
            reference.for_each_block_twice(s, add);
            weighed_by_mass.set(s - first, mass_sum);
        } else {
            reference.for_each_block(s, [&](const ReferenceBlock& block) { add(block, Lanes{}); });
        }
        by_volume.set(s - first, sum);
    }
    return {by_volume.sums(), by_mass ? weighed_by_mass.sums() : Mat3<Lanes>{}};
}

/// R of eight slots and what single precision cuts off from it, which would be a strain.
struct SplitRotation {
    Mat3<Lanes> r, low;
};

/// Rotations of eight slots, found from where they were.
struct Rotations {
    Packed4* records;
    bool planar;

    SplitRotation matrices(Index first) const {
        const Quaternion<Lanes> q = load_quaternions(records, first);
        const auto precise = [](Lanes a) { return __builtin_convertvector(a, DoubleLanes); };
        const Mat3<DoubleLanes> exact =
            matrix(Quaternion<DoubleLanes>{{precise(q.v.x), precise(q.v.y), precise(q.v.z)}, precise(q.w)});
        SplitRotation out;
        for (int k = 0; k < 9; ++k) {
            const DoubleLanes whole = (&exact.x.x)[k], high = first_bits(whole);
            (&out.r.x.x)[k] = __builtin_convertvector(high, Lanes);
            (&out.low.x.x)[k] = __builtin_convertvector(whole - high, Lanes);
        }
        return out;
    }

    /// Where slots are turned to, and by how much since the last time: now = last · since.
    struct Turn {
        Quaternion<Lanes> now, since;
    };

    /// The rotations closest to R (S + E), R the last ones and S symmetric; where two Newton steps do not reach them, by the exact
    /// path. Relative to R, a small turn is known better than `now` can tell.
    Turn follow(Index first, LaneMask turned, const Mat3<Lanes>& s, const Mat3<Lanes>& e) const {
        const Quaternion<Lanes> last = load_quaternions(records, first), none{{}, Lanes{} + 1};
        const auto found = turn_towards(s, e, turn_towards(s, e, none).q);
        Turn out{select(turned, normalized(last * found.q), none), select(turned, found.q, none)};
        for (Index l = 0; l < lane_count && !all(found.converged | ~turned); ++l) {
            if (found.converged[l] || !turned[l]) continue;
            const Quaternion<double> from = normalized(lane(last, l));
            const Mat3d r = matrix(from);
            const Quaternion<double> q =
                quaternion(closest_rotation(r * to_double(lane(s + e, l)), r, planar));
            set_lane(out.now, l, q);
            set_lane(out.since, l, conjugate(from) * q);
        }
        for (Index l = 0; l < lane_count; ++l)
            records[first + l] = {out.now.v.x[l], out.now.v.y[l], out.now.v.z[l], out.now.w[l]};
        return out;
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
Lanes damping_of_unexplained(const Reference& reference, const Places& x, const Packed4* v, Index first,
                             const SlotBlock& slot, const Mat3<Lanes>& gradient, const Mat3<Lanes>& rate) {
    Lanes factor{};
    for (Index s = first; s < std::min(first + lane_count, reference.size()); ++s) {
        const auto away = x.around(s);
        const Vec3<Lanes> self_v = spread(v[s]);
        const Mat3<Lanes> f = spread(lane(gradient, s - first)), f_rate = spread(lane(rate, s - first));
        Lanes square{}, growth{};
        reference.for_each_block(s, [&](const ReferenceBlock& block) {
            const Vec3<Lanes> X = block.X();
            const Vec3<Lanes> delta = away(block.neighbour).x() - f * X;
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
    Places x;
    const Packed4* v;
    const SlotBlock* slots;
    const Sym3<Lanes>* mass_moments;  ///< or none
    Rotations rotations;
    PlasticBlock* plastic;
    const std::uint32_t* body;
    const Mat3f* turn;  ///< of bodies
    Exerted* exerted;
    Sym3f* stress;  ///< or none

    void operator()(Index first) const {
        const SlotBlock& slot = slots[first / lane_count];
        const Lanes large = spread<Lanes>(0.05f * 0.05f);
        const Mat3<Lanes> l = slot.correction.full(), fit = slot.fit.full(), span = slot.span.full();
        Rotations::Turn found;
        Mat3<Lanes> d, gradient;
        // Sums are taken relative to the last rotation; far from it, for instance at the start, once more.
        for (int round = 0; round < 2; ++round) {
            const SplitRotation last = rotations.matrices(first);
            const Mat3<Lanes> back = transposed(last.r), cut = back * last.low;
            const bool by_mass = mass_moments && !all(~slot.turned_by_mass);
            const Deviations sums = by_mass ? deviations<true>(reference, x, last.r, first)
                                            : deviations<false>(reference, x, last.r, first);
            const Mat3<Lanes> a = sums.by_volume * slot.inverse_volume, turned_back = back * a;
            gradient = a * fit + last.r * span;
            Mat3<Lanes> s = span, e = turned_back * fit - cut * span;  // Rᵀ F = s + e
            if (by_mass) {
                const Mat3<Lanes> moment = mass_moments[first / lane_count].full();
                s = select(slot.turned_by_mass, moment, s);
                e = select(slot.turned_by_mass, back * sums.by_mass - cut * moment, e);
            }
            found = rotations.follow(first, slot.turned, s, e);

            // S = I + D, D = Rᵀ Σ V̄ w (x − R X) Xᵀ L. With the last rotation it is D₀, and turned back since then
            // D₀ + T (D₀ + M L), T = RᵀR_last − I.
            const Mat3<Lanes> rest = slot.rest.full(), d_last = turned_back * l - cut * rest;
            d = d_last + turn_alone(conjugate(found.since)) * (d_last + rest);
            if (all(norm2(found.since.v) < large)) break;
        }
        const Mat3<Lanes> r = matrix(found.now);
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
        const Index count = std::min(lane_count, reference.size() - first);
        write(exerted, first, count, x.of, kappa, q - beyond(first, count, gradient) * kappa);
    }

private:
    /// What of the gradient is not the rotation of the body.
    Mat3<Lanes> beyond(Index first, Index count, Mat3<Lanes> gradient) const {
        Mat3<Lanes> bodies{};
        for (Index l = 0; l < count; ++l) set_lane(bodies, l, turn[body[first + l]]);
        return gradient - bodies;
    }
};

}  // namespace

std::vector<Mat3f> ElasticBodies::body_rotations() const {
    const std::uint32_t last = body_.empty() ? 0 : *std::max_element(body_.begin(), body_.end());
    std::vector<Mat3f> out(last + 1);
    std::vector<bool> known(out.size());
    for (Index s = 0; s < reference_.size(); ++s) {
        if (known[body_[s]] || row_[s] == vacant) continue;
        known[body_[s]] = true;
        const Packed4& q = rotation_[s];
        out[body_[s]] = to_float(matrix(Quaternion<double>{{q.x, q.y, q.z}, q.w}));
    }
    return out;
}

void ElasticBodies::respond(const Device& device) {
    const auto run = [&]<bool damped>() {
        launch_blocks(
            device, reference_.size(),
            Respond<damped>{reference_.view(), places(), v_.data(), blocks_.data(),
                            mass_moment_.empty() ? nullptr : mass_moment_.data(),
                            Rotations{rotation_.data(), dimensions_ == 2},
                            plastic_.empty() ? nullptr : plastic_.data(), body_.data(), turn_.data(),
                            exerted_.data(), stress_.empty() ? nullptr : stress_.data()});
    };
    damped_ ? run.template operator()<true>() : run.template operator()<false>();
}

void ElasticBodies::exert(const Device& device, const ParticleTable& particles,
                          View<Vec3f> acceleration) const {
    launch(device, reference_.size(),
           [reference = reference_.view(), exerted = exerted_.data(), body = View<const std::uint32_t>(body_),
            turn = View<const Mat3f>(turn_), row = View<const Index>(row_),
            m = View<const float>(particles.mass), acceleration](Index s) {
               if (row[s] == vacant) return;
               acceleration[row[s]] += force_on(reference, exerted, turn[body[s]], s) / m[row[s]];
           });
}

}  // namespace thixo
