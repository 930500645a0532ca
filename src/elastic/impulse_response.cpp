#include "elastic/impulse_response.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/impulse_passes.h"

namespace thixo {

namespace {

/// Of the residual, in the norm of rᵀM⁻¹r, this is left to the next call. Callers iterate themselves: what is
/// solved for now is not what they end with. From 0.03 to 0.6 blocks rest, slide and collide the same
/// (tests/physics/block_on_floor.cpp, long_steps.cpp), for 1 to 0.6 of the time.
constexpr double left = 0.5;

/// Below this fraction of Σ m v² the residual is what rounding velocities to single precision makes.
constexpr double rounding = 1e-13;

}  // namespace

void ImpulseResponse::begin(const Device& device, const ElasticBodies& bodies, const ParticleTable& particles,
                            double dt, RigidParts rigid) {
    const View<const Index> row = bodies.rows();
    const auto n = static_cast<Index>(row.size());
    alpha_ = scheme_.response * dt * dt;
    half_step_ = 0.5 * dt;
    iterations_ = 0;
    mass_.resize(n);
    held_.resize(n);
    start_.resize(n);
    last_.resize(n);
    change_.assign(n, {});
    r_.assign(n, {});
    pending_.assign(n, {});
    total_.assign(n, {});
    product_.resize(n);
    p_.resize(n);
    launch(device, n,
           [=, m = View<const float>(particles.mass),
            kinematic = View<const std::uint16_t>(particles.kinematic_id),
            phase = View<const Phase>(particles.phase), v = View<const Vec3f>(particles.velocity),
            held = View(held_), mass = View(mass_), start = View(start_), last = View(last_)](Index s) {
               const bool there = row[s] != ElasticBodies::vacant;
               const bool takes_part = there && kinematic[row[s]] == 0 && phase[row[s]] != Phase::rigid;
               mass[s] = takes_part ? m[row[s]] : 0.f;
               held[s] = there && kinematic[row[s]] > 0 && phase[row[s]] != Phase::rigid;
               start[s] = last[s] = there ? v[row[s]] : Vec3f{};
           });
    earlier_.assign(rigid.parts.size(), {});
    part_total_.assign(rigid.parts.size(), {});
    rigid_.begin(std::move(rigid));
    momentum_.prepare(device, bodies, particles, mass_, rigid_.of);
}

void ImpulseResponse::begin_again(const Device& device) {
    thixo::begin_again(device, start_, last_, change_, r_, total_);
    for (Index k = 0; k < earlier_.size(); ++k) earlier_[k] += rigid_.solution[k];
    part_total_.assign(part_total_.size(), {});
    rigid_.begin(std::move(rigid_.of));
}

void ImpulseResponse::answer(const Device& device, ElasticBodies& bodies) {
    const auto n = static_cast<Index>(mass_.size());
    const View<const float> m(mass_);
    const View<Vec3f> r(r_), change(change_);
    const View<Packed4> p(p_);
    take_up(device, pending_, r_, total_);
    momentum_.give(device, r, change, rigid_);
    struct Sums {
        double rz = 0, motion = 0;  ///< rᵀM⁻¹r, Σ m v²

        Sums operator+(const Sums& other) const { return {rz + other.rz, motion + other.motion}; }
    };
    const Sums sums = reduce(
        device, n, Sums{},
        [=, momentum = &momentum_, start = View<const Vec3f>(start_)](Index s) {
            p[s] = {};
            if (m[s] == 0) return Sums{};
            // The stiffness does not see rigid motions.
            r[s] -= m[s] * momentum->given(s);
            const Vec3f z = r[s] / m[s];
            p[s] = packed(z);
            return Sums{dot(to_double(r[s]), to_double(z)), m[s] * norm2(to_double(start[s]))};
        },
        std::plus<>());
    double rz = sums.rz;
    if (!rigid_.of.empty()) {
        for (Index k = 0; k < earlier_.size(); ++k)
            rigid_.residual[k] += rigid_.of.times_mass(k, -1.0 * momentum_.given_to_part(k));
        rz += rigid_.begin_search(p);
    }
    ElasticSystem system{.device = device,
                         .bodies = bodies,
                         .alpha = alpha_,
                         .half_step = half_step_,
                         .target = std::max(left * rz, rounding * sums.motion),
                         .m = m,
                         .a = change,
                         .r = r,
                         .product = product_,
                         .rigid = rigid_,
                         .p = p};
    iterations_ += conjugate_gradient(system, rz, most_iterations_);
    keep_momentum(device);
}

/// With rotations as they are, the stiffness resists the turning of what is deformed, a little.
void ImpulseResponse::keep_momentum(const Device& device) {
    find_missing(device, mass_, total_, change_, product_);
    const std::vector<Twist> residual = rigid_.residual;
    for (Index k = 0; k < residual.size(); ++k)
        rigid_.residual[k] = part_total_[k] - rigid_.of.times_mass(k, rigid_.solution[k]);
    momentum_.give(device, product_, change_, rigid_);
    rigid_.residual = residual;
}

void ImpulseResponse::spread(const Device& device, ElasticBodies& bodies, const Packed4* position_volume,
                             View<Packed4> records) {
    read_records(device, mass_, last_, bodies.rows(), position_volume, records, pending_);
    answer(device, bodies);
    write_records(device, mass_, held_, start_, change_, bodies.rows(), position_volume, last_, records);
}

void ImpulseResponse::write(const Device& device, const ElasticBodies& bodies,
                            ParticleTable& particles) const {
    write_velocities(device, mass_, start_, change_, bodies.rows(), particles.velocity);
}

std::size_t ImpulseResponse::bytes() const {
    return mass_.capacity() * sizeof(float) + p_.capacity() * sizeof(Packed4) + momentum_.bytes() +
           rigid_.bytes() + held_.capacity() +
           (start_.capacity() + last_.capacity() + change_.capacity() + r_.capacity() + product_.capacity() +
            pending_.capacity() + total_.capacity()) *
               sizeof(Vec3f);
}

}  // namespace thixo
