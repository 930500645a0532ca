#include "lattice/implicit_lattice.h"

#include <algorithm>

#include "core/impulse_passes.h"

namespace thixo {

namespace {

/// Of the residual, in the norm of rᵀM⁻¹r, this is left to the next answer: callers iterate themselves
/// (elastic/impulse_response.cpp).
constexpr double left_to_next = 0.5;

/// A residual is left to the next answer without any gradients where its impulses are below this fraction of
/// all: what is still pushed then is little, and what a body as a whole answers has been given already.
constexpr double negligible_residual = 0.01;

/// Below this fraction of Σ m v² the residual is what rounding velocities to single precision makes.
constexpr double lattice_rounding = 1e-13;

/// Mass of each site that takes part, else 0.
void find_masses(const Device& device, const LatticeSolids& solids, const ParticleTable& particles,
                 std::vector<float>& mass) {
    const View<const Index> row = solids.rows();
    mass.resize(row.size());
    launch(device, static_cast<Index>(row.size()),
           [=, m = View<const float>(particles.mass),
            kinematic = View<const std::uint16_t>(particles.kinematic_id), out = View(mass)](Index s) {
               out[s] = row[s] != LatticeSolids::vacant && kinematic[row[s]] == 0 ? m[row[s]] : 0.f;
           });
}

/// Sums of a residual and of what it is compared with.
struct ResidualSums {
    double rz = 0, scale = 0, all = 0;

    friend ResidualSums operator+(const ResidualSums& a, const ResidualSums& b) {
        return {a.rz + b.rz, a.scale + b.scale, a.all + b.all};
    }
};

}  // namespace

void ImplicitLattice::begin(const Device& device, const LatticeSolids& solids, const ParticleTable& particles,
                            View<const Vec3f> acceleration, View<const Vec3f> outside) {
    const View<const Index> row = solids.rows();
    const auto n = static_cast<Index>(row.size());
    free_.resize(n);
    find_masses(device, solids, particles, mass_);
    outside_.resize(n);
    launch(device, n, [=, free = View(free_), from_outside = View(outside_)](Index s) {
        const bool there = row[s] != LatticeSolids::vacant;
        free[s] = there ? acceleration[row[s]] : Vec3f{};
        from_outside[s] = there ? outside[row[s]] : Vec3f{};
    });
    momentum_.prepare(solids.sites(), particles.position, solids.components(), mass_);
}

void ImplicitLattice::solve(const Device& device, LatticeSolids& solids, const ParticleTable& particles,
                            double kick, double dt, View<Vec3f> acceleration) {
    const auto n = static_cast<Index>(free_.size());
    r_.resize(n);
    product_.resize(n);
    p_.resize(n);
    const View<const Index> row = solids.rows();
    const View<const Vec3f> free(free_);
    const auto v = [row, all = View<const Vec3f>(particles.velocity)](Index s) {
        return row[s] == LatticeSolids::vacant ? Vec3f{} : all[row[s]];
    };
    const View<const float> m(mass_);
    const View a(a_), r(r_), product(product_);
    const View p(p_);
    const double dissipation = scheme_.dissipation, alpha = scheme_.response * kick * dt, half = 0.5 * kick;
    a_.assign(n, {});
    // What turns is accelerated towards its centre. The stiffness is not to resist that, or it would swell:
    // it acts on a − c.
    launch(device, n, [=](Index s) { r[s] = m[s] * v(s); });
    momentum_.give(device, r_, a_);
    std::vector<Vec3f> centripetal(n);
    launch(device, n, [=, momentum = &momentum_, a = View(a_), c = View(centripetal)](Index s) {
        c[s] = momentum->centripetal(s);
        a[s] = {};
    });
    const View<const Vec3f> c(centripetal);
    // The first guess: rigid motions.
    const View<const Vec3f> outside(outside_);
    launch(device, n, [=](Index s) { r[s] = m[s] * outside[s]; });
    momentum_.give(device, r_, a_);
    launch(device, n, [=, a = View(a_), half_step = static_cast<float>(half)](Index s) {
        a[s] = m[s] == 0 ? free[s] : a[s] + c[s];
        p[s] = record_with(v(s) + half_step * c[s]);  // velocities are those of half a step ago
    });
    {
        const LatticeResponseForces braking = solids.respond_linearly(device, dissipation * dt, 0, p);
        launch(device, n, [=, a = View<const Vec3f>(a_)](Index s) {
            r[s] = m[s] > 0 ? m[s] * (free[s] - a[s]) + braking.force(s) : Vec3f{};
        });
    }
    launch(device, n, [=, a = View<const Vec3f>(a_)](Index s) { p[s] = record_with(a[s] - c[s]); });
    const LatticeResponseForces resisting = solids.respond_linearly(device, alpha, half, p);
    const ResidualSums sums = reduce(
        device, n, ResidualSums{},
        [=](Index s) {
            p[s] = {};
            if (m[s] == 0) return ResidualSums{};
            r[s] += resisting.force(s);
            const Vec3f z = r[s] / m[s];
            p[s] = record_with(z);
            return ResidualSums{dot(to_double(r[s]), to_double(z)), m[s] * norm2(to_double(free[s]))};
        },
        std::plus<>());
    LatticeSystem system{.device = device,
                         .solids = solids,
                         .alpha = alpha,
                         .half_step = half,
                         .target = tolerance_ * tolerance_ * sums.scale,
                         .m = m,
                         .a = View(a_),
                         .r = r,
                         .product = product,
                         .p = p};
    iterations_ = conjugate_gradient(system, sums.rz, most_iterations_);
    // The stiffness resists the turning of what is deformed, a little, and the iteration stops before the
    // end.
    launch(device, n, [=, a = View<const Vec3f>(a_)](Index s) { r[s] = m[s] * (outside[s] - a[s]); });
    momentum_.give(device, r_, a_);
    launch(device, n, [=, a = View<const Vec3f>(a_)](Index s) {
        if (row[s] != LatticeSolids::vacant) acceleration[row[s]] = m[s] > 0 ? a[s] : free[s];
    });
}

std::size_t ImplicitLattice::bytes() const {
    return (free_.capacity() + outside_.capacity() + a_.capacity() + r_.capacity() + product_.capacity()) *
               sizeof(Vec3f) +
           mass_.capacity() * sizeof(float) + p_.capacity() * sizeof(Packed4) + momentum_.bytes();
}

void LatticeResponse::begin(const Device& device, const LatticeSolids& solids, const ParticleTable& particles,
                            double dt) {
    const View<const Index> row = solids.rows();
    const auto n = static_cast<Index>(row.size());
    alpha_ = scheme_.response * dt * dt;
    half_step_ = 0.5 * dt;
    iterations_ = 0;
    find_masses(device, solids, particles, mass_);
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
           [=, m = View<const float>(mass_), v = View<const Vec3f>(particles.velocity), held = View(held_),
            start = View(start_), last = View(last_)](Index s) {
               const bool there = row[s] != LatticeSolids::vacant;
               held[s] = there && m[s] == 0;
               start[s] = last[s] = there ? v[row[s]] : Vec3f{};
           });
    momentum_.prepare(solids.sites(), particles.position, solids.components(), mass_);
}

