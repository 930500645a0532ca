#include "elastic/implicit.h"

#include <functional>
#include <utility>

namespace thixo {

namespace {

/// rᵀM⁻¹r, and the same of the free accelerations, to which the tolerance is relative.
struct StartSums {
    double rz = 0, free = 0;

    friend StartSums operator+(const StartSums& a, const StartSums& b) {
        return {a.rz + b.rz, a.free + b.free};
    }
};

}  // namespace

/// Newmark's β (Newmark 1959): at ¼ and above no step is too long for the linear model. θ: modes that the
/// step does not resolve lose their energy, those it does keep nearly all of it. Measured: a cantilever of
/// 10⁷ Pa needs 0.02, a spinning bar of 10⁸ Pa 0.1 (docs/theory/implicit_elasticity.md).
ImplicitScheme ImplicitElasticity::for_forces() { return {.response = 0.25 + 0.5 * 0.1, .dissipation = 0.1}; }

/// Both eigenvalues of a mode that is far too fast for the step are −ρ: it alternates, and is gone after a
/// few steps. That is so for a = 1/(1 + ρ)², θ = (1 − ρ)/(1 + ρ).
ImplicitScheme ImplicitElasticity::for_impulses() {
    constexpr double rho = 0.5;
    return {.response = 1 / ((1 + rho) * (1 + rho)), .dissipation = (1 - rho) / (1 + rho)};
}

ImplicitElasticity::ImplicitElasticity(const ElasticMethods& methods, const ImplicitScheme& scheme)
    : scheme_(scheme),
      tolerance_(methods.elasticity_error),
      most_iterations_(methods.elasticity_iterations) {}

void ImplicitElasticity::begin(const Device& device, const ElasticBodies& bodies,
                               const ParticleTable& particles, View<const Vec3f> acceleration,
                               RigidParts rigid) {
    const View<const Index> row = bodies.rows();
    const auto n = static_cast<Index>(row.size());
    free_.resize(n);
    mass_.resize(n);
    a_.resize(n);
    launch(device, n,
           [=, m = View<const float>(particles.mass),
            kinematic = View<const std::uint16_t>(particles.kinematic_id),
            phase = View<const Phase>(particles.phase), free = View(free_), mass = View(mass_)](Index s) {
               const bool there = row[s] != ElasticBodies::vacant;
               free[s] = there ? acceleration[row[s]] : Vec3f{};
               mass[s] = there && kinematic[row[s]] == 0 && phase[row[s]] != Phase::rigid ? m[row[s]] : 0.f;
           });
    rigid_.begin(std::move(rigid));
    momentum_.prepare(device, bodies, particles, mass_, rigid_.of);
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
    const double dissipation = scheme_.dissipation, alpha = scheme_.response * kick * dt, half = 0.5 * kick;
    // θ Δt K v and α K a are one product, unless damping differs.
    const bool damped = bodies.damped();
    const auto factor = static_cast<float>(damped ? 0 : dissipation * dt / alpha);
    if (damped) {
        launch(device, n, [=](Index s) { p[s] = packed(v(s)); });
        bodies.apply_stiffness(device, dissipation * dt, 0, p, product);
    }
    // Kinematic particles do not take part: there is no acceleration to be found, and no residual. Those of
    // rigid parts start from theirs.
    rigid_.begin(std::move(rigid_.of));
    launch(device, n, [=](Index s) {
        if (m[s] == 0) a[s] = free[s];
        r[s] = m[s] > 0 ? m[s] * (free[s] - a[s]) + (damped ? product[s] : Vec3f{}) : Vec3f{};
        p[s] = packed(a[s] + factor * v(s));
    });
    const LinearResponse response = bodies.respond_linearly(device, alpha, half, p);
    const StartSums sums = reduce(
        device, n, StartSums{},
        [=](Index s) {
            p[s] = {};
            if (m[s] == 0) return StartSums{};
            r[s] += response.force(s);
            const Vec3f z = r[s] / m[s];
            p[s] = packed(z);
            return StartSums{dot(to_double(r[s]), to_double(z)), m[s] * norm2(to_double(free[s]))};
        },
        std::plus<>());
    double rz = sums.rz;
    if (!rigid_.of.empty()) {
        rigid_.add_forces([&](Index s) { return response.force(s) + (damped ? product[s] : Vec3f{}); });
        rz += rigid_.begin_search(p);
    }
    ElasticSystem system{.device = device,
                         .bodies = bodies,
                         .alpha = alpha,
                         .half_step = half,
                         .target = tolerance_ * tolerance_ * sums.free,
                         .m = m,
                         .a = a,
                         .r = r,
                         .product = product,
                         .rigid = rigid_,
                         .p = p};
    iterations_ = conjugate_gradient(system, rz, most_iterations_);
    keep_momentum(device);
    launch(device, n, [=](Index s) {
        if (row[s] != ElasticBodies::vacant) acceleration[row[s]] = m[s] > 0 ? a[s] : free[s];
    });
    for (const RigidParts::Member& member : rigid_.of.members)
        acceleration[row[member.elastic]] += member.at(rigid_.solution[member.part]);
}

void ImplicitElasticity::keep_momentum(const Device& device) {
    // The stiffness with rotations as they are resists the turning of what is deformed, a little, and the
    // iteration stops before the end.
    launch(device, static_cast<Index>(a_.size()),
           [m = View<const float>(mass_), free = View<const Vec3f>(free_), a = View<const Vec3f>(a_),
            r = View(r_)](Index s) { r[s] = m[s] * (free[s] - a[s]); });
    for (Index k = 0; k < rigid_.of.parts.size(); ++k)
        rigid_.residual[k] = rigid_.of.times_mass(k, -1.0 * rigid_.solution[k]);
    momentum_.give(device, r_, a_, rigid_);
}

std::size_t ImplicitElasticity::bytes() const {
    return (free_.capacity() + a_.capacity() + r_.capacity() + product_.capacity()) * sizeof(Vec3f) +
           mass_.capacity() * sizeof(float) + momentum_.bytes() + rigid_.bytes() +
           p_.capacity() * sizeof(Packed4);
}

}  // namespace thixo
