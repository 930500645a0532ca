#include "elastic/implicit.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/conjugate_gradient.h"
#include "core/rigid_fit.h"

namespace thixo {

namespace {

/// Newmark's β (Newmark 1959). At ¼ and above no step is too long for the linear model.
constexpr double beta = 0.25;

/// θ: modes that the step does not resolve lose their energy, those it does keep nearly all of it. Measured: a cantilever of 10⁷ Pa needs
/// 0.02, a spinning bar of 10⁸ Pa 0.1 (docs/theory/implicit_elasticity.md).
constexpr double dissipation = 0.1;

Packed4 pack(const Vec3f& a) { return {a.x, a.y, a.z, 0}; }
Vec3f unpack(const Packed4& a) { return {a.x, a.y, a.z}; }

/// (M + α K + ½ Δt C) a = b over the indices that take part, with the masses for preconditioner.
struct ElasticSystem {
    const Device& device;
    ElasticBodies& bodies;
    double alpha, half_step;
    double target;  ///< of rᵀM⁻¹r
    View<const float> m;
    View<Vec3f> a, r, product;
    View<Packed4> p;

    bool converged(double rz) const { return !(rz > target); }

    DirectionProducts multiply() {
        const LinearResponse response = bodies.respond_linearly(device, alpha, half_step, p);
        return reduce(
            device, size(), DirectionProducts{},
            [=, m = m, product = product, p = p](Index s) {
                if (m[s] == 0) return DirectionProducts{};
                const Vec3f q = m[s] * unpack(p[s]) - response.force(s);
                product[s] = q;
                return DirectionProducts{dot(to_double(unpack(p[s])), to_double(q)),
                                         norm2(to_double(q)) / m[s]};
            },
            std::plus<>());
    }

    double advance(double step, double turn) {
        const auto length = static_cast<float>(step), keep = static_cast<float>(turn);
        return reduce_sum(device, size(), [=, m = m, a = a, r = r, product = product, p = p](Index s) {
            if (m[s] == 0) return 0.0;
            const Vec3f last = unpack(p[s]);
            a[s] += length * last;
            r[s] -= length * product[s];
            const Vec3f z = r[s] / m[s];
            p[s] = pack(z + keep * last);
            return dot(to_double(r[s]), to_double(z));
        });
    }

    Index size() const { return static_cast<Index>(m.size()); }
};

/// rᵀM⁻¹r, and the same of the free accelerations, to which the tolerance is relative.
struct StartSums {
    double rz = 0, free = 0;

