#include <doctest/doctest.h>

#include <cmath>

#include "unit/core/near.h"
#include "unit/fluid/pairs.h"

using namespace thixo;

namespace {

Tank tank_of(int d) {
    Material thick = oil();
    thick.liquid.artificial_viscosity = 2;
    return {d, KernelName::wendland_c2, {water(), thick}, without_pressure(ViscosityMethod::artificial)};
}

/// η c ρ₀ h, h = H/2
double friction_of(const Tank& tank, Index i) {
    const Material& m = tank.materials[tank.particles.material[i]];
    return m.liquid.artificial_viscosity * m.liquid.sound_speed * m.density * Tank::support / 2;
}

}  // namespace

TEST_CASE("artificial viscosity is the sum over approaching pairs") {
    CHECK(rc::check([] {
        const int d = *rc::gen::element(2, 3);
        Tank tank = tank_of(d);
        Stream random(*rc::gen::arbitrary<std::uint64_t>());
        tank.fill(d == 2 ? 14 : 7, 0.09, 0.04, random);
        tank.evaluate();
        const double softening = 0.01 * (Tank::support / 2) * (Tank::support / 2);
        for (Index i = 0; i < tank.particles.size(); i += 5) {
            Vec3d a{};
            double size = 0;
            for_each_pair(tank, tank.particles.velocity, i, [&](const Pair& p) {
                const double mu = 0.5 * (friction_of(tank, i) + friction_of(tank, p.j));
                const Vec3d push = p.x * (mu * p.volume * std::min(0.0, dot(p.v, p.x)) /
                                          (p.r * p.r + softening) * p.gradient);
                a += push / tank.materials[tank.particles.material[i]].density;
                size += norm(push) / tank.materials[tank.particles.material[i]].density;
            });
            // v·x loses digits where a pair moves across the line between them.
            RC_ASSERT(norm(to_double(tank.acceleration[i]) - a) <= 1e-5 * size + 1e-4);
        }
    }));
}

TEST_CASE("artificial viscosity pushes apart what approaches, along the line between") {
    for (const float speed : {-1.f, 1.f}) {
        Tank tank = tank_of(3);
        const Vec3f along{0.06f, 0.08f, 0}, across{-0.04f, 0.03f, 0.1f};
        tank.add(along, speed * along + across);
        tank.add({});
        tank.evaluate();
        const Index far = tank.particles.id[0] == 0 ? 0 : 1;
        const Vec3d a = to_double(tank.acceleration[far]);
        if (speed > 0) {
            CHECK(a == Vec3d{});
        } else {
            CHECK(dot(a, to_double(along)) > 0);
            CHECK(norm(cross(a, to_double(along))) < 1e-6 * norm(a) * norm(to_double(along)));
        }
        CHECK(norm(tank.force(0) + tank.force(1)) <= 1e-6 * norm(tank.force(0)));
    }
}

TEST_CASE("artificial viscosity keeps momentum and angular momentum and takes energy") {
    CHECK(rc::check([] {
        const int d = *rc::gen::element(2, 3);
        Tank tank = tank_of(d);
        Stream random(*rc::gen::arbitrary<std::uint64_t>());
        tank.fill(d == 2 ? 20 : 8, 0.09, 0.04, random);
        tank.evaluate();
        const Moments change = moments(tank, tank.acceleration);
        double power = 0;
        for (Index i = 0; i < tank.particles.size(); ++i)
            power += dot(tank.force(i), to_double(tank.particles.velocity[i]));
        RC_ASSERT(change.size > 0);
        RC_ASSERT(norm(change.momentum) < 1e-5 * change.size);
        RC_ASSERT(norm(change.spin) < 1e-5 * change.size * 2);  // the tank is 2 m wide
        RC_ASSERT(power < 0);
    }));
}
