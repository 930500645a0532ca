#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "fluid/implicit_viscosity.h"
#include "unit/core/near.h"
#include "unit/fluid/pairs.h"

using namespace thixo;

namespace {

constexpr double tolerance = 1e-6;

/// Honey and, beside it, something of another viscosity and density.
struct Jar {
    Tank tank;
    ImplicitViscosity solver;
    std::vector<WallMotion> motion;

    explicit Jar(int d, double other = 50, double error = tolerance)
        : tank(d, KernelName::wendland_c2, {water(50), oil(other)},
               without_pressure(ViscosityMethod::implicit)),
          solver(error, tank.discretisation()) {}

    void fill(std::uint64_t seed) {
        Stream random(seed);
        tank.fill(tank.dimensions == 2 ? 16 : 8, 0.1, 0.03, random);
        tank.evaluate();
    }

    const std::vector<Vec3f>& velocity() const { return tank.particles.velocity; }
    const FluidConstants& constants(Index i) const {
        return tank.fluid.constants()[tank.particles.material[i]];
    }

    void solve(double dt, const Device& device = {1}) {
        FluidState state = tank.state();
        state.motion = motion;
        solver.solve(device, state, tank.fluid.friction(tank.particles), tank.fluid.wall_friction(), dt);
    }

    /// Fᵢ = 2(d+2) V⁰ᵢ Σⱼ V⁰ⱼ μᵢⱼ (vᵢⱼ·xᵢⱼ)/(xᵢⱼ² + h²/100) ∇Wᵢⱼ + V⁰ᵢ μᵢ (pull − drag vᵢ), h = H/2
    Vec3d force(Index i, const std::vector<Vec3f>& v) const {
        Vec3d sum{};
        for_each_pair(tank, v, i, [&](const Pair& p) {
            const double mu = 0.5 * (constants(i).friction + constants(p.j).friction);
            const double h = Tank::support / 2;
            sum += p.x * (p.volume * mu * dot(p.v, p.x) / (p.r * p.r + h * h / 100) * p.gradient);
        });
        Vec3d force = 2 * (tank.dimensions + 2) * volume_of(tank, i) * sum;
        if (!motion.empty()) {
            force += volume_of(tank, i) * constants(i).friction * tank.fluid.wall_friction() *
                     (to_double(motion[i].pull) - double{motion[i].drag} * to_double(v[i]));
        }
        return force;
    }

    /// Mean of |m v − Δt F(v) − m v*|, relative to that of m v*.
    double residual(const std::vector<Vec3f>& before, double dt) const {
        double sum = 0;
        for (Index i = 0; i < tank.particles.size(); ++i) {
            const Vec3d change = to_double(velocity()[i]) - to_double(before[i]);
            sum += norm(double{tank.particles.mass[i]} * change - dt * force(i, velocity()));
        }
        return sum / moments(tank, before).size;
    }
};

}  // namespace

TEST_CASE("implicit viscosity solves its equation, with any two viscosities and walls that hold") {
    CHECK(rc::check([] {
        const int d = *rc::gen::element(2, 3);
        const double dt = *rc::gen::element(0.001, 0.01, 0.1);
        Jar jar(d, *rc::gen::element(0., 5., 50.));
        jar.fill(*rc::gen::arbitrary<std::uint64_t>());
        if (*rc::gen::arbitrary<bool>()) {
            for (Index i = 0; i < jar.tank.particles.size(); ++i) {
                const float drag = i % 3 == 0 ? 100.f : 0.f;
                jar.motion.push_back({.pull = drag * Vec3f{1, -2, 0}, .drag = drag});
            }
        }
        const std::vector<Vec3f> before = jar.velocity();
        jar.solve(dt);
        RC_ASSERT(jar.solver.iterations() > 0);
        RC_ASSERT(largest(difference(jar.velocity(), before)) > 0.01);
        // The residual is measured against a diagonal of up to 1 + 2(d+2) μΔt/(ρ₀ℓ²) masses; single precision
        // adds as many roundings of 6·10⁻⁸.
        const double stiffness = 1 + 2 * (d + 2) * 50 * dt / (600 * Tank::spacing * Tank::spacing);
        RC_ASSERT(jar.residual(before, dt) < 3 * tolerance * stiffness);
    }));
}

