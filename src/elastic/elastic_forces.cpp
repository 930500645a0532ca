#include "elastic/elastic_forces.h"

#include <algorithm>

#include "core/rotation.h"
#include "elastic/rest_curvature.h"
#include "elastic/stress.h"
#include "elastic/sums.h"

namespace thixo {

namespace {

/// Σⱼ wᵢⱼ (xⱼᵢ − R Xⱼᵢ) Xⱼᵢᵀ of eight particles, and the same with the weights mⱼ W(Xⱼᵢ) of [BIT09, eq. 9].
struct Deviations {
    Mat3<Lanes> by_volume, by_mass;
};

/// What differs from the turned neighbourhood is summed, rather than xⱼᵢ: where strains are small, so is what
/// rounding makes of them.
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

/// R of eight particles and what single precision cuts off from it, which would be a strain.
struct SplitRotation {
    Mat3<Lanes> r, low;
};

/// Rotations of eight particles, found from where they were.
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

    /// Where particles are turned to, and by how much since the last time: now = last · since.
    struct Turn {
        Quaternion<Lanes> now, since;
    };

    /// The rotations closest to R (S + E), R the last ones and S symmetric; where two Newton steps do not
    /// reach them, by the exact path. Relative to R, a small turn is known more precisely than in `now`.
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
/// Ė is zero in rigid motion, of deformed bodies too, and the stress in space is symmetric: angular momentum
/// is kept.
Mat3<Lanes> damping_of(const ElasticBlock& here, const Mat3<Lanes>& gradient, const Mat3<Lanes>& rate) {
    const Mat3<Lanes> strain_rate = symmetric_part(transposed(gradient) * rate);
    return gradient * (hooke(here, strain_rate) * here.damping) * here.fit.full();
}

/// 1 + τ d/dt ln|δ| of eight particles, |δ|² = Σⱼ wᵢⱼ |xⱼᵢ − G Xⱼᵢ|²: what the resistance to that which G
/// leaves unexplained is to be multiplied by so that its rate is damped as well. |δ| does not change in rigid
/// motion, and forces along its gradient keep both momenta. Where |δ| passes through zero the factor is cut
/// off.
Lanes damping_of_unexplained(const Reference& reference, const Places& x, const Packed4* v, Index first,
                             const ElasticBlock& here, const Mat3<Lanes>& gradient, const Mat3<Lanes>& rate) {
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
    return 1 + larger(smaller(here.damping * factor, most), -most);
}

/// Σⱼ wᵢⱼ |xⱼᵢ − G Xⱼᵢ|² of eight particles: what G leaves unexplained.
Lanes unexplained(const Reference& reference, const Places& x, Index first, const Mat3<Lanes>& gradient) {
    Lanes out{};
    for (Index s = first; s < std::min(first + lane_count, reference.size()); ++s) {
        const auto away = x.around(s);
        const Mat3<Lanes> f = spread(lane(gradient, s - first));
        Lanes square{};
        reference.for_each_block(s, [&](const ReferenceBlock& block) {
            const Vec3<Lanes> delta = away(block.neighbour).x() - f * block.X();
            square += dot(delta, delta) * block.w();
        });
        out[s - first] = sum(square);
    }
    return out;
}

/// What becomes stiffer, from s to s', resists what the strain does not see with as much more as the
/// relaxation of shear pays for: of the energy of shear, V̄ s μ |ε|², it leaves s/s', and κ may rise from its
/// value by what the difference is in ½ κ Σ w |δ|², up to s' κ. So the energy does not rise. `shear2` is |ε|²
/// before it relaxes.
void stiffen_hourglass(const ElasticBlock& here, Lanes relaxed, Lanes shear2, Lanes unexplained,
                       PlasticBlock& plastic) {
    const Lanes one = spread<Lanes>(1.f), least = spread<Lanes>(1e-30f);
    const Lanes paid = here.mu * shear2 * relaxed * (one - relaxed) / larger(here.inverse_volume, least);
    const Lanes more = paid / larger(0.5f * here.kappa * unexplained, least);
    plastic.hourglass = smaller(one, plastic.hourglass * (one - relaxed) + more);
}

/// A bound of the largest stretch of eight particles: 1 more than twice the largest principal strain, of
/// those that stretch.
Lanes largest_square_stretch(const Mat3<Lanes>& strain) {
    const Lanes zero{}, mean = trace(strain) * (1 / 3.f);
    const Mat3<Lanes> deviator = plus_diagonal(strain, -mean);
    return 1 + 2 * larger(mean + square_root(norm2(deviator) * (2 / 3.f)), zero);
}

/// Stiffness and damping in those of the undeformed state. With Green's strain e the stress grows by (1 + 2e)
/// of the change of length, and turns with it as e: 1 + 3e. Damping is that of the rate of Green's strain of
/// F whatever the model, and pulls along F: (1 + 2e)².
Tangent tangent_of(const ElasticBlock& here, const Quaternion<Lanes>& turn, const Mat3<Lanes>& strain,
                   const Mat3<Lanes>& gradient) {
    const Lanes green = largest_square_stretch(strain);
    const Mat3<Lanes> stretched = transposed(gradient) * gradient - here.span.full();
    const Lanes of_fit = largest_square_stretch(stretched * spread<Lanes>(0.5f));
    const Lanes one = spread<Lanes>(1.f);
    return {turn, here.green ? 1.5f * green - 0.5f : one, of_fit * of_fit};
}

/// The first pass: how the neighbourhoods of eight particles are deformed, and what they exert because of it.
/// Without plastic matter the compiler has a shorter function, which keeps more in registers: 1 to 2 % of the
/// forces.
template <bool damped, bool yields>
struct Respond {
    Reference reference;
    Places x;
    const Packed4* v;
    const ElasticBlock* blocks;
    const Sym3<Lanes>* mass_moments;  ///< or none
    Rotations rotations;
    PlasticBlock* plastic;  ///< if it yields
    const std::uint32_t* body;
    const Mat3f* turn;  ///< of bodies
    Exerted* exerted;
    Sym3f* stress;      ///< or none
    Tangent* tangents;  ///< or none

