#include <doctest/doctest.h>

#include <cmath>

#include "sph/kernels.h"
#include "unit/core/near.h"
#include "unit/fluid/tank.h"

using namespace thixo;

TEST_CASE("inside an undisturbed lattice the density is the rest density") {
    for (const KernelName kernel : kernel_names) {
        for (const int d : {2, 3}) {
            Tank tank(d, kernel, {water()});
            Stream random(1);
            tank.fill(9, Tank::spacing, 0, random);
            tank.evaluate();
            int interior = 0;
            for (Index i = 0; i < tank.particles.size(); ++i) {
                const Vec3f x = tank.particles.position[i];
                const auto inside = [](float a) { return a > 0.24f && a < 0.66f; };
                if (!inside(x.x) || !inside(x.y) || (d == 3 && !inside(x.z))) continue;
                ++interior;
                // Single precision: some 30 terms, each rounded.
                CHECK(tank.particles.density[i] == near(1000, 1e-5));
                CHECK(tank.particles.pressure[i] < 1e-5 * 1000 * 400);
            }
            CHECK(interior == (d == 2 ? 25 : 125));
        }
    }
}

TEST_CASE("density is the sum over all particles, weighed by volume, plus what walls add") {
    CHECK(rc::check([] {
        const int d = *rc::gen::element(2, 3);
        Tank tank(d, KernelName::wendland_c2, {water(), oil()});
        Stream random(*rc::gen::arbitrary<std::uint64_t>());
        tank.fill(d == 2 ? 12 : 6, 0.09, 0.04, random);
        tank.sense_walls = [](Tank& t) {
            for (Index i = 0; i < t.particles.size(); ++i)
                t.walls[i].gamma = 0.001f * static_cast<float>(t.particles.id[i] % 300);
        };
        tank.evaluate(Device{*rc::gen::element(1, 2)});
        const ParticleTable& p = tank.particles;
        const Kernel<WendlandC2, double> w(Tank::support, d);
        for (Index i = 0; i < p.size(); ++i) {
            double s = tank.walls[i].gamma;
            for (Index j = 0; j < p.size(); ++j) {
                s += p.mass[j] / tank.materials[p.material[j]].density *
                     w.value(norm(to_double(p.position[i]) - to_double(p.position[j])));
            }
            const Material& own = tank.materials[p.material[i]];
            RC_ASSERT(std::abs(p.density[i] - own.density * s) < 1e-5 * own.density * s);
            // p = max(0, c² (ρ − ρ₀))
            const double c = own.liquid.sound_speed;
            const double pressure = std::max(0.0, c * c * (p.density[i] - own.density));
            RC_ASSERT(std::abs(p.pressure[i] - pressure) <= 1e-6 * c * c * own.density);
            RC_ASSERT(p.pressure[i] >= 0);
        }
    }));
}

TEST_CASE("a lone particle has the density of its own kernel") {
    Tank tank(3, KernelName::spiky, {water()});
    tank.add({5, 5, 5});
    tank.evaluate();
    const double volume = rest_volume(KernelName::spiky, Tank::support, 3, Lattice::cubic, Tank::spacing);
    CHECK(tank.particles.density[0] ==
          near(1000 * volume * Kernel<Spiky, double>(Tank::support, 3).value(0.), 1e-5));
    CHECK(tank.particles.pressure[0] == 0);
    CHECK(tank.acceleration[0] == Vec3f{});
}

TEST_CASE("nothing at all is a fluid too") {
    Tank tank(3, KernelName::wendland_c2, {water()});
    tank.evaluate();
    CHECK(tank.particles.size() == 0);
}