TEST_CASE("implicit viscosity leaves rigid bodies alone") {
    for (const int d : {2, 3}) {
        Jar jar(d, 5, 1e-4);
        jar.fill(2);
        const Vec3f spin = d == 2 ? Vec3f{0, 0, 2} : Vec3f{1, -2, 0.5f}, speed{3, 1, 0};
        for (Index i = 0; i < jar.tank.particles.size(); ++i)
            jar.tank.particles.velocity[i] = speed + cross(spin, jar.tank.particles.position[i]);
        const std::vector<Vec3f> before = jar.velocity();
        jar.solve(0.1);
        CHECK(largest(difference(jar.velocity(), before)) <= 1e-4 * largest(before));
    }
}

TEST_CASE("implicit viscosity keeps momentum and angular momentum") {
    CHECK(rc::check([] {
        const int d = *rc::gen::element(2, 3);
        Jar jar(d, *rc::gen::element(0., 5., 50.));
        jar.fill(*rc::gen::arbitrary<std::uint64_t>());
        const std::vector<Vec3f> before = jar.velocity();
        jar.solve(0.01);
        const Moments change = moments(jar.tank, difference(jar.velocity(), before));
        RC_ASSERT(change.size > 0);
        // What the solver leaves of its residual may have a sum: the tolerance, in units of what there was.
        const double size = moments(jar.tank, before).size;
        RC_ASSERT(norm(change.momentum) < 3 * tolerance * size);
        RC_ASSERT(norm(change.spin) < 3 * tolerance * size * 2);  // the tank is 2 m wide
    }));
}

TEST_CASE("implicit viscosity takes energy, the more the longer it acts") {
    CHECK(rc::check([] {
        const int d = *rc::gen::element(2, 3);
        const double other = *rc::gen::element(0., 5., 50.);
        const auto seed = *rc::gen::arbitrary<std::uint64_t>();
        double last = std::numeric_limits<double>::infinity();
        for (const double dt : {1e-3, 1e-2, 1e-1, 1.}) {
            Jar jar(d, other);
            jar.fill(seed);
            const double before = moments(jar.tank, jar.velocity()).energy;
            jar.solve(dt);
            const double after = moments(jar.tank, jar.velocity()).energy;
            RC_ASSERT(after < before);
            RC_ASSERT(after < last);
            last = after;
        }
    }));
}

TEST_CASE("implicit viscosity is the explicit one, to second order of the step") {
    for (const int d : {2, 3}) {
        const auto distance = [&](double dt) {
            Jar jar(d, 5);
            jar.fill(5);
            const std::vector<Vec3f> before = jar.velocity();
            jar.solve(dt);
            double sum = 0;
            for (Index i = 0; i < jar.tank.particles.size(); ++i) {
                const Vec3d change = to_double(jar.velocity()[i]) - to_double(before[i]);
                sum += norm(change - dt / jar.tank.particles.mass[i] * jar.force(i, before));
            }
            return sum / jar.tank.particles.size();
        };
        // Stiffest modes decay at some 50/s: higher orders are a few percent.
        CHECK(distance(4e-4) / distance(2e-4) == near(4, 0.1));
    }
}

TEST_CASE("a wall that holds brings fluid to its velocity") {
    for (const float start : {0.f, 3.f}) {
        for (const double dt : {0.01, 1e4}) {
            Jar jar(3, 50);
            jar.fill(9);
            const Vec3f speed{1, -2, 0.5f};
            const float drag = 100;
            for (Index i = 0; i < jar.tank.particles.size(); ++i) {
                jar.tank.particles.velocity[i] = start * speed;
                // Everywhere alike: as strong for what is heavy, so that all move as one.
                const float fraction = jar.tank.particles.material[i] == 0 ? 1.f : 0.6f;
                jar.motion.push_back({.pull = fraction * drag * speed, .drag = fraction * drag});
            }
            jar.solve(dt);
            // m v + k u: v = (v* + k u)/(1 + k)
            const double k = dt * jar.constants(0).friction * jar.tank.fluid.wall_friction() * drag / 1000;
            const double expected = (start + k) / (1 + k);
            for (const Vec3f& v : jar.velocity())
                CHECK(norm(to_double(v) - expected * to_double(speed)) < 1e-4 * norm(to_double(speed)));
        }
    }
}

TEST_CASE("implicit viscosity does not depend on the number of threads") {
    std::vector<Vec3f> first;
    for (const int threads : {1, 2, 8}) {
        Jar jar(3, 5);
        Stream random(6);
        jar.tank.fill(12, 0.1, 0.03, random);
        jar.tank.evaluate(Device{threads});
        jar.solve(0.01, Device{threads});
        if (first.empty()) first = jar.velocity();
        CHECK(jar.velocity() == first);
    }
}
