#include "elastic/implicit.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace thixo {

namespace {

/// Newmark's β. At ¼ and above no step is too long for the linear model.
constexpr double beta = 0.25;

/// θ: modes that the step does not resolve lose their energy, those it does keep nearly all of it.
constexpr double dissipation = 0.1;

Packed4 pack(const Vec3f& a) { return {a.x, a.y, a.z, 0}; }
Vec3f unpack(const Packed4& a) { return {a.x, a.y, a.z}; }

/// Two sums of one sweep.
struct Products {
    double first = 0, second = 0;

    friend Products operator+(const Products& a, const Products& b) {
        return {a.first + b.first, a.second + b.second};
    }
};

/// Momentum and angular momentum that the iterative solver has left out of a body.
struct MomentumDefect {
    double mass = 0;
    Vec3d first;       ///< Σ m x
    Mat3d second;      ///< Σ m x xᵀ
    Vec3d push, turn;  ///< Σ m Δa, Σ m x × Δa
    bool held = false;
};

/// Rigid acceleration u + w × x that corrects both.
struct RigidMotion {
    Vec3d u, w;
};

Mat3d inverse(const Mat3d& a) {
    return transposed(Mat3d{cross(a.y, a.z), cross(a.z, a.x), cross(a.x, a.y)}) * (1 / determinant(a));
}

RigidMotion momentum_correction(const MomentumDefect& d) {
    if (d.held || !(d.mass > 0)) return {};
    const Vec3d c = d.first / d.mass;
    const Mat3d spread = d.second - outer(c, c) * d.mass;
    // Rods have no moment of inertia about themselves, and nothing that turns them: what is added there does no harm.
    Mat3d inertia = identity<double>() * trace(spread) - spread;
    const double size = trace(inertia);
    if (!(size > 0)) return {d.push / d.mass, {}};
    inertia += identity<double>() * (1e-6 * size);
    const Vec3d w = inverse(inertia) * (d.turn - cross(c, d.push));
    return {d.push / d.mass - cross(w, c), w};
}

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
    launch(device, n,
           [=, m = View<const float>(particles.mass), hold = View<const std::uint16_t>(particles.hold),
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
    // θ Δt K v and α K a are one product, unless damping is to be told apart.
    const bool damped = bodies.damped();
    const auto share = static_cast<float>(damped ? 0 : dissipation * dt / alpha);
    if (damped) {
        launch(device, n, [=](Index s) { p[s] = pack(v(s)); });
        bodies.apply_stiffness(device, dissipation * dt, 0, p, product);
    }
    // Held slots do not take part: there is no acceleration to be found, and no residual.
    launch(device, n, [=](Index s) {
        if (m[s] == 0) a[s] = {};
        r[s] = m[s] > 0 ? m[s] * (free[s] - a[s]) + (damped ? product[s] : Vec3f{}) : Vec3f{};
        p[s] = pack(a[s] + share * v(s));
    });
    LinearResponse response = bodies.respond_linearly(device, alpha, half, p);
    Products sums = reduce(
        device, n, Products{},
        [=](Index s) {
            p[s] = {};
            if (m[s] == 0) return Products{};
            r[s] += response.force(s);
            const Vec3f z = r[s] / m[s];
            p[s] = pack(z);
            return Products{dot(to_double(r[s]), to_double(z)), m[s] * norm2(to_double(free[s]))};
        },
        std::plus<>());
    double rr = sums.first;
    const double target = tolerance_ * tolerance_ * sums.second;
    for (iterations_ = 0; rr > target && iterations_ < most_iterations_; ++iterations_) {
        response = bodies.respond_linearly(device, alpha, half, p);
        sums = reduce(
            device, n, Products{},
            [=](Index s) {
                if (m[s] == 0) return Products{};
                const Vec3f q = m[s] * unpack(p[s]) - response.force(s);
                product[s] = q;
                return Products{dot(to_double(unpack(p[s])), to_double(q)), norm2(to_double(q)) / m[s]};
            },
            std::plus<>());
        // The new rᵀM⁻¹r is foretold, for directions that conjugate gradients take satisfy pᵀAp = rᵀM⁻¹Ap: with it
        // one sweep does for all. What it is in fact is summed there, so that errors do not grow.
        const double step = rr / sums.first;
        const double next = std::max(0.0, step * step * sums.second - rr);
        const auto advance = static_cast<float>(step), keep = static_cast<float>(next / rr);
        rr = reduce_sum(device, n, [=](Index s) {
            if (m[s] == 0) return 0.0;
            const Vec3f last = unpack(p[s]);
            a[s] += advance * last;
            r[s] -= advance * product[s];
            const Vec3f z = r[s] / m[s];
            p[s] = pack(z + keep * last);
            return dot(to_double(r[s]), to_double(z));
        });
    }
    keep_momentum(bodies, particles);
    launch(device, n, [=](Index s) {
        if (row[s] != ElasticBodies::vacant) acceleration[row[s]] = m[s] > 0 ? a[s] : free[s];
    });
}

void ImplicitElasticity::keep_momentum(const ElasticBodies& bodies, const ParticleTable& particles) {
    // The stiffness with rotations as they are resists the turning of what is deformed, a little, and the search stops
    // before the end. Serial: sums over bodies, in the order of slots.
    const View<const Index> row = bodies.rows();
    std::vector<MomentumDefect> defects;
    for (Index s = 0; s < a_.size(); ++s) {
        if (row[s] == ElasticBodies::vacant) continue;
        const std::uint32_t body = particles.body[row[s]];
        if (body >= defects.size()) defects.resize(body + 1);
        if (mass_[s] == 0) defects[body].held = true;
    }
    for (Index s = 0; s < a_.size(); ++s) {
        if (row[s] == ElasticBodies::vacant) continue;
        MomentumDefect& d = defects[particles.body[row[s]]];
        if (d.held) continue;
        const double m = mass_[s];
        const Vec3d x = to_double(particles.position[row[s]]),
                    missing = m * (to_double(free_[s]) - to_double(a_[s]));
        d.mass += m;
        d.first += m * x;
        d.second += outer(x, x) * m;
        d.push += missing;
        d.turn += cross(x, missing);
    }
    std::vector<RigidMotion> motions;
    for (const MomentumDefect& d : defects) motions.push_back(momentum_correction(d));
    for (Index s = 0; s < a_.size(); ++s) {
        if (row[s] == ElasticBodies::vacant) continue;
        const std::uint32_t body = particles.body[row[s]];
        if (defects[body].held) continue;
        const RigidMotion& motion = motions[body];
        a_[s] += to_float(motion.u + cross(motion.w, to_double(particles.position[row[s]])));
    }
}

std::size_t ImplicitElasticity::bytes() const {
    return (free_.capacity() + a_.capacity() + r_.capacity() + product_.capacity()) * sizeof(Vec3f) +
           mass_.capacity() * sizeof(float) + p_.capacity() * sizeof(Packed4);
}

}  // namespace thixo
