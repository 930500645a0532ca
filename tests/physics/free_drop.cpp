#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "physics/tank.h"

using namespace thixo;

namespace {

constexpr double c = 10;

struct Ledger {
    Vec3d momentum, angular_momentum;
    double energy = 0;  ///< kinetic and of compression
    double motion = 0;  ///< Σ m |v|
    double spin = 0;    ///< Σ m |x| |v|
};

std::vector<Vec3d> velocities_by_id(const ParticleTable& p) {
    std::vector<Vec3d> v(p.size());
    for (Index i = 0; i < p.size(); ++i) v[p.id[i]] = to_double(p.velocity[i]);
    return v;
}

/// Makes a step and takes stock of the state at its start: there the density belongs to the positions, and
/// the velocity is the mean of those half a step before and after.
Ledger step(Simulation& sim) {
    const std::vector<Vec3d> before = velocities_by_id(sim.particles());
    std::vector<Vec3d> x(before.size());
    for (Index i = 0; i < sim.particles().size(); ++i)
        x[sim.particles().id[i]] = to_double(sim.particles().position[i]);
    const bool first = sim.clock().step == 0;
    sim.step(1e9);
    const ParticleTable& p = sim.particles();
    Ledger sum;
    for (Index i = 0; i < p.size(); ++i) {
        // At the very start the velocity is known as it is.
        const Vec3d was = before[p.id[i]], now = to_double(p.velocity[i]),
                    v = first ? was : 0.5 * (was + now);
        const double m = p.mass[i], s = p.density[i] / 1000;
        sum.momentum += m * v;
        sum.angular_momentum += m * cross(x[p.id[i]], v);
        sum.motion += m * norm(v);
        sum.spin += m * norm(x[p.id[i]]) * norm(v);
        sum.energy += 0.5 * m * norm2(v);
        if (s > 1) sum.energy += m * c * c * (std::log(s) + 1 / s - 1);
    }
    return sum;
}

/// A spinning, drifting drop that is being squeezed.
Simulation drop(int dimensions, double scale) {
    const double spacing = dimensions == 2 ? pick(0.05, 0.02) : pick(0.1, 0.04);
    Model model = weightless(dimensions, spacing, liquid(c, 0));
    model.solver.time_step_scale = scale;
    Object body = filled(Sphere{{0.2, -0.1, 0}, 0.5});
    body.velocity = {0.5, 0.2, 0};
    body.angular_velocity = {0, 0, 1};
    ParticleTable particles = populate(model, {body});
    for (Index i = 0; i < particles.size(); ++i)
        particles.velocity[i] -= 0.8f * (particles.position[i] - Vec3f{0.2f, -0.1f, 0});
    return {model, std::move(particles)};
}

/// The largest change of energy on the way to `end`, as a fraction of the energy.
double energy_error(int dimensions, double scale, double end) {
    Simulation sim = drop(dimensions, scale);
    const double start = step(sim).energy;
    double error = 0;
    while (sim.clock().time < end) error = std::max(error, std::abs(step(sim).energy / start - 1));
    return error;
}

}  // namespace

TEST_CASE("a free drop keeps its momentum, angular momentum and energy") {
    for (const int dimensions : {2, 3}) {
        Simulation sim = drop(dimensions, 1);
        const Ledger first = step(sim);
        Ledger last;
        double highest = 0;
        for (int k = 0; k < 1000; ++k) {
            last = step(sim);
            highest = std::max(highest, last.energy);
        }
        INFO(dimensions, "D: energy ", last.energy / first.energy, ", at most ", highest / first.energy);
        CHECK(norm(last.momentum - first.momentum) < 1e-6 * first.motion);
        CHECK(norm(last.angular_momentum - first.angular_momentum) < 1e-3 * norm(first.angular_momentum));
        // Nothing takes energy and nothing gives any; the step itself errs in second order.
        CHECK(highest < 1.02 * first.energy);
        CHECK(last.energy > 0.95 * first.energy);
    }
}

TEST_CASE("the error of the energy shrinks with the time step") {
    for (const int dimensions : {2, 3}) {
        const double end = 0.3;
        const double whole = energy_error(dimensions, 1, end), half = energy_error(dimensions, 0.5, end),
                     quarter = energy_error(dimensions, 0.25, end);
        INFO(dimensions, "D: ", whole, " ", half, " ", quarter);
        // Second order would be a factor of four each; pressures that start at zero have a kink.
        CHECK(half < whole / 2);
        CHECK(quarter < half / 2);
    }
}