    void operator()(Index first) const {
        const ElasticBlock& here = blocks[first / lane_count];
        const Lanes large = spread<Lanes>(0.05f * 0.05f);
        const Mat3<Lanes> l = here.correction.full(), fit = here.fit.full(), span = here.span.full();
        const RestBends curved(reference, first, here);
        Rotations::Turn found;
        Mat3<Lanes> d, gradient;
        Vec3<Lanes> along{};  // A n
        // Sums are taken relative to the last rotation; far from it, for instance at the start, once more.
        for (int round = 0; round < 2; ++round) {
            const SplitRotation last = rotations.matrices(first);
            const Mat3<Lanes> back = transposed(last.r), cut = back * last.low;
            const bool by_mass = mass_moments && !all(~here.turned_by_mass);
            const Deviations sums = by_mass ? deviations<true>(reference, x, last.r, first)
                                            : deviations<false>(reference, x, last.r, first);
            const Mat3<Lanes> a = sums.by_volume * here.inverse_volume, turned_back = back * a;
            gradient = a * fit + last.r * span;
            if (curved.any) along = a * curved.normal + last.r * (curved.normal * curved.bend);
            Mat3<Lanes> s = span, e = turned_back * fit - cut * span;  // Rᵀ F = s + e
            if (by_mass) {
                const Mat3<Lanes> moment = mass_moments[first / lane_count].full();
                s = select(here.turned_by_mass, moment, s);
                e = select(here.turned_by_mass, back * sums.by_mass - cut * moment, e);
            }
            found = rotations.follow(first, here.turned, s, e);

            // S = I + D, D = Rᵀ Σ V̄ w (x − R X) Xᵀ L. With the last rotation it is D₀, and turned back since
            // then D₀ + T (D₀ + M L), T = RᵀR_last − I.
            const Mat3<Lanes> rest = here.rest.full(), d_last = turned_back * l - cut * rest;
            d = d_last + turn_alone(conjugate(found.since)) * (d_last + rest);
            if (all(norm2(found.since.v) < large)) break;
        }
        const Mat3<Lanes> plane = gradient;  // F
        RestCurvature<Lanes> bent{};
        if (curved.any) {
            bent = layer_bend(plane, curved.normal, along, fit);
            bent.b = select(curved.rod, rod_bend(along, curved.bend), bent.b);
            bent.follow = select(curved.rod, Vec3<Lanes>{}, bent.follow);
            gradient += outer(bent.b, curved.normal);
        }
        const Mat3<Lanes> r = matrix(found.now);
        Mat3<Lanes> strain = strain_of(here, d);
        if (tangents != nullptr) {
            Quaternion<Lanes> frame = found.now;
            if (!all(here.turned)) {
                const Quaternion<Lanes> none{{}, Lanes{} + 1};
                frame = select(here.turned, frame,
                               closest_rotations(plane, none, ~here.turned, rotations.planar));
            }
            tangents[first / lane_count] = tangent_of(here, frame, strain, plane);
        }
        Lanes kappa = here.kappa;
        if constexpr (yields) {
            PlasticBlock& block = plastic[first / lane_count];
            const Lanes relaxed = block.relaxed;
            if (!all(relaxed == 0.f))
                stiffen_hourglass(here, relaxed, norm2(shear_of(here, block, strain)),
                                  unexplained(reference, x, first, gradient), block);
            strain = yield(here, block, strain);
            kappa *= block.hourglass;
        }
        const Mat3<Lanes> sigma = hooke(here, strain);
        if (stress) {
            for (Index s = first; s < std::min(first + lane_count, reference.size()); ++s)
                stress[s] = Sym3f(lane(sigma, s - first));
        }
        Mat3<Lanes> biot = sigma;
        if constexpr (yields) biot = select(here.turned, with_turn(sigma, d), sigma);
        Mat3<Lanes> q = r * select(here.green, sigma + d * sigma, biot) * l;
        if constexpr (damped) {
            const Mat3<Lanes> moment_rate = moments(reference, v, first) * here.inverse_volume;
            Mat3<Lanes> rate = moment_rate * fit;
            q += damping_of(here, plane, rate);
            if (curved.any)
                rate += outer(bend_rate(here, curved, plane, along, bent.b, moment_rate), curved.normal);
            kappa *= damping_of_unexplained(reference, x, v, first, here, gradient, rate);
        }
        const Index count = std::min(lane_count, reference.size() - first);
        gradient -= outer(bent.b, bent.follow);
        write(exerted, first, count, x.of, kappa, q - beyond(first, count, gradient) * kappa);
    }

private:
    static Vec3<Lanes> bend_rate(const ElasticBlock& here, const RestBends& curved, const Mat3<Lanes>& plane,
                                 const Vec3<Lanes>& along, const Vec3<Lanes>& b,
                                 const Mat3<Lanes>& moment_rate) {
        return select(curved.rod, rod_bend_rate(along, curved.bend, b, moment_rate * curved.normal),
                      layer_bend_rate(plane, curved.normal, b, moment_rate * here.fit.full()));
    }