void LatticeResponse::begin_again(const Device& device) {
    thixo::begin_again(device, start_, last_, change_, r_, total_);
}

void LatticeResponse::answer(const Device& device, LatticeSolids& solids) {
    const auto n = static_cast<Index>(mass_.size());
    const View<const float> m(mass_);
    const View<Vec3f> r(r_), change(change_);
    const View<Packed4> p(p_);
    take_up(device, pending_, r_, total_);
    momentum_.give(device, r, change);
    const ResidualSums sums = reduce(
        device, n, ResidualSums{},
        [=, momentum = &momentum_, start = View<const Vec3f>(start_),
         total = View<const Vec3f>(total_)](Index s) {
            p[s] = {};
            if (m[s] == 0) return ResidualSums{};
            // The stiffness does not see rigid motions.
            r[s] -= m[s] * momentum->given(s);
            const Vec3f z = r[s] / m[s];
            p[s] = record_with(z);
            return ResidualSums{dot(to_double(r[s]), to_double(z)), m[s] * norm2(to_double(start[s])),
                                norm2(to_double(total[s])) / m[s]};
        },
        std::plus<>());
    LatticeSystem system{.device = device,
                         .solids = solids,
                         .alpha = alpha_,
                         .half_step = half_step_,
                         .target = std::max({left_to_next * sums.rz, lattice_rounding * sums.scale,
                                             negligible_residual * negligible_residual * sums.all}),
                         .m = m,
                         .a = change,
                         .r = r,
                         .product = product_,
                         .p = p};
    iterations_ += conjugate_gradient(system, sums.rz, most_iterations_);
    find_missing(device, mass_, total_, change_, product_);
    momentum_.give(device, product_, change);
}

void LatticeResponse::spread(const Device& device, LatticeSolids& solids, const Packed4* position_volume,
                             View<Packed4> records) {
    read_records(device, mass_, last_, solids.rows(), position_volume, records, pending_);
    answer(device, solids);
    write_records(device, mass_, held_, start_, change_, solids.rows(), position_volume, last_, records);
}

void LatticeResponse::write(const Device& device, const LatticeSolids& solids,
                            ParticleTable& particles) const {
    write_velocities(device, mass_, start_, change_, solids.rows(), particles.velocity);
}

std::size_t LatticeResponse::bytes() const {
    std::size_t vectors = 0;
    for (const auto* each : {&start_, &last_, &pending_, &change_, &r_, &total_, &product_})
        vectors += each->capacity();
    return vectors * sizeof(Vec3f) + mass_.capacity() * sizeof(float) + held_.capacity() +
           p_.capacity() * sizeof(Packed4) + momentum_.bytes();
}

}  // namespace thixo
