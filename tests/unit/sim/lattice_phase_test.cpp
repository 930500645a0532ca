#include <doctest/doctest.h>

#include <cmath>

#include "sim/statistics.h"
#include "unit/sim/melting.h"

using namespace thixo;

namespace {

Material lattice_wax(double freezing = 40, double melting = 40) {
    Material out = wax(freezing, melting);
    out.solid.model = SolidModel::lattice;
    out.solid.reach = 1.3;
    return out;
}

/// Changes by chance, and conducts no heat.
Material by_chance(Material material) {
    material.heat.transition = PhaseTransition::stochastic;
    material.heat.diffusivity = 0;
    return material;
}

}  // namespace

namespace {

/// As the preset `fast`.
void choose_implicit(SolverSettings& solver) {
    solver.elasticity = ElasticIntegrator::implicit;
    solver.pressure = PressureMethod::dfsph;
    solver.viscosity = ViscosityMethod::implicit;
}

}  // namespace

TEST_CASE("lattice solids melt above the melting point, and liquids freeze to them below") {
    check_sides(lattice_wax());
}

TEST_CASE("lattice solids are one when liquid between them froze") {
    for (const bool implicit : {false, true}) {
        Melt melt(lattice_wax());
        if (implicit) choose_implicit(melt.model.solver);
        melt.add(Phase::elastic, 20, 0, 0.6);
        ParticleTable particles = populate(melt.model, melt.objects);
        for (Index i = 0; i < particles.size(); ++i)
            if (std::abs(particles.position[i].x - 0.3f) < 0.08f) particles.phase[i] = Phase::liquid;
        Simulation sim(melt.model, std::move(particles));
        CHECK(gather_statistics(sim).bodies == 2);
        sim.step(1);
        CHECK(gather_statistics(sim).bodies == 1);
        CHECK(gather_statistics(sim).liquid == 0);
        CHECK(sim.lineage().back().event == BodyEvent::merged);
        // It is without stress, and stays so.
        run(sim, 0.05);
        CHECK(gather_statistics(sim).kinetic < 1e-6);
        CHECK(gather_statistics(sim).bodies == 1);
    }
}

TEST_CASE("lattice solids that only touch stay two") {
    Melt melt(lattice_wax());
    melt.add(Phase::elastic, 20, 0, 0.2, {0.1, 0, 0});
    melt.add(Phase::elastic, 20, 0.2, 0.4, {-0.1, 0, 0});
    Simulation sim = melt.simulation();
    run(sim, 0.05);
    CHECK(gather_statistics(sim).bodies == 2);
}

TEST_CASE("a lattice solid whose middle melts is two, and momentum stays") {
    check_parting(lattice_wax(35, 45));
}

TEST_CASE("how many melt or freeze by chance does not depend on the time step") {
    struct Matter {
        Material material;
        Phase phase;
    };
    for (const Matter& matter :
         {Matter{by_chance(lattice_wax()), Phase::elastic}, Matter{by_chance(wax()), Phase::elastic},
          Matter{by_chance(lattice_wax()), Phase::liquid}}) {
        const bool melts = matter.phase != Phase::liquid;
        for (const double scale : {1., 0.3}) {
            Melt melt(matter.material);
            melt.model.solver.time_step_scale = scale;
            melt.model.seed = 5;
            melt.add(matter.phase, melts ? 60 : 20, 0, melts ? 1.0 : 0.5);
            ParticleTable particles = populate(melt.model, melt.objects);
            // Liquid without solid neighbours freezes at the rate of one neighbour.
            if (!melts)
                for (Vec3f& x : particles.position) x *= 3.f;
            Simulation sim(melt.model, std::move(particles), Device{1});
            const double seconds = 0.04;
            run(sim, seconds);
            const Statistics now = gather_statistics(sim);
            // Draws begin with the second step, for the time of the first.
            const double survival =
                std::exp(-20 * (seconds - sim.clock().last_step));  // 1/(s K), 20 K beyond
            const auto n = static_cast<double>(sim.particles().size());
            const auto left = static_cast<double>(melts ? now.elastic : now.liquid);
            INFO(n, " particles, ", left, " left, ", survival * n, " expected");
            CHECK(n > 100);
            CHECK(std::abs(left - n * survival) < 4 * std::sqrt(n * survival * (1 - survival)));
        }
    }
}

TEST_CASE("lattice solids that melt and freeze by chance have the same bits, and go on from a checkpoint") {
    Material material = lattice_wax(38, 42);
    material.heat.transition = PhaseTransition::stochastic;
    material.heat.melting_rate = material.heat.freezing_rate = 3;
    material.solid.docking_rate = 2e4;
    check_bits(kitchen(material), 0.08);
    Melt implicit = kitchen(material);
    choose_implicit(implicit.model.solver);
    check_bits(implicit, 0.08);
}
