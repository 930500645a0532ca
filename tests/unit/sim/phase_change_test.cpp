#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/statistics.h"
#include "unit/core/generators.h"
#include "unit/sim/melting.h"

using namespace thixo;

namespace {

/// Wax that is rigid when it is cold.
Material stone_wax(double freezing = 40, double melting = 40) {
    Material out = wax(freezing, melting);
    out.solid.cold = ColdState::rigid;
    return out;
}

SolverSettings implicit_elasticity() {
    SolverSettings solver;
    solver.elasticity = ElasticIntegrator::implicit;
    return solver;
}

/// As the preset `fast`.
SolverSettings all_implicit() {
    SolverSettings solver = implicit_elasticity();
    solver.pressure = PressureMethod::dfsph;
    solver.viscosity = ViscosityMethod::implicit;
    return solver;
}

}  // namespace

TEST_CASE("below the melting point matter is solid, above it liquid") { check_sides(wax()); }

TEST_CASE("between the points matter is elastic, the softer the warmer") {
    const PhaseRule rule(wax(30, 50));
    CHECK(rule.next(Phase::liquid, 51, 0) == Phase::liquid);
    CHECK(rule.next(Phase::elastic, 51, 0) == Phase::liquid);
    CHECK(rule.next(Phase::liquid, 49, 0) == Phase::elastic);
    CHECK(rule.stiffness(29) == 1);
    CHECK(rule.stiffness(40) == doctest::Approx(0.5));
    CHECK(rule.stiffness(49.9f) == doctest::Approx(0.005));

    // A warm bar stretches more under the same pull.
    const auto energy = [](double temperature) {
        Melt melt(wax(30, 50));
        melt.add(Phase::elastic, temperature, 0, 0.4);
        Simulation sim(
            melt.model,
            [&] {
                ParticleTable particles = populate(melt.model, melt.objects);
                for (Vec3f& v : particles.velocity) v = {};
                for (Index i = 0; i < particles.size(); ++i)
                    particles.velocity[i].x = particles.position[i].x > 0.2f ? 0.1f : -0.1f;
                return particles;
            }(),
            Device{1});
        for (int k = 0; k < 20; ++k) sim.step(1);
        return sim.elastic().energy(Device{1});
    };
    CHECK(energy(45) < 0.6 * energy(20));
}

TEST_CASE("with latent heat at one point matter keeps its phase until it has all of it, or none") {
    Material ice = wax(0, 0);
    ice.heat.latent_heat = 1000;
    const PhaseRule rule(ice);
    CHECK(rule.next(Phase::elastic, 0, 500) == Phase::elastic);
    CHECK(rule.next(Phase::liquid, 0, 500) == Phase::liquid);
    CHECK(rule.next(Phase::elastic, 0, 1000) == Phase::liquid);
    CHECK(rule.next(Phase::liquid, 0, 0) == Phase::elastic);
}

TEST_CASE("what freezes between two bodies makes them one; bodies that only touch stay two") {
    for (Material material : {wax(), stone_wax()}) {
        material.liquid.viscosity = 0;  // which keeps angular momentum only nearly
        for (const bool bridged : {true, false}) {
            const bool rigid = material.solid.cold == ColdState::rigid;
            const Phase solid = rigid ? Phase::rigid : Phase::elastic;
            Melt melt(material);
            melt.add(solid, 20, 0, 0.2, {0, 0.1, 0});
            if (bridged) melt.add(Phase::liquid, 39, 0.2, 0.3);
            const double second = bridged ? 0.3 : 0.2;
            melt.add(solid, 20, second, second + 0.2, {0, 0, 0.2});
            Simulation sim = melt.simulation();
            const Statistics before = gather_statistics(sim);
            CHECK(before.bodies == 2);
            run(sim, 0.01);
            const Statistics after = gather_statistics(sim);
            CAPTURE(rigid);
            CAPTURE(bridged);
            CHECK(after.bodies == (bridged ? 1 : 2));
            if (bridged) CHECK(sim.lineage().back().event == BodyEvent::merged);
            CHECK(sim.rigid().bodies().size() == (rigid ? after.bodies : 0u));
            CHECK(after.mass == before.mass);
            CHECK(norm(after.momentum - before.momentum) < 1e-5 * norm(before.momentum));
            CHECK(norm(after.angular_momentum - before.angular_momentum) <
                  1e-5 * norm(before.angular_momentum));
        }
    }
}

TEST_CASE("matter that is rigid when it is cold is soft on its way to melting") {
    const PhaseRule rule(stone_wax(30, 50)), sharp(stone_wax());
    for (const Phase now : {Phase::liquid, Phase::elastic, Phase::rigid}) {
        CHECK(rule.next(now, 29, 0) == Phase::rigid);
        CHECK(rule.next(now, 31, 0) == Phase::elastic);
        CHECK(rule.next(now, 51, 0) == Phase::liquid);
        CHECK(sharp.next(now, 39, 0) == Phase::rigid);
        CHECK(sharp.next(now, 41, 0) == Phase::liquid);
    }
}