    /// What of the gradient is not the rotation of the body.
    Mat3<Lanes> beyond(Index first, Index count, Mat3<Lanes> gradient) const {
        Mat3<Lanes> bodies{};
        for (Index l = 0; l < count; ++l) set_lane(bodies, l, turn[body[first + l]]);
        return gradient - bodies;
    }
};

/// The first index of each body, by number; `vacant_index` for those that have none.
std::vector<Index> first_of_bodies(const ElasticColumns& columns) {
    std::vector<Index> first;
    for (Index s = 0; s < columns.size(); ++s) {
        const std::uint32_t body = columns.body[s];
        if (body >= first.size()) first.resize(body + 1, vacant_index);
        if (first[body] == vacant_index && columns.row[s] != vacant_index) first[body] = s;
    }
    return first;
}

/// The rotation of each body, for which that of its first index is taken.
std::vector<Mat3f> body_rotations(const ElasticColumns& columns, const std::vector<Index>& first) {
    std::vector<Mat3f> out(std::max<std::size_t>(1, first.size()));
    for (std::size_t body = 0; body < first.size(); ++body) {
        if (first[body] == vacant_index) continue;
        const Packed4& q = columns.rotation[first[body]];
        out[body] = to_float(matrix(Quaternion<double>{{q.x, q.y, q.z}, q.w}));
    }
    return out;
}

}  // namespace

ElasticForces::ElasticForces(const std::vector<Material>& materials, int dimensions, bool stresses)
    : dimensions_(dimensions), keeps_stresses_(stresses) {
    for (const Material& material : materials) damped_ |= material.solid.damping > 0;
}

void ElasticForces::resize(Index n) {
    x_.resize(whole_blocks(n));
    exerted_.resize(n);
    if (keeps_stresses_) stress_.resize(n);
}

void ElasticForces::read(const Device& device, const ParticleTable& particles, ElasticColumns& columns) {
    if (damped_) v_.resize(columns.size());
    launch(device, particles.size(),
           [index = View<const std::uint32_t>(particles.elastic_index),
            x = View<const Vec3f>(particles.position), low = View<const Vec3f>(particles.position_low),
            v = View<const Vec3f>(particles.velocity), body = View<const std::uint32_t>(particles.body),
            damped = damped_, row = View(columns.row), x_out = View(x_), body_out = View(columns.body),
            v_out = View(v_)](Index i) {
               const std::uint32_t s = index[i];
               if (s == no_index) return;
               row[s] = i;
               x_out[s] = {{x[i].x, x[i].y, x[i].z, 0}, {low[i].x, low[i].y, low[i].z, 0}};
               body_out[s] = body[i];
               if (damped) v_out[s] = {v[i].x, v[i].y, v[i].z, 0};
           });
}

void ElasticForces::compute(const Device& device, const Reference& reference,
                            const UndeformedState& undeformed, ElasticColumns& columns) {
    const std::vector<Index> first = first_of_bodies(columns);
    turn_ = body_rotations(columns, first);
    respond(device, reference, undeformed, columns);
    // Far from the rotations that bodies were taken to have, for instance at the start, once more.
    std::vector<Mat3f> now = body_rotations(columns, first);
    if (!std::equal(now.begin(), now.end(), turn_.begin(),
                    [](const Mat3f& a, const Mat3f& b) { return norm2(a - b) < 0.1f * 0.1f; })) {
        turn_ = std::move(now);
        respond(device, reference, undeformed, columns);
    }
}

void ElasticForces::respond(const Device& device, const Reference& reference,
                            const UndeformedState& undeformed, ElasticColumns& columns) {
    const auto run = [&]<bool damped, bool yields>() {
        launch_blocks(device, reference.size(),
                      Respond<damped, yields>{
                          reference, places(), v_.data(), undeformed.blocks().data(),
                          undeformed.mass_moments().empty() ? nullptr : undeformed.mass_moments().data(),
                          Rotations{columns.rotation.data(), dimensions_ == 2},
                          columns.plastic.empty() ? nullptr : columns.plastic.data(), columns.body.data(),
                          turn_.data(), exerted_.data(), stress_.empty() ? nullptr : stress_.data(),
                          columns.tangent.empty() ? nullptr : columns.tangent.data()});
    };
    if (columns.plastic.empty())
        damped_ ? run.template operator()<true, false>() : run.template operator()<false, false>();
    else
        damped_ ? run.template operator()<true, true>() : run.template operator()<false, true>();
}

void ElasticForces::add_to(const Device& device, const Reference& reference, const ElasticColumns& columns,
                           View<const float> mass_of_rows, View<Vec3f> acceleration) const {
    launch(device, reference.size(),
           [reference, exerted = exerted_.data(), body = View<const std::uint32_t>(columns.body),
            turn = View<const Mat3f>(turn_), row = View<const Index>(columns.row), m = mass_of_rows,
            acceleration](Index s) {
               if (row[s] == vacant_index) return;
               acceleration[row[s]] += force_on(reference, exerted, turn[body[s]], s) / m[row[s]];
           });
}

Vec3f ElasticForces::force(const Reference& reference, const ElasticColumns& columns, Index s) const {
    return force_on(reference, exerted_.data(), turn_[columns.body[s]], s);
}

}  // namespace thixo
