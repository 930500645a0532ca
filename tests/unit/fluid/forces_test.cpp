#include <doctest/doctest.h>

#include <cmath>

#include "sph/kernels.h"
#include "unit/core/near.h"
#include "unit/fluid/tank.h"

using namespace thixo;

namespace {

struct Totals {
    Vec3d force, torque;
    double size = 0;   ///< Σ |F|
    double power = 0;  ///< Σ F·v
};

Totals totals(const Tank& tank) {
    Totals sum;
    for (Index i = 0; i < tank.particles.size(); ++i) {
        const Vec3d f = tank.force(i);
        sum.force += f;
        sum.torque += cross(to_double(tank.particles.position[i]), f);
        sum.size += norm(f);
        sum.power += dot(f, to_double(tank.particles.velocity[i]));
    }
    return sum;
}

/// Too thin for any pressure: what is left is viscosity.
void thin(Tank& tank, Stream& random) { tank.fill(tank.dimensions == 2 ? 14 : 7, 0.13, 0.03, random); }

}  // namespace

TEST_CASE("forces between particles add up to nothing, across materials too") {
    CHECK(rc::check([] {
        const int d = *rc::gen::element(2, 3);
        const double mu = *rc::gen::element(0., 0.5, 50.), other = *rc::gen::element(0., 0.5, 50.);
        Tank tank(d, *rc::gen::elementOf(std::vector(std::begin(kernel_names), std::end(kernel_names))),
                  {water(mu), oil(other)});
        Stream random(*rc::gen::arbitrary<std::uint64_t>());
        tank.fill(d == 2 ? 20 : 8, 0.09, 0.05, random);
        tank.evaluate();
        const Totals sum = totals(tank);
        // Single precision: pairs see the same numbers from both sides up to some roundings of 6·10⁻⁸.
        RC_ASSERT(sum.size > 0);
        RC_ASSERT(norm(sum.force) < 1e-5 * sum.size);
        // Pressure acts along the line between two particles, so it turns nothing either.
        if (mu == 0 && other == 0) RC_ASSERT(norm(sum.torque) < 1e-5 * sum.size * 2);
    }));
}

TEST_CASE("a uniform motion causes no forces") {
    for (const double mu : {0.5, 50.}) {
        Tank tank(3, KernelName::wendland_c2, {water(0.5), oil(mu)});
        Stream random(4);
        thin(tank, random);
        for (Vec3f& v : tank.particles.velocity) v = {3, -1, 2};
        tank.evaluate();
        for (const Vec3f& a : tank.acceleration) CHECK(a == Vec3f{});
    }
}

TEST_CASE("viscosity takes energy, whatever the motion") {
    CHECK(rc::check([] {
        const int d = *rc::gen::element(2, 3);
        Tank tank(d, KernelName::wendland_c2, {water(0.5), oil(*rc::gen::element(0., 0.5, 50.))});
        Stream random(*rc::gen::arbitrary<std::uint64_t>());
        thin(tank, random);
        tank.evaluate();
        for (const float p : tank.particles.pressure) RC_PRE(p == 0);
        RC_ASSERT(totals(tank).power < 0);
    }));
}

TEST_CASE("viscosity is the sum over pairs with the mean of both viscosities") {
    for (const int d : {2, 3}) {
        for (const double other : {0.5, 8.}) {
            Tank tank(d, KernelName::wendland_c2, {water(0.5), oil(other)});
            Stream random(9);
            thin(tank, random);
            tank.evaluate();
            const ParticleTable& p = tank.particles;
            const ViscosityKernel<double> w(Tank::support, d);
            for (Index i = 0; i < p.size(); i += 7) {
                Vec3d a{};
                double size = 0;
                const Material& own = tank.materials[p.material[i]];
                for (Index j = 0; j < p.size(); ++j) {
                    const Material& m = tank.materials[p.material[j]];
                    const double mu = 0.5 * (double{tank.fluid.constants()[p.material[i]].friction} +
                                             tank.fluid.constants()[p.material[j]].friction);
                    const double r = norm(to_double(p.position[i]) - to_double(p.position[j]));
                    const Vec3d dv = to_double(p.velocity[j]) - to_double(p.velocity[i]);
                    a += (p.mass[j] / m.density * mu * w.laplacian(r) / own.density) * dv;
                    size += p.mass[j] / m.density * mu * w.laplacian(r) / own.density * norm(dv);
                }
                CHECK(norm(to_double(tank.acceleration[i]) - a) <= 1e-5 * size);
                CHECK(norm(to_double(tank.fluid.terms(tank.state(), i).viscosity) - a) <= 1e-5 * size);
            }
        }
    }
}

TEST_CASE("the terms of one particle add up to its acceleration") {
    Tank tank(3, KernelName::wendland_c2, {water(0.5), oil(2)});
    tank.sense_walls = [](Tank& t) {
        for (Index i = 0; i < t.particles.size(); ++i) {
            const float gamma = 0.001f * static_cast<float>(t.particles.id[i] % 300);
            t.walls[i] = {.gradient = {0, -20 * gamma, 0}, .gamma = gamma};
        }
    };
    Stream random(2);
    tank.fill(7, 0.09, 0.03, random);
    tank.evaluate();
    for (Index i = 0; i < tank.particles.size(); ++i) {
        const FluidTerms t = tank.fluid.terms(tank.state(), i);
        const double size = norm(t.pressure) + norm(t.wall) + norm(t.viscosity);
        CHECK(norm(t.pressure + t.wall + t.viscosity - tank.acceleration[i]) <= 2e-5 * size + 1e-4);
        CHECK(std::abs(tank.wall_push[i] - norm(t.wall)) <= 1e-5 * norm(t.wall));
        const Material& own = tank.materials[tank.particles.material[i]];
        const double s = tank.particles.density[i] / own.density;
        const double push = -tank.walls[i].gradient.y * tank.particles.pressure[i] / (s * s * own.density);
        CHECK(std::abs(t.wall.y - push) <= 1e-5 * push);
    }
}

TEST_CASE("accelerations do not depend on the number of threads") {
    std::vector<Vec3f> first;
    for (const int threads : {1, 2, 3, 8}) {
        Tank tank(3, KernelName::wendland_c2, {water(0.5), oil(2)});
        Stream random(6);
        tank.fill(14, 0.09, 0.03, random);
        tank.evaluate(Device{threads});
        if (first.empty()) first = tank.acceleration;
        CHECK(tank.acceleration == first);
    }
}

TEST_CASE("sound and viscosity limit the time step, by name") {
    const double H = Tank::support;
    const auto limit_of = [](int d, std::vector<Material> materials) {
        TimeStepLimit limit;
        Tank(d, KernelName::wendland_c2, std::move(materials)).fluid.limit_time_step(limit);
        return limit;
    };
    CHECK(limit_of(3, {water()}).name == "sound in `water`");
    CHECK(limit_of(3, {water()}).seconds == near(0.2 * H / 20));
    CHECK(limit_of(3, {oil(), water()}).name == "sound in `water`");
    CHECK(limit_of(3, {water(), oil(1e5)}).name == "viscosity of `oil`");
    // dt ≤ ρH²/(15 μ) in 3D, 3ρH²/(40 μ) in 2D, with the μ that pairs average.
    for (const int d : {2, 3}) {
        const double mu = Tank(d, KernelName::wendland_c2, {oil(1e5)}).fluid.constants()[0].friction;
        CHECK(limit_of(d, {water(), oil(1e5)}).seconds ==
              near(600 * H * H / ((d == 2 ? 40. / 3 : 15.) * mu)));
    }
    CHECK(limit_of(2, {}).name == "nothing");
}