namespace {

/// A bar whose ends are 20 °C, and whose middle, x in 0.3 … 0.5, is of another temperature.
ParticleTable bar(const Melt& melt, float middle) {
    ParticleTable particles = populate(melt.model, melt.objects);
    for (Index i = 0; i < particles.size(); ++i) {
        const float x = particles.position[i].x;
        if (x > 0.3f && x < 0.5f) particles.temperature[i] = middle;
    }
    return particles;
}

/// The farthest that two particles of a part have come away from their distance in the first state, m.
double distortion(const ParticleTable& first, const ParticleTable& now, std::uint32_t part) {
    std::vector<std::pair<Vec3d, Vec3d>> places;
    std::vector<Vec3f> start(first.size());
    for (Index i = 0; i < first.size(); ++i) start[first.id[i]] = first.position[i];
    for (Index i = 0; i < now.size(); ++i) {
        if (now.rigid_cluster[i] == part)
            places.emplace_back(to_double(start[now.id[i]]), to_double(now.position[i]));
    }
    double out = 0;
    for (const auto& a : places) {
        for (const auto& b : places)
            out = std::max(out, std::abs(norm(a.first - b.first) - norm(a.second - b.second)));
    }
    return out;
}

}  // namespace

TEST_CASE("a body can have rigid ends and an elastic middle, which holds them together and swings") {
    Material material = stone_wax(30, 50);
    material.heat.diffusivity = 0;
    for (const SolverSettings& solver : {SolverSettings{}, implicit_elasticity(), all_implicit()}) {
        Melt melt(material);
        melt.model.solver = solver;
        melt.add(Phase::rigid, 20, 0, 0.8);
        ParticleTable start = bar(melt, 31);
        for (Index i = 0; i < start.size(); ++i) {
            const bool right = start.position[i].x > 0.4f;
            start.velocity[i] = {0, right ? 0.2f : -0.1f, right ? 0.1f : 0.f};
        }
        Simulation sim(melt.model, start, Device{2});
        sim.step(1);
        const Statistics before = gather_statistics(sim);
        CHECK(before.bodies == 1);
        CHECK(before.elastic == 4 * 4 * 4);
        REQUIRE(sim.rigid().bodies().size() == 2);
        const ParticleTable whole = sim.particles();
        double least = 1e9, most = 0;
        while (sim.clock().time < 0.5) {
            sim.step(0.5);
            const double apart = norm(sim.rigid().bodies()[0].center - sim.rigid().bodies()[1].center);
            least = std::min(least, apart);
            most = std::max(most, apart);
        }
        const Statistics after = gather_statistics(sim);
        INFO("elasticity ", static_cast<int>(solver.elasticity), ", pressure ",
             static_cast<int>(solver.pressure), ": apart ", least, " to ", most);
        CHECK(after.bodies == 1);
        CHECK(most < 0.6);  // 0.5 at the start
        CHECK(least > 0.4);
        for (const RigidBody& part : sim.rigid().bodies())
            CHECK(distortion(whole, sim.particles(), part.number) < 1e-6);
        // The ledger has implicit forces as they were at the places of half a step ago.
        const bool late = solver.elasticity == ElasticIntegrator::implicit;
        CHECK(after.kinetic + sim.elastic().energy(Device{1}) < (late ? 1.001 : 1) * before.kinetic);
        CHECK(norm(after.momentum - before.momentum) < 1e-5 * norm(before.momentum));
        CHECK(norm(after.angular_momentum - before.angular_momentum) <
              (late ? 1e-4 : 1e-5) * norm(before.angular_momentum));
    }
}

TEST_CASE("a rigid body whose middle melts is two, which fly on as they were") {
    Melt melt(stone_wax());
    melt.model.materials[0].heat.diffusivity = 0;
    melt.model.materials[0].liquid.viscosity = 0;
    melt.add(Phase::rigid, 20, 0, 0.8, {0.3, 0.1, 0});
    melt.objects[0].angular_velocity = {0.5, 0, 2};
    Simulation sim(melt.model, bar(melt, 60), Device{2});
    const Statistics before = gather_statistics(sim);
    CHECK(before.bodies == 1);
    run(sim, 0.01);
    const Statistics after = gather_statistics(sim);
    CHECK(after.bodies == 2);
    CHECK(after.liquid == 4 * 4 * 4);
    CHECK(sim.lineage().back().event == BodyEvent::came_off);
    CHECK(sim.lineage().back().parent == 1);
    CHECK(after.mass == before.mass);
    CHECK(norm(after.momentum - before.momentum) < 1e-5 * norm(before.momentum));
    CHECK(norm(after.angular_momentum - before.angular_momentum) < 1e-5 * norm(before.angular_momentum));
    for (const RigidBody& part : sim.rigid().bodies())
        CHECK(norm(part.angular_velocity()) == doctest::Approx(std::sqrt(4.25)).epsilon(0.02));
}