    friend StartSums operator+(const StartSums& a, const StartSums& b) {
        return {a.rz + b.rz, a.free + b.free};
    }
};

/// Bodies of rods have no inertia about themselves: this fraction of the trace is added. Any number far above the rounding of sums in
/// double precision and far below 1 will do.
constexpr double thinnest = 1e-6;

}  // namespace

ImplicitElasticity::ImplicitElasticity(const ElasticMethods& methods)
    : tolerance_(methods.elasticity_error), most_iterations_(methods.elasticity_iterations) {}

void ImplicitElasticity::begin(const Device& device, const ElasticBodies& bodies,
                               const ParticleTable& particles, View<const Vec3f> acceleration) {
    const View<const Index> row = bodies.rows();
    const auto n = static_cast<Index>(row.size());
    free_.resize(n);
    mass_.resize(n);
    a_.resize(n);
    launch(
        device, n,
        [=, m = View<const float>(particles.mass), hold = View<const std::uint16_t>(particles.kinematic_id),
         free = View(free_), mass = View(mass_)](Index s) {
            const bool there = row[s] != ElasticBodies::vacant;
            free[s] = there ? acceleration[row[s]] : Vec3f{};
            mass[s] = there && hold[row[s]] == 0 ? m[row[s]] : 0.f;
        });
}

void ImplicitElasticity::solve(const Device& device, ElasticBodies& bodies, const ParticleTable& particles,
                               double kick, double dt, View<Vec3f> acceleration) {
    const auto n = static_cast<Index>(free_.size());
    r_.resize(n);
    product_.resize(n);
    p_.resize(n);
    const View<const Index> row = bodies.rows();
    const View<const Vec3f> free(free_);
    const auto v = [row, all = View<const Vec3f>(particles.velocity)](Index s) {
        return row[s] == ElasticBodies::vacant ? Vec3f{} : all[row[s]];
    };
    const View<const float> m(mass_);
    const View a(a_), r(r_), product(product_);
    const View p(p_);
    const double alpha = (beta + 0.5 * dissipation) * kick * dt, half = 0.5 * kick;
    // θ Δt K v and α K a are one product, unless damping differs.
    const bool damped = bodies.damped();
    const auto factor = static_cast<float>(damped ? 0 : dissipation * dt / alpha);
    if (damped) {
        launch(device, n, [=](Index s) { p[s] = pack(v(s)); });
        bodies.apply_stiffness(device, dissipation * dt, 0, p, product);
    }
    // Kinematic particles do not take part: there is no acceleration to be found, and no residual.
    launch(device, n, [=](Index s) {
        if (m[s] == 0) a[s] = {};
        r[s] = m[s] > 0 ? m[s] * (free[s] - a[s]) + (damped ? product[s] : Vec3f{}) : Vec3f{};
        p[s] = pack(a[s] + factor * v(s));
    });
    const LinearResponse response = bodies.respond_linearly(device, alpha, half, p);
    const StartSums sums = reduce(
        device, n, StartSums{},
        [=](Index s) {
            p[s] = {};
            if (m[s] == 0) return StartSums{};
            r[s] += response.force(s);
            const Vec3f z = r[s] / m[s];
            p[s] = pack(z);
            return StartSums{dot(to_double(r[s]), to_double(z)), m[s] * norm2(to_double(free[s]))};
        },
        std::plus<>());
    ElasticSystem system{device, bodies, alpha, half,    tolerance_ * tolerance_ * sums.free,
                         m,      a,      r,     product, p};
    iterations_ = conjugate_gradient(system, sums.rz, most_iterations_);
    keep_momentum(bodies, particles);
    launch(device, n, [=](Index s) {
        if (row[s] != ElasticBodies::vacant) acceleration[row[s]] = m[s] > 0 ? a[s] : free[s];
    });
}

void ImplicitElasticity::keep_momentum(const ElasticBodies& bodies, const ParticleTable& particles) {
    // The stiffness with rotations as they are resists the turning of what is deformed, a little, and the iteration stops
    // before the end. Serial: sums over bodies, in the order of elastic indices.
    const View<const Index> row = bodies.rows();
    struct Correction {
        RigidFit missing;  ///< of the acceleration, in place of a velocity
        bool kinematic = false;
    };
    std::vector<Correction> corrections;
    for (Index s = 0; s < a_.size(); ++s) {
        if (row[s] == ElasticBodies::vacant) continue;
        const std::uint32_t body = particles.body[row[s]];
        if (body >= corrections.size()) corrections.resize(body + 1);
        if (mass_[s] == 0) corrections[body].kinematic = true;
    }
    for (Index s = 0; s < a_.size(); ++s) {
        if (row[s] == ElasticBodies::vacant) continue;
        Correction& correction = corrections[particles.body[row[s]]];
        if (correction.kinematic) continue;
        const double m = mass_[s];
        correction.missing.add(m, to_double(particles.position[row[s]]),
                               m * (to_double(free_[s]) - to_double(a_[s])));
    }
    std::vector<RigidMotion> motions;
    for (const Correction& correction : corrections) motions.push_back(correction.missing.motion(thinnest));
    for (Index s = 0; s < a_.size(); ++s) {
        if (row[s] == ElasticBodies::vacant) continue;
        const std::uint32_t body = particles.body[row[s]];
        if (corrections[body].kinematic) continue;
        a_[s] += to_float(motions[body].at(to_double(particles.position[row[s]])));
    }
}

std::size_t ImplicitElasticity::bytes() const {
    return (free_.capacity() + a_.capacity() + r_.capacity() + product_.capacity()) * sizeof(Vec3f) +
           mass_.capacity() * sizeof(float) + p_.capacity() * sizeof(Packed4);
}

}  // namespace thixo