TEST_CASE("bodies that have turned grow, merge and soften without stress") {
    // Two rigid blocks turn at different speeds, then what is between them freezes, then everything softens.
    Material material = stone_wax(30, 50);
    material.heat.diffusivity = 0;
    material.liquid.viscosity = 0;
    Melt melt(material);
    melt.add(Phase::rigid, 20, 0, 0.2);
    melt.add(Phase::rigid, 20, 0.3, 0.5);
    melt.objects[0].angular_velocity = {2, 0, 0};
    melt.objects[1].angular_velocity = {-3, 0, 0};
    melt.add(Phase::liquid, 60, 0.2, 0.3);
    melt.model.heaters = {{.name = "cooler",
                           .region = Box{{0.2, -1, -1}, {0.3, 1, 1}},
                           .temperature = 31,
                           .response = 1e-4,
                           .start = 0.3,
                           .stop = 0.31},
                          {.name = "oven",
                           .region = Box{{-1, -1, -1}, {1, 1, 1}},
                           .temperature = 31,
                           .response = 1e-4,
                           .start = 0.32,
                           .stop = 0.33}};
    Simulation sim = melt.simulation();
    run(sim, 0.315);
    CHECK(gather_statistics(sim).bodies == 1);
    CHECK(gather_statistics(sim).elastic > 0);
    const double energy = gather_statistics(sim).kinetic + sim.elastic().energy(Device{1});
    run(sim, 0.34);
    const Statistics soft = gather_statistics(sim);
    CHECK(soft.bodies == 1);
    CHECK(soft.rigid == 0);
    CHECK(soft.elastic == sim.particles().size());
    CHECK(soft.kinetic + sim.elastic().energy(Device{1}) < 1.01 * energy);
}

TEST_CASE("solids of one, two and three particles, and those on a line, are stable") {
    for (const Material& material : {wax(30, 50), stone_wax(30, 50), stone_wax()}) {
        for (const int count : {1, 2, 3}) {
            Melt melt(material);
            melt.model.gravity = {0, -9.81, 0};
            melt.model.obstacles = {
                {.name = "floor", .shape = Plane{{0, -0.2, 0}, {0, 1, 0}}, .friction = 0.5}};
            melt.objects.push_back(
                {.name = "drop",
                 .material = "wax",
                 .phase = Phase::liquid,
                 .temperature = 20,
                 .velocity = {0.5, 0, 0},
                 .shape = Box{{0, 0, 0}, {count * Melt::spacing, Melt::spacing, Melt::spacing}}});
            melt.objects.back().angular_velocity = {1, 2, 3};
            Simulation sim = melt.simulation();
            REQUIRE(sim.particles().size() == static_cast<Index>(count));
            run(sim, 1);
            const Statistics end = gather_statistics(sim);
            CHECK(end.bodies == 1);
            CHECK(end.liquid == 0);
            for (const Vec3f& v : sim.particles().velocity) CHECK(norm(v) < 1.f);
            for (const Vec3f& x : sim.particles().position) CHECK(x.y > -0.2f);
        }
    }
}

TEST_CASE("a body whose middle melts is two, and mass, momentum and angular momentum stay") {
    check_parting(wax(35, 45));
}

TEST_CASE("contact pairs are symmetric in a stretched body that melts in places") {
    Melt melt(wax());
    melt.add(Phase::elastic, 20, 0, 1.2);
    melt.model.materials[0].heat.diffusivity = 0;
    melt.model.materials[0].solid.young_modulus = 1e3;
    melt.model.heaters = {
        {.name = "oven", .region = Box{{-4, -4, -4}, {4, 4, 4}}, .temperature = 80, .response = 0.3}};
    ParticleTable particles = populate(melt.model, melt.objects);
    Stream random(1);
    for (Index i = 0; i < particles.size(); ++i) {
        particles.temperature[i] = 20 + 0.2f * static_cast<float>(random.below(100));
        particles.velocity[i].x = 10 * (particles.position[i].x - 0.6f);
    }
    Simulation sim(melt.model, particles, Device{1});
    int alone = 0;
    while (sim.clock().time < 0.1) {
        sim.step(0.1);
        const Neighbours met = sim.neighbour_search().view();
        for (Index i = 0; i < sim.particles().size(); ++i) {
            for (const Index j : met.of(i)) {
                const View<const Index> back = met.of(j);
                alone += std::find(back.begin(), back.end(), i) == back.end() ? 1 : 0;
            }
        }
    }
    CHECK(alone == 0);
    const Statistics last = gather_statistics(sim);
    CHECK(last.liquid > 0);
    CHECK(last.elastic > 0);
}

TEST_CASE("phase changes have the same bits on any number of threads, and go on from a checkpoint") {
    for (const Material& material : {wax(38, 42), stone_wax(38, 42), stone_wax()})
        check_bits(kitchen(material), 0.2);
    for (const Material& material : {wax(38, 42), stone_wax(38, 42)}) {
        Melt melt = kitchen(material);
        melt.model.solver = all_implicit();
        check_bits(melt, 0.2);
    }
}
